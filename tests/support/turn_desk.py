"""A record with tickets and the turns on it, for tests of asking."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from assistant.plan.plan import Plan, PlanSettings
from assistant.plan.planner import make_plan
from assistant.provider.provider import Provider
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter
from assistant.tokens.counters import EstimateCounter
from assistant.tools.toolbox import Tool, Toolbox
from assistant.turn.events import AnswerGrew, TurnEnded, TurnEvent, TurnStarted
from assistant.turn.hooks import AfterTurn, BeforeTurn
from assistant.turn.loop import Limits
from assistant.turn.self_check import SelfCheck
from assistant.turn.turns import Turns
from storage.interactions import Conversation, Interaction, Node, Status
from storage.kinds import ASSISTANT_RESPONSE
from storage.store import Store
from storage.tickets import IncomingTicket, Role, TicketMessage

AGENT = "camille"
TASK = Task("draft-reply", "Draft reply", "0123456789ab", "You draft replies.", "shipped")
ROOMY = PlanSettings(budget=100_000)


@dataclass
class TurnDesk:
    """A store, the turns on it, and what tests ask of both."""

    store: Store
    turns: Turns
    settings: PlanSettings = ROOMY
    counter: Counter = field(default_factory=EstimateCounter)
    task: Task = TASK

    def opened(self, ticket_id: str = "T-1", text: str = "Où est mon colis ?") -> Conversation:
        """A conversation on a ticket of this text."""
        message = TicketMessage("Sophie", Role.CUSTOMER, text)
        self.store.save_ticket(IncomingTicket(ticket_id, "Colis", "Sophie", (message,), language="fr"))
        return self.store.open_conversation(AGENT, ticket_id)

    def plan(self, conversation: Conversation, at_id: int, text: str | None) -> Plan:
        """What the meter shows for this text below this node; None for asking the node again."""
        return make_plan(self.store.branch(conversation.id, at_id), text, self.task, self.settings, EstimateCounter())

    def send(
        self,
        conversation: Conversation,
        text: str,
        *,
        at_id: int | None = None,
        replaces_id: int | None = None,
        on_purpose: bool = False,
    ) -> AsyncIterator[TurnEvent]:
        """Plan and send, by default below the chosen leaf."""
        at_id = self.store.selected(conversation.id) if at_id is None else at_id
        plan = self.plan(conversation, at_id, text)
        return self.turns.send(
            conversation, at_id, text, plan, self.settings, self.task, replaces_id=replaces_id, on_purpose=on_purpose
        )

    def ask_again(self, conversation: Conversation, node_id: int) -> AsyncIterator[TurnEvent]:
        """Plan and ask again, for an answer or for a question."""
        node = self.store.node(conversation.id, node_id)
        question_id = node.parent_id if node.kind == ASSISTANT_RESPONSE.name else node.id
        assert question_id is not None
        plan = self.plan(conversation, question_id, None)
        return self.turns.ask_again(conversation, node_id, plan, self.settings, self.task)

    async def asked(self, conversation: Conversation, text: str) -> Node:
        """Send, wait for the end, and return the answer."""
        return ended(await collected(self.send(conversation, text))).answer

    def leaf(self, conversation: Conversation) -> Interaction:
        """The chosen leaf with its content."""
        return self.store.path(conversation.id, self.store.selected(conversation.id))[-1]

    def answers(self, conversation: Conversation) -> list[Interaction]:
        """All answers with their contents, in order of insertion."""
        nodes = self.store.nodes(conversation.id)
        return [self.store.path(conversation.id, node.id)[-1] for node in nodes if node.kind == ASSISTANT_RESPONSE.name]

    def is_all_ended(self, conversation: Conversation) -> bool:
        """Every answer has its final row."""
        return all(node.status is not Status.STREAMING for node in self.store.nodes(conversation.id))


def a_desk(
    store: Store,
    provider: Provider,
    *,
    batch_s: float = 0.0,
    settings: PlanSettings = ROOMY,
    before: Sequence[BeforeTurn] = (),
    after: Sequence[AfterTurn] = (),
    task: Task = TASK,
    tools: Sequence[Tool] = (),
    limits: Limits | None = None,
    checker: SelfCheck | None = None,
) -> TurnDesk:
    """Turns of a provider on a store, counted by the estimate."""
    turns = Turns(
        store,
        provider,
        EstimateCounter(),
        toolbox=Toolbox(tools),
        limits=limits,
        before=before,
        after=after,
        checker=checker,
        batch_s=batch_s,
    )
    return TurnDesk(store, turns, settings, task=task)


async def collected(events: AsyncIterator[TurnEvent], into: list[TurnEvent] | None = None) -> list[TurnEvent]:
    """All that a turn reports; in `into` it stays when the turn raises."""
    seen = [] if into is None else into
    async for event in events:
        seen.append(event)
    return seen


def shown(events: Sequence[TurnEvent]) -> str:
    """The text that was reported, as a screen would have painted it."""
    return "".join(event.text for event in events if isinstance(event, AnswerGrew))


def started(events: Sequence[TurnEvent]) -> TurnStarted:
    """The one event that begins a turn."""
    (event,) = (event for event in events if isinstance(event, TurnStarted))
    return event


def ended(events: Sequence[TurnEvent]) -> TurnEnded:
    """The one event that ends a turn."""
    (event,) = (event for event in events if isinstance(event, TurnEnded))
    return event
