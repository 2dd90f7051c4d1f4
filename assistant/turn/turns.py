"""Turns: from a plan that was shown to an answer in the record; one at a time in each conversation."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import replace
from typing import Final

from assistant.errors import PlanStoppedError
from assistant.plan.plan import Plan, PlanSettings
from assistant.plan.planner import make_plan
from assistant.plan.stopping import check_unchanged, check_verdict
from assistant.provider.provider import Provider
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter
from assistant.tools.toolbox import Toolbox
from assistant.turn.events import TurnEvent
from assistant.turn.hooks import AfterTurn, BeforeTurn, Report
from assistant.turn.loop import Limits
from assistant.turn.order import Order
from assistant.turn.run import TurnParts, TurnRun
from assistant.turn.self_check import SelfCheck
from assistant.turn.settling import finished, settled_call
from storage.errors import TurnRunningError
from storage.interactions import Conversation
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, TICKET
from storage.store import Store

BATCH_S: Final = 0.1
"""Pieces that come within this time are written together."""


class Turns:
    """Asks a provider and writes what it says, several conversations at once.

    A turn runs in a task of its own: it goes on while nobody looks at it, and ends when its iterator is closed, when
    it is stopped, or when all are. However it ends, its answer gets exactly one final row.

    Args:
        store: the record.
        provider: what answers.
        counter: counts tokens.
        toolbox: what tasks may allow their answers to use; nothing by default.
        limits: when a turn halts that does not come to its end by itself.
        before: get an order ready before anything of it is written, in this order.
        after: look at an answer once it has ended, in this order.
        checker: asks in a call of its own whether an answer does what was asked; by default nothing does.
        batch_s: pieces that come within this time are written together.
    """

    def __init__(
        self,
        store: Store,
        provider: Provider,
        counter: Counter,
        *,
        toolbox: Toolbox | None = None,
        limits: Limits | None = None,
        before: Sequence[BeforeTurn] = (),
        after: Sequence[AfterTurn] = (),
        checker: SelfCheck | None = None,
        batch_s: float = BATCH_S,
    ) -> None:
        limits = replace(limits or Limits(), self_check=checker is not None)
        self._parts = TurnParts(store, provider, counter, toolbox or Toolbox(), limits, tuple(after), checker, batch_s)
        self._store = store
        self._counter = counter
        self._before = tuple(before)
        self._running: dict[int, asyncio.Task[None]] = {}

    @property
    def running(self) -> frozenset[int]:
        """The conversations in which an answer is being written here."""
        return frozenset(self._running)

    def send(
        self,
        conversation: Conversation,
        at_id: int,
        text: str,
        plan: Plan,
        settings: PlanSettings,
        task: Task,
        *,
        replaces_id: int | None = None,
        on_purpose: bool = False,
    ) -> AsyncIterator[TurnEvent]:
        """Send what the agent wrote below a node, and write the answer.

        Args:
            conversation: as the store gave it; it must have been opened.
            at_id: what the message follows; for an edited message, the parent of the one that it replaces.
            text: the message.
            plan: as it was shown; what it says is what is sent.
            settings: what it was planned with.
            task: what the assistant is asked to do; the plan was made with it.
            replaces_id: the message that was edited.
            on_purpose: the agent chose to send without the ticket.

        Raises:
            PlanStoppedError: the plan may not be sent, or something else would be sent now; nothing was written.
            TurnRunningError: an answer is still being written in this conversation, here or in another window.
            StorageError: the record cannot be written.
            AssistantError: what gets the order ready could not.
        """
        return self._turn(Order(conversation, at_id, text, plan, settings, task, replaces_id, on_purpose))

    def ask_again(
        self,
        conversation: Conversation,
        node_id: int,
        plan: Plan,
        settings: PlanSettings,
        task: Task,
        *,
        on_purpose: bool = False,
    ) -> AsyncIterator[TurnEvent]:
        """Ask for another answer, a sibling, to the question of an answer, or to a message or ticket itself.

        When it fails, the last good answer is shown again. Arguments and errors are those of `send`.
        """
        return self._turn(Order(conversation, node_id, None, plan, settings, task, None, on_purpose))

    def stop(self, conversation_id: int) -> bool:
        """Stop the answer of a conversation, keeping what was shown; says whether there was one."""
        task = self._running.get(conversation_id)
        return task is not None and task.cancel()

    async def aclose(self) -> None:
        """Stop all answers and wait until their final rows are in the record."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        for task in tasks:
            await finished(task)

    async def _turn(self, order: Order) -> AsyncGenerator[TurnEvent, None]:
        """Run a turn in a task of its own and hand on what it reports; closing the iterator stops it."""
        conversation_id = order.conversation.id
        if conversation_id in self._running:
            raise TurnRunningError("An answer is still being written in this conversation. Wait for it, or stop it.")
        loop = asyncio.get_running_loop()
        events: asyncio.Queue[TurnEvent | None] = asyncio.Queue()

        def report(event: TurnEvent | None) -> None:
            loop.call_soon_threadsafe(events.put_nowait, event)

        task = asyncio.create_task(self._run(order, report))
        self._running[conversation_id] = task
        task.add_done_callback(lambda _: report(None))
        try:
            while (event := await events.get()) is not None:
                yield event
            if not task.cancelled():
                task.result()
        finally:
            task.cancel()
            await finished(task)

    async def _run(self, order: Order, report: Report) -> None:
        try:
            await self._answer(await self._prepared(order, report), report)
        finally:
            self._forget(order)

    async def _prepared(self, order: Order, report: Report) -> Order:
        """Look at the plan again and let all hooks get the order ready; then it may be sent, or raises."""
        order = await settled_call(self._checked, order)
        for hook in self._before:
            prepared = await hook.prepare(order, report)
            if prepared is not order:
                order = await settled_call(self._checked, prepared)
        check_verdict(order.plan, on_purpose=order.on_purpose)
        return order

    async def _answer(self, order: Order, report: Report) -> None:
        """Write question and answer, and the answer's final row however it ends."""
        run = TurnRun(self._parts, order, report)
        try:
            await run.run()
        finally:
            self._forget(order)
            if run.ended is not None:
                report(run.ended)

    def _checked(self, order: Order) -> Order:
        """Find the question, and plan anew from the record; it must come to what was shown."""
        order = self._resolved(order)
        path = self._store.branch(order.conversation.id, order.parent_id)
        plan = make_plan(path, order.text, order.task, order.settings, self._counter)
        check_unchanged(order.plan, plan)
        return replace(order, plan=plan)

    def _resolved(self, order: Order) -> Order:
        """Go from the answer that is asked for again to its question."""
        if order.text is not None:
            return order
        node = self._store.node(order.conversation.id, order.parent_id)
        match node.kind:
            case ASSISTANT_RESPONSE.name if node.parent_id is not None:
                return replace(order, parent_id=node.parent_id, replaces_id=node.id)
            case AGENT_MESSAGE.name | TICKET.name:
                return order
            case _:
                raise PlanStoppedError("There is nothing here to ask again. Choose a message or an answer.")

    def _forget(self, order: Order) -> None:
        """Let the next turn of the conversation begin; called before the end is reported."""
        if self._running.get(order.conversation.id) is asyncio.current_task():
            del self._running[order.conversation.id]
