"""What else happens in a turn, before its question is written and once its answer has ended."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import pytest
from scripted_provider import Pause, ScriptedProvider, words
from turn_desk import TASK, a_desk, collected, ended

from assistant.errors import PlanStoppedError, StalePlanError, TaskError
from assistant.plan.plan import Fate, Plan, PlanSettings, Verdict
from assistant.plan.planner import make_plan
from assistant.provider.provider import TextChunk
from assistant.turn.events import TurnEnded, TurnEvent, TurnPreparing, TurnRemark, TurnStarted
from assistant.turn.hooks import Report
from assistant.turn.order import Order
from assistant.turn.settling import settled_call
from storage.errors import TurnRunningError, UnwritableError
from storage.interactions import Node, Status
from storage.kinds import OBSERVATION
from storage.sqlite_store import memory_store
from storage.store import Store


@pytest.fixture
def store() -> Iterator[Store]:
    record = memory_store()
    yield record
    record.close()


@dataclass
class Prepares:
    """Keeps the orders it got, and does what a test wants with them."""

    change: Callable[[Order], Order] = lambda order: order
    orders: list[Order] = field(default_factory=list)
    waits: bool = False

    async def prepare(self, order: Order, report: Report) -> Order:
        self.orders.append(order)
        report(TurnPreparing(order.conversation.id, "Looking…"))
        if self.waits:
            await asyncio.Event().wait()
        return await settled_call(self.change, order)


@dataclass
class LooksAt:
    """Keeps the answers it got and leaves an observation on each, or fails."""

    error: Exception | None = None
    seen: list[tuple[Order, Node, Plan]] = field(default_factory=list)

    def answered(self, store: Store, order: Order, answer: Node, plan: Plan) -> None:
        self.seen.append((order, answer, plan))
        if self.error is not None:
            raise self.error
        text = store.path(answer.conversation_id, answer.id)[-1].content
        store.add_internal(answer.conversation_id, answer.id, OBSERVATION, "hook", text=text.upper(), meta={})


async def test_a_hook_gets_the_order_before_anything_is_written(store: Store) -> None:
    heads: list[int] = []

    def looked(order: Order) -> Order:
        heads.append(store.head(order.conversation.id))
        return order

    hook = Prepares(looked)
    desk = a_desk(store, ScriptedProvider(words("Bonjour")), before=[hook])
    conversation = desk.opened()
    head = store.head(conversation.id)

    events = await collected(desk.send(conversation, "a draft"))

    (order,) = hook.orders
    assert (order.text, order.task, heads) == ("a draft", TASK, [head])
    assert [type(event) for event in events[:2]] == [TurnPreparing, TurnStarted]


async def test_hooks_come_one_after_another_with_what_the_one_before_returned(store: Store) -> None:
    roomier = PlanSettings(budget=200_000)

    def planned_anew(order: Order) -> Order:
        path = store.branch(order.conversation.id, order.parent_id)
        plan = make_plan(path, order.text, order.task, roomier, desk.counter)
        return replace(order, plan=plan, settings=roomier)

    first, second = Prepares(planned_anew), Prepares()
    desk = a_desk(store, ScriptedProvider(words("Bonjour")), before=[first, second])

    answer = ended(await collected(desk.send(desk.opened(), "a draft"))).answer

    assert second.orders[0].plan.budget == 200_000
    assert answer.meta["budget"] == 200_000


async def test_a_plan_that_a_hook_made_of_anything_but_the_record_is_not_sent(store: Store) -> None:
    def forged(order: Order) -> Order:
        items = tuple(item._replace(fate=Fate.CUT) if item.kind == "ticket" else item for item in order.plan.items)
        return replace(order, plan=replace(order.plan, items=items))

    provider = ScriptedProvider(words("Bonjour"))
    desk = a_desk(store, provider, before=[Prepares(forged)])
    conversation = desk.opened()
    head = store.head(conversation.id)

    with pytest.raises(StalePlanError):
        await collected(desk.send(conversation, "a draft"))

    assert (provider.chains, store.head(conversation.id)) == ([], head)


async def test_a_plan_that_may_not_be_sent_yet_comes_to_the_hooks_and_is_stopped_afterwards(store: Store) -> None:
    hook = Prepares()
    desk = a_desk(store, ScriptedProvider(words("Bonjour")), settings=PlanSettings(budget=20), before=[hook])
    conversation = desk.opened(text="Où est mon colis ? " * 20)

    with pytest.raises(PlanStoppedError):
        await collected(desk.send(conversation, "a draft"))

    assert [order.plan.verdict for order in hook.orders] == [Verdict.TICKET_OUTSIDE]


async def test_an_error_of_a_hook_stops_the_turn_before_it_is_written(store: Store) -> None:
    def fails(order: Order) -> Order:
        raise TaskError("The task file of summaries is not UTF-8 text.")

    desk = a_desk(store, ScriptedProvider(words("Bonjour")), before=[Prepares(fails)])
    conversation = desk.opened()
    head = store.head(conversation.id)

    with pytest.raises(TaskError, match="summaries"):
        await collected(desk.send(conversation, "a draft"))

    assert (store.head(conversation.id), desk.turns.running) == (head, frozenset())


async def test_while_a_hook_works_the_conversation_takes_no_other_turn_and_can_be_stopped(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("Bonjour")), before=[Prepares(waits=True)])
    conversation = desk.opened()
    head = store.head(conversation.id)
    events: list[TurnEvent] = []
    async for event in desk.send(conversation, "a draft"):
        events.append(event)
        with pytest.raises(TurnRunningError):
            await collected(desk.send(conversation, "another draft"))
        desk.turns.stop(conversation.id)

    assert events == [TurnPreparing(conversation.id, "Looking…")]
    assert (store.head(conversation.id), desk.turns.running) == (head, frozenset())


async def test_what_looks_at_an_answer_has_its_final_row_and_comes_before_the_end_is_told(store: Store) -> None:
    hook = LooksAt()
    desk = a_desk(store, ScriptedProvider(words("Bonjour", " Sophie")), after=[hook])
    conversation = desk.opened()

    async for event in desk.send(conversation, "a draft"):
        if isinstance(event, TurnEnded):
            branch = store.branch(conversation.id, event.answer.id)
            assert branch[-1].content == "BONJOUR SOPHIE"

    ((order, answer, plan),) = hook.seen
    assert (order.text, answer.status, answer.detail["halt"]) == ("a draft", Status.COMPLETE, "complete")
    assert plan.items[-1].id == answer.parent_id


@pytest.mark.parametrize("error", [UnwritableError("The disk is full."), TaskError("The rules cannot be read.")])
async def test_an_error_of_one_that_looks_is_said_and_the_next_one_looks_all_the_same(
    store: Store, error: Exception
) -> None:
    second = LooksAt()
    desk = a_desk(store, ScriptedProvider(words("Bonjour")), after=[LooksAt(error), second])

    events = await collected(desk.send(desk.opened(), "a draft"))

    assert [event.text for event in events if isinstance(event, TurnRemark)] == [f"The answer is kept. {error}"]
    assert ended(events).answer.status is Status.COMPLETE
    assert len(second.seen) == 1


async def test_an_unforeseen_error_is_raised_once_the_end_was_told(store: Store) -> None:
    second = LooksAt()
    desk = a_desk(store, ScriptedProvider(words("Bonjour")), after=[LooksAt(KeyError("rule")), second])
    events: list[TurnEvent] = []

    with pytest.raises(KeyError):
        await collected(desk.send(desk.opened(), "a draft"), events)

    assert ended(events).answer.status is Status.COMPLETE
    assert (len(second.seen), desk.turns.running) == (1, frozenset())


async def test_an_answer_that_was_stopped_is_looked_at_too(store: Store) -> None:
    hook = LooksAt()
    provider = ScriptedProvider([TextChunk("Bonjour"), Pause.FOR_EVER])
    desk = a_desk(store, provider, after=[hook])
    conversation = desk.opened()
    consumer = asyncio.create_task(collected(desk.send(conversation, "a draft")))
    await provider.paused.wait()

    desk.turns.stop(conversation.id)
    await consumer

    assert [answer.status for _, answer, _ in hook.seen] == [Status.INTERRUPTED]
