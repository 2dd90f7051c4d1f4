"""What the record holds of one (agent, ticket) pair, read anew each time: what is planned and shown."""

from dataclasses import dataclass

from storage.attachments.states import end_abandoned
from storage.errors import NotFoundError
from storage.interactions import Conversation, Interaction, Node, Status
from storage.kinds import ROOT, TICKET
from storage.store import Store
from storage.tickets import Ticket


@dataclass(frozen=True, slots=True)
class Projection:
    """One path of a conversation, at one moment.

    Attributes:
        conversation: None while the agent has not begun one on this ticket.
        ticket: its newest snapshot, which may be newer than those on the path.
        path: from the root to the leaf, each node followed by the internal interactions on it. Before the conversation
            has begun it is what the first step would make it, a root and the ticket's newest snapshot, both with the
            id 0, which no node in the record has.
        leaf_id: the last node of the path; None before the conversation has begun.
        head: the highest seq of the conversation before the path was read; 0 before it has begun.
    """

    conversation: Conversation | None
    ticket: Ticket
    path: tuple[Interaction, ...]
    leaf_id: int | None
    head: int

    @property
    def has_newer_ticket(self) -> bool:
        """The ticket has a newer snapshot than those on the path; a path without any, such as an import, has none."""
        on_path = [interaction.ticket.snapshot for interaction in self.path if interaction.ticket is not None]
        return bool(on_path) and self.ticket.snapshot > max(on_path)


def project(store: Store, agent: str, ticket_id: str, at: int | None = None) -> Projection:
    """Read the path to a node of the pair's conversation, by default to the chosen leaf.

    Nothing is written, but that attachments which nobody reads any more have failed.

    Raises:
        NotFoundError: no such ticket, or no node `at` in this agent's conversation on it.
    """
    ticket = store.ticket(ticket_id)
    try:
        conversation = store.conversation(agent, ticket_id)
    except NotFoundError:
        if at is not None:
            raise
        return Projection(None, ticket, _first_path(ticket), leaf_id=None, head=0)
    head = store.head(conversation.id)
    leaf_id = store.selected(conversation.id) if at is None else at
    path = store.branch(conversation.id, leaf_id)
    if end_abandoned(store, conversation, path):
        head = store.head(conversation.id)
        path = store.branch(conversation.id, leaf_id)
    return Projection(conversation, ticket, tuple(path), leaf_id, head)


def _first_path(ticket: Ticket) -> tuple[Interaction, ...]:
    """The path that a conversation on this ticket begins with."""
    return (
        Interaction(_unrecorded(ROOT.name, 0, ""), ""),
        Interaction(_unrecorded(TICKET.name, 1, ticket.customer), "", ticket),
    )


def _unrecorded(kind: str, depth: int, author: str) -> Node:
    return Node(
        id=0,
        conversation_id=0,
        seq=0,
        kind=kind,
        parent_id=None,
        depth=depth,
        n=1,
        m=1,
        author=author,
        created_at=0,
        status=Status.COMPLETE,
        preview="",
    )
