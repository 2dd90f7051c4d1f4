"""The rows that audits read, exactly as they are stored; each engine yields them from one state of the record.

Texts of links are the bytes that are stored, as they are hashed and need not be UTF-8 any more.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from storage.tickets import TicketMessage


class ConversationRow(NamedTuple):
    """One conversation; `erased` says that its ticket's words were erased lawfully."""

    id: int
    agent: str
    ticket: str
    created_at: int
    erased: bool


class ErasureRow(NamedTuple):
    """Who erased the words of a ticket, when (microseconds since 1970 UTC) and why."""

    agent: str
    erased_at: int
    reason: str


class EntryRow(NamedTuple):
    """One interaction with its heading; from `commitment` to `writer` what its hash covers, by name.

    Attributes:
        salt, author, meta: of the heading, None where it is gone.
    """

    conversation_id: int
    prev_hash: bytes
    hash: bytes
    commitment: bytes
    created_at: int
    depth: int
    external: int
    id: int
    kind: bytes
    link: int
    node_count: int
    parent_id: int | None
    replaces_id: int | None
    seq: int
    snapshot: int | None
    writer: bytes | None
    salt: bytes | None
    author: bytes | None
    meta: bytes | None


Piece: TypeAlias = tuple[int, bytes]
"""Number and data of a piece of content."""


class EndRow(NamedTuple):
    """The end of one interaction with what it sealed; from `commitment` to `status` what its hash covers, by name.

    Attributes:
        salt, detail, preview: of the seal, None where it is gone.
        number, data: the first piece of content that is there, None where there is none.
        more: the further ones, in order, None where there are none.
    """

    conversation_id: int
    prev_hash: bytes
    hash: bytes
    commitment: bytes
    ended_at: int
    interaction_id: int
    link: int
    pieces: int
    status: bytes
    salt: bytes | None
    detail: bytes | None
    preview: bytes | None
    number: int | None
    data: bytes | None
    more: tuple[Piece, ...] | None = None


Link: TypeAlias = EntryRow | EndRow


def time_of(link: Link) -> int:
    """When a link was added, microseconds since 1970 UTC."""
    return link.created_at if isinstance(link, EntryRow) else link.ended_at


class HeadRow(NamedTuple):
    """The newest link of a conversation."""

    conversation_id: int
    link: int
    hash: bytes


class LooseRow(NamedTuple):
    """Something that stands beside the links and should not stand so."""

    conversation_id: int
    interaction_id: int
    what: str


class RequestRow(NamedTuple):
    """One call of a model; from `attempt` to `task_version` what its hash in a head covers, by name.

    Attributes:
        params, plan: JSON as it is stored.
        body: None where its bytes are gone, or were not asked for.
    """

    conversation_id: int
    attempt: int
    base_url: str
    body_sha256: str
    id: int
    model: str
    node_id: int
    params: str
    plan: str
    provider: str
    sent_at: int
    task: str
    task_version: str
    body: bytes | None


class SnapshotRow(NamedTuple):
    """One snapshot of a ticket.

    Attributes:
        words: None where they are gone.
        erased: the ticket's words were erased lawfully.
    """

    ticket: str
    number: int
    added_at: int
    words: "SnapshotWords | None"
    erased: bool


@dataclass(frozen=True, slots=True)
class SnapshotWords:
    """What a snapshot says.

    Attributes:
        messages: None where one of those stored cannot be read as a message.
        message_digests: as stored beside each message.
        is_dense: the positions of the messages have no gap and each names a message.
    """

    subject: str
    customer: str
    language: str
    digest: str
    messages: tuple[TicketMessage, ...] | None
    message_digests: tuple[str, ...]
    is_dense: bool


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
        """What the engine finds in the file, in references between rows and in the index of the search: sentences."""

    def conversations(self) -> Iterator[ConversationRow]:
        """All conversations, by id."""

    def erasure(self, ticket: str) -> ErasureRow | None:
        """How the words of a ticket were erased, None where they were not."""

    def links(self, conversation_id: int | None = None) -> Iterator[Link]:
        """All links, or those of one conversation, by conversation and link."""

    def heads(self, conversation_id: int | None = None) -> Iterator[HeadRow]:
        """The newest link of each conversation, by conversation."""

    def loose(self) -> Iterator[LooseRow]:
        """What stands beside the links and should not stand so."""

    def requests(self, conversation_id: int | None = None, *, bodies: bool = True) -> Iterator[RequestRow]:
        """All requests, by conversation and id, with the bytes that were sent where they are asked for."""

    def snapshots(self, ticket: str | None = None) -> Iterator[SnapshotRow]:
        """All snapshots, by ticket and number."""

    def sources(self) -> Iterator[SourceRow]:
        """All raw sources."""

    def pending_erasures(self) -> Iterator[str]:
        """The tickets that were erased while something kept their words from leaving the files."""

    def is_alive(self, writer: str) -> bool:
        """Tell whether the writer of an answer that has not ended still runs."""
