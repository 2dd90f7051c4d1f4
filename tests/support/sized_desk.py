"""A conversation with a server that counts in its own way, asked as the app asks: sized, planned, sent."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from typing import Final

from turn_desk import AGENT, TASK, collected, ended

from assistant.plan.plan import Plan, PlanSettings, StrategyName
from assistant.plan.planner import make_plan
from assistant.plan.settings import with_sizing
from assistant.provider.model_settings import ModelSettings
from assistant.provider.openai_provider import OpenAIProvider
from assistant.tokens.counters import counter_for
from assistant.tokens.measuring import Measuring
from assistant.tokens.sizing import Limits, Sizing, read_sizing
from assistant.tokens.window_lessons import WindowLessons
from assistant.turn.turns import Turns
from storage.interactions import Conversation, Interaction, Node
from storage.kinds import WARNING
from storage.sqlite_store import memory_store
from storage.store import Store
from storage.tickets import IncomingTicket, Role, TicketMessage

LETTERS: Final = (
    "Bonjour, j'ai commandé un hamac le 3 mars (commande W-1234567) et il n'est toujours pas arrivé. Où est-il ?",
    "Guten Tag, der Wasserkocher riecht nach Plastik, und die Rücksendung wurde abgelehnt. Was soll ich jetzt tun?",
    "Hello, I was charged twice for order 88-4410 on April 2nd; please refund 59.90 EUR to my card as soon as you can.",
    "Buenos días, ¿podrían cambiar la dirección de entrega? Ahora vivo en la calle de Alcalá 15, 28014 Madrid.",
)


@dataclass
class SizedDesk:
    """One conversation, its record and its server."""

    store: Store
    provider: OpenAIProvider
    conversation: Conversation
    limits: Limits
    defaults: PlanSettings

    @property
    def sizing(self) -> Sizing:
        """What is known of the model now."""
        counter = counter_for(self.provider.model)
        return read_sizing(self.store, self.provider.base_url, self.provider.model, counter, self.limits)

    @property
    def settings(self) -> PlanSettings:
        """What the next request is planned with."""
        return with_sizing(self.defaults, self.sizing)

    def plan(self, text: str) -> Plan:
        """What the meter shows for this text below the chosen leaf."""
        path = self.store.branch(self.conversation.id, self.store.selected(self.conversation.id))
        return make_plan(path, text, TASK, self.settings, counter_for(self.provider.model))

    async def ask(self, text: str) -> Node:
        """Send what the meter shows, and return the answer."""
        counter = counter_for(self.provider.model)
        turns = Turns(self.store, self.provider, counter, after=(Measuring(counter), WindowLessons(self.limits)))
        leaf_id = self.store.selected(self.conversation.id)
        events = turns.send(self.conversation, leaf_id, text, self.plan(text), self.settings, TASK)
        return ended(await collected(events)).answer

    def warnings(self, answer: Node) -> list[Interaction]:
        """The warnings on an answer."""
        return [entry for entry in self.store.branch(self.conversation.id, answer.id) if entry.kind == WARNING.name]

    def body(self, answer: Node) -> bytes:
        """What was sent for an answer."""
        body = self.store.requests(self.conversation.id, answer.id)[-1].body
        assert body is not None
        return body

    def reported(self, answer: Node) -> int:
        """What the server counted for an answer."""
        tokens = self.store.requests(self.conversation.id, answer.id)[-1].usage["prompt_tokens"]
        assert isinstance(tokens, int)
        return tokens


@asynccontextmanager
async def a_sized_desk(
    url: str, model: str, *, limits: Limits | None = None, ticket: str = LETTERS[0], budget: int = 100_000
) -> AsyncIterator[SizedDesk]:
    """A new record with one ticket, and a model at a server."""
    with closing(memory_store()) as store:
        message = TicketMessage("Sophie", Role.CUSTOMER, ticket)
        store.save_ticket(IncomingTicket("T-1", "Colis", "Sophie", (message,), language="fr"))
        provider = OpenAIProvider(ModelSettings(model=model, base_url=url))
        conversation = store.open_conversation(AGENT, "T-1")
        try:
            yield SizedDesk(
                store, provider, conversation, limits or Limits(), PlanSettings(StrategyName.SELECT, budget)
            )
        finally:
            await provider.aclose()
