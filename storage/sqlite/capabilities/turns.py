"""What a turn adds to the tree: a message, an answer in pieces, and the internal interactions on them."""

from sqlite_utils import Database

from storage.interactions import Node, Status
from storage.kinds import InteractionKind
from storage.sqlite import conversations, nodes
from storage.sqlite.capabilities.part import Part
from storage.values import JsonObject


class Turns(Part):
    """Adding messages, answers and internal interactions."""

    def add_message(
        self, conversation_id: int, parent_id: int, author: str, text: str, *, replaces_id: int | None = None
    ) -> Node:
        """Add what the agent wrote below a node and choose it."""
        return self._add_node(
            conversation_id,
            lambda db, now: conversations.add_message(db, conversation_id, parent_id, author, text, replaces_id, now),
        )

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

    def mark(self) -> str:
        """Return this store's mark, by which others can tell whether it still runs."""
        return self._write(lambda db, now: self._engine.mark())

    def lives(self, mark: str) -> bool:
        """Tell whether the store of a mark still runs."""
        return self._engine.lives(mark)

    def add_internal(
        self, conversation_id: int, parent_id: int, kind: InteractionKind, author: str, *, text: str, meta: JsonObject
    ) -> int:
        """Hang an internal interaction on a node; returns its id."""
        return self._write(
            lambda db, now: conversations.add_internal(db, conversation_id, parent_id, kind, author, text, meta, now)
        )
