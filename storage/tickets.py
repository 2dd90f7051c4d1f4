"""Tickets: what a customer wrote, kept as numbered snapshots that never change."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from storage.values import JsonObject

OPEN: Final = "open"
CLOSED: Final = "closed"
ERASED: Final = "erased"
"""The statuses that Ticketree itself gives a ticket; a source may name any other."""


class Role(StrEnum):
    """Who wrote a ticket message."""

    CUSTOMER = "customer"
    AGENT = "agent"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class TicketAttachment:
    """A file that came with a ticket message; only its name and size are kept for display."""

    name: str
    media_type: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class TicketMessage:
    """One message of a ticket.

    Attributes:
        author: the name as the customer or colleague gave it (foreign text).
        text: decoded for display; the raw source is kept beside the snapshot.
        created_at: microseconds since 1970 UTC, or None where the source names no time.
        internal: a note of the help desk, sent to a model only when the agent ticks it.
        attachments: files named by the message.
        hidden_count: characters or elements that the source hid from its reader and that were left out of `text`.
        source_id: the source's own id (a Message-ID), or "".
    """

    author: str
    role: Role
    text: str
    created_at: int | None = None
    internal: bool = False
    attachments: tuple[TicketAttachment, ...] = ()
    hidden_count: int = 0
    source_id: str = ""


@dataclass(frozen=True, slots=True)
class RawSource:
    """The bytes that a ticket (or one of its messages) was read from, exactly as they came.

    Attributes:
        name: file name or "file#entry", for reports only; never used as a path.
        format: what it is: "eml", "mbox", "json", "jsonl", "csv", or a chat of "chatgpt", "claude", …
    """

    name: str
    format: str
    data: bytes


@dataclass(frozen=True, slots=True)
class IncomingTicket:
    """A ticket as an importer read it, before it is in the record.

    Attributes:
        id: what agents call it ("T-80005"); unique in the record.
        status: "open", "closed" or whatever the source says, lower case; "" where it says nothing: then a known ticket
            keeps its status, and a new one is open.
        language: ISO 639-1 code, or "" when unknown.
        messages: oldest first, at least one.
        created_at: microseconds since 1970 UTC, or None.
        extra: further fields of the source, kept for display only.
    """

    id: str
    subject: str
    customer: str
    messages: tuple[TicketMessage, ...]
    language: str = ""
    status: str = "open"
    created_at: int | None = None
    sources: tuple[RawSource, ...] = ()
    extra: JsonObject = field(default_factory=dict)


class SaveOutcome(StrEnum):
    """What saving an incoming ticket did."""

    NEW = "new"
    SNAPSHOT = "snapshot"
    STATUS = "status"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Ticket:
    """One numbered snapshot of a ticket, as stored.

    Attributes:
        id: what agents call it ("T-80005").
        snapshot: 1 for the first, dense.
        snapshots: how many there are now.
        status: the status now, not at the time of the snapshot; what it means is said by its `Lifecycle`.
        digest: SHA-256 (hex) over the snapshot's canonical JSON.
        erased: its words were erased; subject and one message say when, by whom and why.
    """

    id: str
    snapshot: int
    snapshots: int
    subject: str
    customer: str
    language: str
    status: str
    created_at: int | None
    messages: tuple[TicketMessage, ...]
    digest: str
    extra: JsonObject = field(default_factory=dict)
    erased: bool = False


@dataclass(frozen=True, slots=True)
class TicketSummary:
    """One row of an agent's ticket list.

    Attributes:
        nodes: nodes below the root in this agent's conversation; 0 where there is none yet.
        running: an answer is being written in this agent's conversation.
        closed: its status means closed; an erased ticket is erased instead.
        erased: its words were erased; the subject says when, by whom and why.
    """

    id: str
    subject: str
    customer: str
    status: str
    language: str
    snapshots: int
    nodes: int
    running: bool = False
    erased: bool = False
    closed: bool = False
