"""What every engine that keeps the record must do; one set of contract tests holds for all."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from storage.answer_log import AnswerLog
from storage.audit.rows import RecordRows
from storage.chats import IncomingChat, SavedChat
from storage.closed_means import ClosedMeans
from storage.interactions import Conversation, Draft, IncomingNode, Interaction, Node, ShownTree, Status
from storage.kinds import InteractionKind
from storage.lifecycles import Lifecycles
from storage.measures import ModelFacts
from storage.model_calls import ModelCalls
from storage.origins import Origin
from storage.search.hit import Hit
from storage.search.renewal import Renewal
from storage.task_versions import TaskVersions
from storage.tickets import IncomingTicket, SaveOutcome, Ticket, TicketSummary
from storage.values import Json, JsonObject

T = TypeVar("T")


class Store(ModelCalls, AnswerLog, ModelFacts, TaskVersions, Lifecycles, Protocol):
    """The record.

    All methods are synchronous, may be called from any thread, and block until the result is durable. A conversation
    id is only got from `conversation`, `open_conversation` or `locate`, which take the agent; a node of another
    conversation is `NotFoundError`, as if it did not exist. Errors are those of `storage.errors`.
    """

    def close(self) -> None:
        """Finish pending writes and release the file; calling it twice is harmless."""

    # tickets

    @property
    def closed_means(self) -> ClosedMeans:
        """Which statuses of sources mean that a ticket is closed."""

    def save_ticket(self, ticket: IncomingTicket) -> SaveOutcome:
        """Add a ticket, or a new snapshot where its words changed; the same ticket again changes nothing.

        An incoming ticket whose messages are all known already (a part of what is stored) is unchanged, and a thread
        that brings new messages makes a snapshot of the known ones followed by the new ones. A status counts where it
        is another than the one that a source named last; but a source that goes on saying closed, in whatever word,
        does not undo that an agent reopened the ticket. Words of the customer from after the closing open the ticket,
        unless the source that brings them calls it closed.
        """

    def ticket(self, ticket_id: str, snapshot: int | None = None) -> Ticket:
        """Return one snapshot, by default the newest."""

    def tickets(self, agent: str, *, status: str | None = None) -> list[TicketSummary]:
        """List the tickets as this agent sees them, newest first by creation, ties by id.

        A status lists the tickets that have it; "closed" also those whose source says that in another word.
        """

    def sources(self, ticket_id: str) -> list[tuple[str, str, bytes]]:
        """Return (name, format, raw bytes) of everything that the ticket was read from."""

    # conversations

    def conversation(self, agent: str, ticket_id: str) -> Conversation:
        """Return the pair's conversation.

        Raises:
            NotFoundError: no such ticket, or this agent has no conversation on it.
        """

    def open_conversation(self, agent: str, ticket_id: str) -> Conversation:
        """Return the pair's conversation, made with its root and first ticket node where there is none yet."""

    def add_snapshot(self, conversation_id: int, parent_id: int, snapshot: int) -> Node:
        """Let a newer snapshot of the ticket enter below a node, as a new ticket node."""

    def locate(self, agent: str, node_id: int) -> Conversation:
        """Return the conversation of this agent that holds the node; NotFoundError when none of theirs does."""

    # the tree

    def nodes(self, conversation_id: int) -> list[Node]:
        """All nodes in insertion order, with previews instead of contents."""

    def node(self, conversation_id: int, node_id: int) -> Node:
        """One node."""

    def path(self, conversation_id: int, node_id: int) -> list[Interaction]:
        """The interactions from the root to this node, with their contents."""

    def branch(self, conversation_id: int, node_id: int) -> list[Interaction]:
        """The path to this node, each node followed by the internal interactions that hang on it, as they were added.

        What hangs on another branch's nodes is never among them. An internal interaction is sibling 1 of 1.
        """

    def shown(self, conversation_id: int, through: int | None = None) -> ShownTree:
        """The tree, and the branch to the node chosen last; what a screen needs, in one read.

        A branch that does not lead `through` this node is left for the one to the last choice below it. None, or a node
        that the tree does not have, asks for nothing.
        """

    def contents(self, conversation_id: int, *, hanging: bool = False) -> Iterator[Interaction]:
        """All interactions of the tree in insertion order, read a few at a time; those added meanwhile are left out.

        With `hanging`, each is followed by the internal interactions that hang on it, as they were added.
        """

    def origins(self, conversation_id: int) -> dict[int, Origin]:
        """Where each interaction was added first, here or on another desk, by its id."""

    def head(self, conversation_id: int) -> int:
        """The highest seq, which changes whenever anything is added."""

    def add_message(
        self, conversation_id: int, parent_id: int, author: str, text: str, *, replaces_id: int | None = None
    ) -> Node:
        """Add what the agent wrote below a node and choose it.

        Raises:
            TurnRunningError: an answer is still being written in this conversation.
        """

    def add_branch(self, conversation_id: int, nodes: Sequence[IncomingNode]) -> list[int]:
        """Add nodes from elsewhere below the root, all or none, without choosing any; returns their ids.

        Raises:
            RefusedError: a ticket node names no snapshot of the conversation's ticket.
            TurnRunningError: an answer is still being written in this conversation.
        """

    def save_chat(self, agent: str, chat: IncomingChat, ticket_id: str | None = None) -> SavedChat:
        """Add what is new of a chat to this agent's conversation on a ticket, below its root; all or none.

        Without a ticket it goes where the agent has it already, else to a ticket made for it. A node that is known,
        because it came in before or was written here, changes nothing; a text that is another than before becomes a
        sibling. A ticket node for the same words at the same place is the one that there is. With a newer version of a
        ticket, what its source said of the status counts as in `save_ticket`. The chat's current node
        is chosen when the chat is new, and later where it continues the path that is shown.

        Raises:
            NotFoundError: no such ticket.
            ErasedError: the words of the ticket were erased.
            ExportError: the chat brings versions of the ticket, and the record holds it with other words.
            RefusedError: what is to be added cannot be a node.
            TurnRunningError: an answer is still being written in this conversation.
        """

    def compare_chat(self, agent: str, chat: IncomingChat, ticket_id: str | None = None) -> SavedChat:
        """Say what saving a chat would do; writes nothing.

        Raises:
            NotFoundError: no such ticket.
            ErasedError: the words of the ticket were erased.
            ExportError: the chat brings versions of the ticket, and the record holds it with other words.
        """

    def begin_answer(
        self,
        conversation_id: int,
        parent_id: int,
        author: str,
        *,
        meta: JsonObject,
        replaces_id: int | None = None,
    ) -> Node:
        """Add an answer that is about to be written, and choose it. Its content follows by `add_text`.

        Raises:
            TurnRunningError: an answer is still being written in this conversation.
        """

    def add_text(self, conversation_id: int, node_id: int, text: str) -> None:
        """Append a piece to an answer that has not ended; written before it is painted."""

    def finish(self, conversation_id: int, node_id: int, status: Status, detail: JsonObject) -> Node:
        """End an answer, exactly once."""

    def close_crashed(self) -> list[Node]:
        """Close as crashed every answer whose writer is gone; their text is kept. Called at start."""

    # the view

    def select(self, conversation_id: int, node_id: int) -> None:
        """Choose a node as the leaf that is shown; a log of its own, the tree is not touched."""

    def selected(self, conversation_id: int) -> int:
        """The node chosen last."""

    def last_choice_below(self, conversation_id: int, node_id: int) -> int:
        """The leaf to show when the agent goes to this node: the one chosen last below it, else the newest below it."""

    # what the agent types and sets

    def set_label(self, conversation_id: int, node_id: int, label: str) -> None:
        """Label a node for the agent's own eyes; an empty label takes it off. It is never sent to a model.

        Line breaks become blanks. The earlier labels stay in the log.

        Raises:
            RefusedError: the label is longer than `storage.text.LABEL_LENGTH`.
            ErasedError: the words of the ticket were erased.
        """

    def draft(self, agent: str, ticket_id: str) -> Draft:
        """What stands in the composer; an empty draft where there is none."""

    def save_draft(self, agent: str, ticket_id: str, draft: Draft) -> None:
        """Keep what stands in the composer."""

    def settings(self, conversation_id: int) -> dict[str, Json]:
        """The settings of a conversation by name (strategy, budget, notes, …); the last value of each."""

    def set_setting(self, conversation_id: int, name: str, value: Json) -> None:
        """Set one; the earlier values stay in the log."""

    # finding

    def search(
        self,
        agent: str,
        query: str,
        *,
        ticket_id: str | None = None,
        fts: bool = False,
        unfinished: bool = False,
        limit: int = 20,
        before: int | None = None,
    ) -> list[Hit]:
        """Find words in this agent's conversations and in the tickets, what became findable last first.

        The query is taken literally: all that stands between two blanks must occur, case, accents and punctuation
        aside. With `unfinished` its last word may be the beginning of one, for a query that is still being typed; with
        `fts` it is an expression of AND, OR, NOT, NEAR, brackets, "phrases" and word*. With `ticket_id` one ticket and
        the agent's conversation on it are searched alone. `before` is the id of the last hit of the page before. An
        answer is found once it has ended, and what was erased is not. A node is found by its words and by the label
        that it has now, and is one hit where both match: the label.

        Raises:
            QueryError: the query holds no word or very many, or is an expression that cannot be read.
            NotFoundError: no such ticket.
        """

    def reindex(self) -> Renewal:
        """Write the index of the search anew: its entries stay, and what is missing is added from the record."""

    # internal interactions

    def add_internal(
        self, conversation_id: int, parent_id: int, kind: InteractionKind, author: str, *, text: str, meta: JsonObject
    ) -> int:
        """Hang an internal interaction on a node; returns its id. It never becomes a node of the tree."""

    def mark(self) -> str:
        """This store's mark, for an interaction that announces work: others can tell by it whether we still run."""

    def lives(self, mark: str) -> bool:
        """Whether the store of a mark still runs, here or in another process; a text that is no mark has none."""

    # audits

    def audited(self, audit: Callable[[RecordRows], T]) -> T:
        """Let an audit read the rows as they are stored, of all agents, at one state of the record."""
