"""The rows that audits read, exactly as they are stored; each engine yields them from one state of the record."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from storage.tickets import TicketMessage


class ConversationRow(NamedTuple):
    """One conversation; `erased` says that its ticket's words were erased lawfully."""

    id: int
    agent: str
    ticket: str
    erased: bool = False


class EntryRow(NamedTuple):
    """One interaction; from `author` on, what its hash covers, by name."""

    conversation_id: int
    prev_hash: bytes
    hash: bytes
    author: str
    created_at: int
    depth: int
    external: int
    id: int
    kind: str
    link: int
    meta: str
    node_count: int
    parent_id: int | None
    replaces_id: int | None
    seq: int
    writer: str | None


class EndRow(NamedTuple):
    """The end of one interaction; from `detail` on, what its hash covers beside the commitment, by name."""

    conversation_id: int
    prev_hash: bytes
    hash: bytes
    commitment: bytes
    detail: str
    ended_at: int
    interaction_id: int
    link: int
    pieces: int
    status: str


Link: TypeAlias = EntryRow | EndRow


def time_of(link: Link) -> int:
    """When a link was added, microseconds since 1970 UTC."""
    return link.created_at if isinstance(link, EntryRow) else link.ended_at


class ContentRow(NamedTuple):
    """What was kept of an ended interaction beside its end.

    Attributes:
        link, ended_at, commitment, pieces: those of the end.
        salt: None where there is none any more.
        preview: None where there is none any more.
        numbers: of the pieces that are there, in order.
        data: the pieces themselves, as stored bytes.
    """

    conversation_id: int
    interaction_id: int
    seq: int | None
    kind: str | None
    meta: str | None
    link: int
    ended_at: int
    commitment: bytes
    pieces: int
    salt: bytes | None
    preview: bytes | None
    numbers: tuple[int, ...]
    data: tuple[bytes, ...]

    @property
    def content(self) -> bytes:
        """The pieces joined."""
        return b"".join(self.data)


class LooseRow(NamedTuple):
    """What stands beside an interaction that has no end: a salt or preview, or pieces that are not dense."""

    conversation_id: int
    interaction_id: int
    what: str


class RequestRow(NamedTuple):
    """One call of a model; `body` is None where its bytes are gone, or were not asked for."""

    conversation_id: int
    id: int
    node_id: int
    attempt: int
    sent_at: int
    body_sha256: str
    body: bytes | None


@dataclass(frozen=True, slots=True)
class SnapshotRow:
    """One snapshot of a ticket.

    Attributes:
        messages: None where a stored message cannot be read as one.
        message_digests: as stored beside each message.
        is_dense: the positions of the messages have no gap and each names a message.
        erased: the ticket's words were erased lawfully.
    """

    ticket: str
    number: int
    subject: str
    customer: str
    language: str
    digest: str
    added_at: int
    messages: tuple[TicketMessage, ...] | None
    message_digests: tuple[str, ...]
    is_dense: bool
    erased: bool = False


class SourceRow(NamedTuple):
    """The raw bytes that a ticket was read from."""

    name: str
    digest: str
    data: bytes


class SchemaDifference(NamedTuple):
    """A table, index or trigger that is not as the schema makes it; `how` is missing, changed or foreign."""

    type: str
    name: str
    how: str


class RecordRows(Protocol):
    """One state of the record. What cannot be read raises `StorageError`."""

    def schema_differences(self) -> list[SchemaDifference]:
        """Compare every table, index and trigger with what the schema makes, byte for byte."""

    def damages(self) -> Iterator[str]:
        """What the engine's own check of the file and of references between rows finds, as it says it."""

    def conversations(self) -> Iterator[ConversationRow]:
        """All conversations, by id."""

    def links(self, conversation_id: int | None = None) -> Iterator[Link]:
        """All links, or those of one conversation, by conversation and link."""

    def contents(self, conversation_id: int | None = None) -> Iterator[ContentRow]:
        """What was kept of every ended interaction, by its id."""

    def loose(self) -> Iterator[LooseRow]:
        """What stands beside interactions without an end and should not."""

    def requests(self, conversation_id: int | None = None, *, bodies: bool = True) -> Iterator[RequestRow]:
        """All requests, by conversation and id, with the bytes that were sent where they are asked for."""

    def snapshots(self, ticket: str | None = None) -> Iterator[SnapshotRow]:
        """All snapshots, by ticket and number."""

    def sources(self) -> Iterator[SourceRow]:
        """All raw sources."""

    def is_alive(self, writer: str) -> bool:
        """Tell whether the writer of an answer that has not ended still runs."""
