"""A conversation of many turns in a record, for tests of what is left out and summarised."""

from collections.abc import Sequence

from turn_desk import AGENT

from storage.interactions import Conversation, Status
from storage.store import Store
from storage.tickets import IncomingTicket, Role, TicketMessage


def talk(store: Store, turns: int, *, tokens: int = 100, ticket_id: str = "T-1") -> tuple[Conversation, list[int]]:
    """A ticket and so many turns after its own, each answer of about so many tokens by the estimate.

    Returns the conversation and the ids of the answers, oldest first.
    """
    message = TicketMessage("Sophie", Role.CUSTOMER, "Bonjour, mon hamac n'est pas arrivé.")
    store.save_ticket(IncomingTicket(ticket_id, "Hamac", "Sophie", (message,), language="fr"))
    conversation = store.open_conversation(AGENT, ticket_id)
    return conversation, add_turns(store, conversation, range(1, turns + 1), tokens=tokens)


def add_turns(
    store: Store, conversation: Conversation, numbers: Sequence[int], *, tokens: int = 100, at_id: int | None = None
) -> list[int]:
    """Add turns below a node, by default below the chosen one."""
    parent_id = store.selected(conversation.id) if at_id is None else at_id
    answers = []
    for number in numbers:
        asked = store.add_message(conversation.id, parent_id, AGENT, f"wish {number}: refund {number},50 € please")
        answer = store.begin_answer(conversation.id, asked.id, "model", meta={})
        store.add_text(conversation.id, answer.id, f"Draft {number}. " + "abc " * (tokens - 3))
        parent_id = store.finish(conversation.id, answer.id, Status.COMPLETE, {"finish_reason": "stop"}).id
        answers.append(parent_id)
    return answers
