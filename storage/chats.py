"""Chats that other programs held with a model, as values on their way into the record."""

import hashlib
import json
from base64 import b32encode
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from storage.interactions import IncomingNode
from storage.origins import NODE_BYTES, Origin
from storage.tickets import IncomingTicket, RawSource


@dataclass(frozen=True, slots=True)
class IncomingChat:
    """A chat as an importer read it, before it is in the record.

    Attributes:
        program: what it was exported from ("ChatGPT").
        id: the chat's own id in that program.
        nodes: each after its parent; siblings in the order in which the program showed them. Every one has a
            `source_id` of its own, or names its origin.
        current: position of the node that the program showed last, None where it showed none.
        ticket: the ticket that is made for it, whose own id is not used; None where it belongs to one in the record.
        source: the bytes it was read from, None where they are not to be kept.
        versions: of the ticket that it was held on, oldest first, where it comes from another record; those that are
            newer here than all there are come in with it, and its ticket nodes name theirs by digest.
        began_at: when the conversation began that it is a copy of, for one that it opens here; microseconds since 1970
            UTC, None where it begins here.
        source_status: what a source of the ticket said last of its status in the record that `versions` come from, ""
            where none did; it counts where one of these is newer, as if its source were read here.
    """

    program: str
    id: str
    nodes: tuple[IncomingNode, ...]
    current: int | None = None
    ticket: IncomingTicket | None = None
    source: RawSource | None = None
    versions: tuple[IncomingTicket, ...] = ()
    began_at: int | None = None
    source_status: str = ""

    @property
    def key(self) -> bytes:
        """What tells this chat from all others; nobody can read program or id from it."""
        return hashlib.sha256(json.dumps([self.program, self.id]).encode()).digest()

    def origin_of(self, node: IncomingNode) -> Origin:
        """Where one of its nodes was added first."""
        return node.origin or Origin(self.key, node_key(node.source_id))

    def ticket_ids(self) -> Iterator[str]:
        """Yield the ids that a ticket made for it may have: "C-" and letters or digits that come from its key."""
        digits = b32encode(self.key).decode().lower().rstrip("=")
        for length in (8, 16, len(digits)):
            yield f"C-{digits[:length]}"


def node_key(source_id: str) -> bytes:
    """Return what tells a node from all others of its chat."""
    return hashlib.sha256(json.dumps(source_id).encode()).digest()[:NODE_BYTES]


class ChatOutcome(StrEnum):
    """What saving a chat did."""

    NEW = "new"
    GROWN = "grown"
    UNCHANGED = "unchanged"


class ChangedStatus(NamedTuple):
    """The status of a ticket, and the one that it had; its source named it, or its customer wrote again."""

    now: str
    before: str
    by_customer: bool = False


@dataclass(frozen=True, slots=True)
class SavedChat:
    """What saving a chat did.

    Attributes:
        ticket_id: of the ticket whose conversation holds it.
        added: how many nodes and internal interactions were added.
        changed: the source ids of nodes whose text is another than it was; the new one stands beside the old.
        node_ids: where each node of the chat is in the record; empty where nothing was to be written.
        status: of the ticket and what it was before, where a newer version of it brought another one.
    """

    ticket_id: str
    outcome: ChatOutcome
    added: int
    changed: tuple[str, ...] = ()
    node_ids: tuple[int, ...] = ()
    status: ChangedStatus | None = None
