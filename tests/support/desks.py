"""Small builders of tickets, records and conversations."""

from collections.abc import Sequence
from dataclasses import dataclass

from storage.interactions import Conversation, Interaction, NewRequest, Node, Status
from storage.sqlite_store import memory_store
from storage.store import Store
from storage.tickets import IncomingTicket, RawSource, Role, TicketMessage

NOON = 1_750_000_000_000_000
"""A fixed time, in microseconds since 1970 UTC."""

A_REQUEST = NewRequest(
    attempt=1,
    task="draft-reply",
    task_version="1",
    provider="openai",
    base_url="https://api.openai.com/v1",
    model="gpt-4.1-mini",
    params={},
    plan={},
    body=b"{}",
)
"""A call of a model; a test replaces what it is about."""


class Clock:
    """A clock that advances by one second each time it is asked."""

    def __init__(self, start: int = NOON) -> None:
        self.now = start

    def __call__(self) -> int:
        self.now += 1_000_000
        return self.now


def a_message(text: str = "Where is my hammock?", *, author: str = "Sophie", source_id: str = "") -> TicketMessage:
    """Return a message of a customer."""
    return TicketMessage(author, Role.CUSTOMER, text, created_at=NOON, source_id=source_id)


def a_ticket(
    ticket_id: str = "T-80005",
    *texts: str,
    subject: str = "Hammock has not arrived",
    customer: str = "Sophie",
    messages: Sequence[TicketMessage] = (),
    language: str = "en",
    status: str = "open",
    created_at: int | None = NOON,
    sources: tuple[RawSource, ...] = (),
) -> IncomingTicket:
    """Return a ticket as an importer would bring it, with a message for each text."""
    words = texts or ("Where is my hammock?",)
    return IncomingTicket(
        id=ticket_id,
        subject=subject,
        customer=customer,
        messages=tuple(messages) or tuple(a_message(text, author=customer) for text in words),
        language=language,
        status=status,
        created_at=created_at,
        sources=sources,
    )


@dataclass(frozen=True, slots=True)
class Desk:
    """A store with one ticket and one conversation on it."""

    store: Store
    conversation: Conversation

    @property
    def id(self) -> int:
        """The conversation's id."""
        return self.conversation.id

    @property
    def agent(self) -> str:
        """The conversation's agent."""
        return self.conversation.agent

    @property
    def root(self) -> int:
        """The root's id."""
        return self.store.nodes(self.id)[0].id

    @property
    def ticket_node(self) -> int:
        """The id of the first ticket node."""
        return self.store.nodes(self.id)[1].id

    def say(self, parent_id: int, text: str = "make it shorter", *, replaces_id: int | None = None) -> Node:
        """Add a message of the agent."""
        return self.store.add_message(self.id, parent_id, self.agent, text, replaces_id=replaces_id)

    def begin(self, parent_id: int, *, replaces_id: int | None = None) -> Node:
        """Begin an answer."""
        return self.store.begin_answer(
            self.id, parent_id, "built-in", meta={"task": "draft-reply"}, replaces_id=replaces_id
        )

    def answer(self, parent_id: int, *pieces: str, status: Status = Status.COMPLETE) -> Node:
        """Add an answer that has ended."""
        node = self.begin(parent_id)
        for piece in pieces or ("Dear Sophie, ", "it is on its way."):
            self.store.add_text(self.id, node.id, piece)
        return self.store.finish(self.id, node.id, status, {})

    def ask(self, parent_id: int, text: str = "make it shorter") -> Node:
        """Add a message of the agent and an answer to it, which is returned."""
        return self.answer(self.say(parent_id, text).id)

    def path(self, node_id: int) -> list[Interaction]:
        """Return the path to a node."""
        return self.store.path(self.id, node_id)


def a_desk(store: Store | None = None, *, agent: str = "camille", ticket: IncomingTicket | None = None) -> Desk:
    """Return a desk with a conversation that holds the root and the ticket; in memory unless a store is given."""
    store = store or memory_store(clock=Clock())
    ticket = ticket or a_ticket()
    store.save_ticket(ticket)
    return Desk(store, store.open_conversation(agent, ticket.id))
