"""What the record holds of one (agent, ticket) pair, read anew each time: what is planned and shown."""

from dataclasses import dataclass

from assistant.plan.newer_ticket import newer_ticket, taking_in, unrecorded, unrecorded_ticket
from storage.attachments.states import end_abandoned
from storage.errors import NotFoundError
from storage.interactions import Conversation, Interaction
from storage.kinds import ROOT
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
        return newer_ticket(self.path, self.ticket) is not None

    @property
    def planned_on(self) -> tuple[Interaction, ...]:
        """What the next request is planned on: the path, and a newer snapshot of the ticket, which asking takes in."""
        return taking_in(self.path, self.ticket)


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
    return (Interaction(unrecorded(ROOT.name, 0, ""), ""), unrecorded_ticket(ticket, 1))
