"""Conversations: finding and opening them, and what enters them from outside."""

from collections.abc import Sequence

from sqlite_utils import Database

from storage.chats import IncomingChat, SavedChat
from storage.errors import NotFoundError
from storage.interactions import Conversation, IncomingNode, Node
from storage.sqlite import branches, chats, conversations
from storage.sqlite.capabilities.part import Part


class Conversations(Part):
    """Opening the conversation of a pair; snapshots, branches and chats that come into it."""

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

    def locate(self, agent: str, node_id: int) -> Conversation:
        """Return the conversation of this agent that holds the node."""
        return self._read(lambda db: conversations.locate(db, agent, node_id))

    def add_snapshot(self, conversation_id: int, parent_id: int, snapshot: int) -> Node:
        """Let a newer snapshot of the ticket enter below a node, and choose it."""
        return self._add_node(
            conversation_id, lambda db, now: conversations.add_snapshot(db, conversation_id, parent_id, snapshot, now)
        )

    def add_branch(self, conversation_id: int, nodes: Sequence[IncomingNode]) -> list[int]:
        """Add nodes from elsewhere below the root, all or none."""

        def work(db: Database, now: int) -> list[int]:
            conversations.settle(db, conversation_id, self._engine.is_alive, now)
            return branches.add_branch(db, conversation_id, nodes, now)

        return self._write(work)

    def save_chat(self, agent: str, chat: IncomingChat, ticket_id: str | None = None) -> SavedChat:
        """Add what is new of a chat to this agent's conversation on a ticket."""
        return self._write(
            lambda db, now: chats.save(db, agent, chat, ticket_id, self._engine.is_alive, now, self.closed_means)
        )

    def compare_chat(self, agent: str, chat: IncomingChat, ticket_id: str | None = None) -> SavedChat:
        """Say what saving a chat would do."""
        return self._read(lambda db: chats.compare(db, agent, chat, ticket_id, self.closed_means))
