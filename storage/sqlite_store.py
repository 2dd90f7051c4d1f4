"""The record in SQLite, on a file or in memory."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from sqlite_utils import Database

from storage.audit.rows import RecordRows
from storage.chats import IncomingChat, SavedChat
from storage.endings import Erasure, Hold, Lifecycle
from storage.errors import NotFoundError, StorageError
from storage.interactions import Conversation, Draft, IncomingNode, Interaction, Node, SentRequest, Status
from storage.kinds import InteractionKind
from storage.search.hit import Hit
from storage.sqlite import (
    branches,
    chats,
    closing,
    conversations,
    erasing,
    erasures,
    labels,
    nodes,
    requests,
    saving,
    searching,
    tickets,
    views,
)
from storage.sqlite.audit_rows import SqliteRows, set_for_audits
from storage.sqlite.engine import Engine, FileEngine, MemoryEngine
from storage.tickets import IncomingTicket, SaveOutcome, Ticket, TicketSummary
from storage.values import Json, JsonObject

T = TypeVar("T")

WAIT_SECONDS: Final = 15.0

CONTENTS_AT_ONCE: Final = 200
"""How many contents are in memory while a whole tree is read."""


def clock_us() -> int:
    """Return the time in microseconds since 1970 UTC."""
    return time.time_ns() // 1000


def open_store(path: Path, *, wait_seconds: float = WAIT_SECONDS, clock: Callable[[], int] = clock_us) -> "SqliteStore":
    """Open the record in a file, made where there is none.

    Raises:
        UnreadableError: the file is no record, or from a newer Ticketree.
        UnwritableError: the file or its folder cannot be written.
        LockedError: another process kept it busy for `wait_seconds`.
    """
    return SqliteStore(FileEngine(path.resolve(), wait_seconds), clock)


def memory_store(*, clock: Callable[[], int] = clock_us) -> "SqliteStore":
    """Return a new record in memory, gone when it is closed."""
    return SqliteStore(MemoryEngine(), clock)


class SqliteStore:
    """The store of `storage.store.Store`; what each method promises stands there."""

    def __init__(self, engine: Engine, clock: Callable[[], int]) -> None:
        self._engine = engine
        self._clock = clock

    def close(self) -> None:
        """Finish pending writes and release the file."""
        self._engine.close()

    def save_ticket(self, ticket: IncomingTicket) -> SaveOutcome:
        """Add a ticket, a snapshot of it, or its new status."""
        return self._write(lambda db, now: saving.save(db, ticket, now))

    def ticket(self, ticket_id: str, snapshot: int | None = None) -> Ticket:
        """Return one snapshot, by default the newest."""
        return self._read(lambda db: tickets.snapshot(db, ticket_id, snapshot))

    def tickets(self, agent: str, *, status: str | None = None) -> list[TicketSummary]:
        """List the tickets as this agent sees them."""
        return self._read(lambda db: tickets.summaries(db, agent, status))

    def sources(self, ticket_id: str) -> list[tuple[str, str, bytes]]:
        """Return name, format and bytes of everything that the ticket was read from."""
        return self._read(lambda db: tickets.sources(db, ticket_id))

    def close_ticket(self, ticket_id: str, who: str) -> bool:
        """Close a ticket."""
        return self._write(lambda db, now: closing.set_closed(db, ticket_id, who, now, closed=True))

    def reopen_ticket(self, ticket_id: str, who: str) -> bool:
        """Open a closed ticket again."""
        return self._write(lambda db, now: closing.set_closed(db, ticket_id, who, now, closed=False))

    def hold_ticket(self, ticket_id: str, who: str, reason: str) -> None:
        """Put a legal hold on a ticket."""
        self._write(lambda db, now: closing.set_hold(db, ticket_id, who, reason, now, held=True))

    def release_ticket(self, ticket_id: str, who: str, reason: str) -> None:
        """Release the legal hold on a ticket."""
        self._write(lambda db, now: closing.set_hold(db, ticket_id, who, reason, now, held=False))

    def holds(self) -> list[Hold]:
        """Return the legal holds that are not released."""
        return self._read(closing.holds)

    def lifecycles(self) -> list[Lifecycle]:
        """Return how each ticket that is not erased came to its status."""
        return self._read(closing.lifecycles)

    def erase(self, ticket_id: str, who: str, reason: str) -> Erasure:
        """Erase the words of a ticket and of every agent's conversation on it."""

        def work(db: Database, now: int) -> Erasure:
            conversations.close_crashed(db, self._engine.is_alive, now)
            return erasing.erase(db, ticket_id, who, reason, now)

        erasure = self._write(work)
        return replace(erasure, pending=self._finish())

    def erasures(self) -> list[Erasure]:
        """Return all erasures."""
        return self._read(erasures.erasures)

    def finish_erasures(self) -> list[Erasure]:
        """Remove the traces that pending erasures left in the files."""
        pending = self._read(erasures.pending)
        if not pending:
            return []
        left = self._finish()
        return [replace(erasure, pending=left) for erasure in pending.values()]

    def _finish(self) -> str:
        """Scrub the files for all pending erasures; return why traces may be left, "" where none are."""
        keys = list(self._read(erasures.pending))
        try:
            if not self._engine.scrub():
                return erasures.READ_ELSEWHERE
        except StorageError as error:
            return f"{error} {erasures.PENDING}"
        self._write(lambda db, now: erasing.mark_done(db, keys, now))
        return ""

    def conversation(self, agent: str, ticket_id: str) -> Conversation:
        """Return the pair's conversation."""
        found = self._read(lambda db: conversations.find(db, agent, ticket_id))
        if found is None:
            raise NotFoundError(f"{agent} has no conversation on ticket {ticket_id}.")
        return found

    def open_conversation(self, agent: str, ticket_id: str) -> Conversation:
        """Return the pair's conversation, made where there is none yet."""
        found = self._read(lambda db: conversations.find(db, agent, ticket_id))
        return found or self._write(lambda db, now: conversations.open_pair(db, agent, ticket_id, now))

    def add_snapshot(self, conversation_id: int, parent_id: int, snapshot: int) -> Node:
        """Let a newer snapshot of the ticket enter below a node, and choose it."""
        return self._add_node(
            conversation_id, lambda db, now: conversations.add_snapshot(db, conversation_id, parent_id, snapshot, now)
        )

    def locate(self, agent: str, node_id: int) -> Conversation:
        """Return the conversation of this agent that holds the node."""
        return self._read(lambda db: conversations.locate(db, agent, node_id))

    def nodes(self, conversation_id: int) -> list[Node]:
        """Return all nodes in insertion order."""
        return self._read(lambda db: nodes.all_nodes(db, conversation_id))

    def node(self, conversation_id: int, node_id: int) -> Node:
        """Return one node."""
        return self._read(lambda db: nodes.one_node(db, conversation_id, node_id))

    def path(self, conversation_id: int, node_id: int) -> list[Interaction]:
        """Return the interactions from the root to this node."""
        return self._read(lambda db: nodes.path(db, conversation_id, node_id))

    def contents(self, conversation_id: int) -> Iterator[Interaction]:
        """Return all interactions of the tree in insertion order, read a few at a time."""
        return self._in_batches(conversation_id, self.nodes(conversation_id))

    def head(self, conversation_id: int) -> int:
        """Return the highest seq."""
        return self._read(lambda db: nodes.head(db, conversation_id))

    def add_message(
        self, conversation_id: int, parent_id: int, author: str, text: str, *, replaces_id: int | None = None
    ) -> Node:
        """Add what the agent wrote below a node and choose it."""
        return self._add_node(
            conversation_id,
            lambda db, now: conversations.add_message(db, conversation_id, parent_id, author, text, replaces_id, now),
        )

    def add_branch(self, conversation_id: int, nodes: Sequence[IncomingNode]) -> list[int]:
        """Add nodes from elsewhere below the root, all or none."""

        def work(db: Database, now: int) -> list[int]:
            conversations.settle(db, conversation_id, self._engine.is_alive, now)
            return branches.add_branch(db, conversation_id, nodes, now)

        return self._write(work)

    def save_chat(self, agent: str, chat: IncomingChat, ticket_id: str | None = None) -> SavedChat:
        """Add what is new of a chat to this agent's conversation on a ticket."""
        return self._write(lambda db, now: chats.save(db, agent, chat, ticket_id, self._engine.is_alive, now))

    def compare_chat(self, agent: str, chat: IncomingChat, ticket_id: str | None = None) -> SavedChat:
        """Say what saving a chat would do."""
        return self._read(lambda db: chats.compare(db, agent, chat, ticket_id))

    def begin_answer(
        self,
        conversation_id: int,
        parent_id: int,
        author: str,
        *,
        meta: JsonObject,
        replaces_id: int | None = None,
    ) -> Node:
        """Add an answer that is about to be written, and choose it."""
        return self._add_node(
            conversation_id,
            lambda db, now: conversations.begin_answer(
                db, conversation_id, parent_id, author, meta, replaces_id, self._engine.mark(), now
            ),
        )

    def add_text(self, conversation_id: int, node_id: int, text: str) -> None:
        """Append a piece to an answer that has not ended."""
        self._write(lambda db, now: conversations.add_text(db, conversation_id, node_id, text))

    def finish(self, conversation_id: int, node_id: int, status: Status, detail: JsonObject) -> Node:
        """End an answer, exactly once."""

        def work(db: Database, now: int) -> Node:
            conversations.finish(db, conversation_id, node_id, status, detail, now)
            return nodes.one_node(db, conversation_id, node_id)

        return self._write(work)

    def close_crashed(self) -> list[Node]:
        """Close as crashed every answer whose writer is gone."""
        if not self._read(conversations.open_answers):
            return []
        return self._write(lambda db, now: conversations.close_crashed(db, self._engine.is_alive, now))

    def select(self, conversation_id: int, node_id: int) -> None:
        """Choose a node as the leaf that is shown."""
        if self.selected(conversation_id) != node_id:
            self._write(lambda db, now: views.select(db, conversation_id, node_id, now))

    def selected(self, conversation_id: int) -> int:
        """Return the node chosen last."""
        return self._read(lambda db: views.selected(db, conversation_id))

    def last_choice_below(self, conversation_id: int, node_id: int) -> int:
        """Return the leaf to show when the agent goes to this node."""
        return self._read(lambda db: views.last_choice_below(db, conversation_id, node_id))

    def set_label(self, conversation_id: int, node_id: int, label: str) -> None:
        """Label a node; the earlier labels stay in the log."""
        self._write(lambda db, now: labels.set_label(db, conversation_id, node_id, label, now))

    def draft(self, agent: str, ticket_id: str) -> Draft:
        """Return what stands in the composer."""
        return self._read(lambda db: views.draft(db, agent, ticket_id))

    def save_draft(self, agent: str, ticket_id: str, draft: Draft) -> None:
        """Keep what stands in the composer."""
        self._write(lambda db, now: views.save_draft(db, agent, ticket_id, draft, now))

    def settings(self, conversation_id: int) -> dict[str, Json]:
        """Return the last value of each setting."""
        return self._read(lambda db: views.settings(db, conversation_id))

    def set_setting(self, conversation_id: int, name: str, value: Json) -> None:
        """Set one; the earlier values stay in the log."""
        self._write(lambda db, now: views.set_setting(db, conversation_id, name, value, now))

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
        """Find words in this agent's conversations and in the tickets, newest first."""
        return self._read(
            lambda db: searching.search(
                db,
                agent,
                query,
                ticket_id=ticket_id,
                fts=fts,
                unfinished=unfinished,
                limit=limit,
                before=before,
            )
        )

    def record_request(
        self,
        conversation_id: int,
        node_id: int,
        *,
        attempt: int,
        task: str,
        task_version: str,
        provider: str,
        base_url: str,
        model: str,
        params: JsonObject,
        plan: JsonObject,
        body: bytes,
    ) -> int:
        """Record what is about to be sent, before it is."""
        return self._write(
            lambda db, now: requests.record_request(
                db,
                conversation_id,
                node_id,
                now,
                attempt=attempt,
                task=task,
                task_version=task_version,
                provider=provider,
                base_url=base_url,
                model=model,
                params=params,
                plan=plan,
                body=body,
            )
        )

    def record_response(
        self,
        conversation_id: int,
        request_id: int,
        *,
        response: bytes | None,
        status_code: int | None,
        usage: JsonObject,
        latency_ms: int,
        error: str = "",
    ) -> None:
        """Record what came back, exactly once a request."""
        self._write(
            lambda db, now: requests.record_response(
                db,
                conversation_id,
                request_id,
                now,
                response=response,
                status_code=status_code,
                usage=usage,
                latency_ms=latency_ms,
                error=error,
            )
        )

    def requests(self, conversation_id: int, node_id: int) -> Sequence[SentRequest]:
        """Return the calls made for one answer, oldest first."""
        return self._read(lambda db: requests.requests(db, conversation_id, node_id))

    def add_internal(
        self, conversation_id: int, parent_id: int, kind: InteractionKind, author: str, *, text: str, meta: JsonObject
    ) -> int:
        """Hang an internal interaction on a node; returns its id."""
        return self._write(
            lambda db, now: conversations.add_internal(db, conversation_id, parent_id, kind, author, text, meta, now)
        )

    def audited(self, audit: Callable[[RecordRows], T]) -> T:
        """Let an audit read the rows as they are stored."""

        def work(db: Database) -> T:
            with set_for_audits(db):
                return audit(SqliteRows(db, self._engine.lives))

        return self._read(work)

    def _in_batches(self, conversation_id: int, tree: Sequence[Node]) -> Iterator[Interaction]:
        for start in range(0, len(tree), CONTENTS_AT_ONCE):
            batch = tree[start : start + CONTENTS_AT_ONCE]
            yield from self._read(partial(nodes.with_contents, conversation_id=conversation_id, nodes=batch))

    def _read(self, work: Callable[[Database], T]) -> T:
        return self._engine.read(work)

    def _write(self, work: Callable[[Database, int], T]) -> T:
        return self._engine.write(lambda db: work(db, self._clock()))

    def _add_node(self, conversation_id: int, add: Callable[[Database, int], int]) -> Node:
        def work(db: Database, now: int) -> Node:
            conversations.settle(db, conversation_id, self._engine.is_alive, now)
            return nodes.one_node(db, conversation_id, add(db, now))

        return self._write(work)
