"""The values that make up a conversation, as they are read from the record."""

from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from storage.kinds import kind_named
from storage.origins import Origin
from storage.tickets import Ticket
from storage.values import JsonObject


class Status(StrEnum):
    """How a node's content ended; STREAMING has not ended yet."""

    STREAMING = "streaming"
    COMPLETE = "complete"
    INTERRUPTED = "interrupted"
    LENGTH = "length"
    ERROR = "error"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Conversation:
    """The tree of one (agent, ticket) pair."""

    id: int
    agent: str
    ticket_id: str


_NOTHING: Final[JsonObject] = MappingProxyType({})


class Node(NamedTuple):
    """One external interaction, without its full content: what lists, trees and outlines show.

    A tuple, because a frozen dataclass takes ten times as long to make, and a tree has up to tens of thousands.

    Attributes:
        id: unique in the record.
        seq: dense position in the conversation's log, 1 for the root.
        kind: the name of an external kind (`storage.kinds`).
        depth: 0 for the root.
        n, m: this is sibling n of m, by order of insertion (1 ≤ n ≤ m).
        author: the agent's name, the customer's name, or what answered ("gpt-4.1-mini", "built-in").
        created_at: microseconds since 1970 UTC; for display only.
        replaces_id: the sibling that this one was made instead of, by edit or ask again.
        preview: the first characters of the content (at most 200), line breaks kept; of a ticket node, its subject.
        detail: how it ended, for people: {"error": {"kind", "message", "advice"}}, {"finish_reason"}, or empty.
        meta: what the kind needs: {"snapshot": 2} for a ticket, {"task", "task_version", "model"} for an answer.
        erased: its words were erased: the preview says when, by whom and why; author, detail and meta are empty, but
            for a ticket's snapshot.
        label: what the agent called it, on one line; "" for none.
    """

    id: int
    conversation_id: int
    seq: int
    kind: str
    parent_id: int | None
    depth: int
    n: int
    m: int
    author: str
    created_at: int
    status: Status
    preview: str
    replaces_id: int | None = None
    detail: JsonObject = _NOTHING
    meta: JsonObject = _NOTHING
    erased: bool = False
    label: str = ""


class Interaction(NamedTuple):
    """A node with its whole content; a tuple for the same reason.

    Attributes:
        content: the text as it was shown, or when, by whom and why it was erased; for a ticket node "" (its words are
            in `ticket`).
        ticket: the snapshot that a ticket node stands for, else None.
    """

    node: Node
    content: str
    ticket: Ticket | None = None

    @property
    def id(self) -> int:
        """The node's id."""
        return self.node.id

    @property
    def kind(self) -> str:
        """The node's kind."""
        return self.node.kind

    @property
    def is_external(self) -> bool:
        """It is a node of the tree; an internal one hangs on the node that its parent's id names."""
        return kind_named(self.node.kind).external


@dataclass(frozen=True, slots=True)
class ShownTree:
    """A conversation's tree with the branch that is shown, all of one state of the record.

    Attributes:
        head: the highest seq of the log.
        nodes: all of the tree, in insertion order.
        branch: the path to a leaf, each node followed by the internal interactions that hang on it.
        judged: the internal interactions on each answer off that branch that a gate failed once.
    """

    head: int
    nodes: tuple[Node, ...]
    branch: tuple[Interaction, ...]
    judged: tuple[Interaction, ...]


@dataclass(frozen=True, slots=True)
class IncomingNode:
    """A node as it is read from elsewhere, before it is in the record; its place is told by positions in its list.

    Attributes:
        kind: the name of a kind other than the root. One of an internal kind hangs on its parent and is nobody's.
        parent: position of an earlier node, None for below the root.
        author: of an agent's message may be empty; then it is the agent whose conversation takes it in.
        text: empty for a ticket node, whose words are the snapshot's that `meta` names by number and digest.
        status: how the content ended; not STREAMING.
        created_at: microseconds since 1970 UTC, None where the source names no time.
        replaces: position of an earlier sibling.
        source_id: the node's own id where it comes from.
        origin: where it was added first; None where its chat's and its own id tell that.
    """

    kind: str
    parent: int | None
    author: str
    text: str = ""
    status: Status = Status.COMPLETE
    created_at: int | None = None
    replaces: int | None = None
    source_id: str = ""
    detail: JsonObject = field(default_factory=dict)
    meta: JsonObject = field(default_factory=dict)
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in an agent's composer for one ticket; kept as it is typed, so that it is never lost.

    Attributes:
        target_id: the node that is being edited (`edits`) or followed up; None means the chosen leaf.
        edits: sending makes a sibling of `target_id` instead of a child.
    """

    text: str
    target_id: int | None = None
    edits: bool = False


@dataclass(frozen=True, slots=True)
class NewRequest:
    """One call of a model, as it is about to go out.

    Attributes:
        attempt: 1 for the first of an answer; each visible retry is a row of its own.
        task, task_version: what is asked for, by whose words.
        provider, base_url, model: who is asked.
        params: what stands in the body beside the messages.
        plan: the plan's JSON: kept, cut and summarised ids with their counts.
        body: the exact bytes, taken at the HTTP transport.
    """

    attempt: int
    task: str
    task_version: str
    provider: str
    base_url: str
    model: str
    params: JsonObject
    plan: JsonObject
    body: bytes


@dataclass(frozen=True, slots=True)
class SentRequest:
    """One call of a model, as it went out: what a `NewRequest` says, and what came of it.

    Attributes:
        node_id: the answer it was made for.
        body: None once it was erased.
        body_sha256: hex digest of `body`.
        sent_at: microseconds since 1970 UTC.
        response: raw bytes as received, None while under way or when none came.
        status_code: HTTP status, None when no answer came (or no HTTP was used).
        usage: the provider's own figures, {} when it gave none.
        latency_ms: from sending to the end of the answer.
        error: one sentence, "" when it succeeded.
    """

    id: int
    node_id: int
    attempt: int
    task: str
    task_version: str
    provider: str
    base_url: str
    model: str
    params: JsonObject
    plan: JsonObject
    body: bytes | None
    body_sha256: str
    sent_at: int
    response: bytes | None = None
    status_code: int | None = None
    usage: JsonObject = field(default_factory=dict)
    latency_ms: int | None = None
    error: str = ""
