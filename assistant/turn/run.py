"""One turn as it runs: does what the loop says, and tells the loop what came of it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec

from assistant.errors import AssistantError, ProviderError
from assistant.plan.messages import Message, ToolCall
from assistant.provider.provider import Prompt, Provider, model_for
from assistant.tokens.counter import Counter
from assistant.tools.toolbox import Toolbox
from assistant.turn.answer_writer import INTERRUPTED, UNEXPECTED, AnswerWriter, Ending
from assistant.turn.events import TurnEnded, TurnRemark, TurnStep
from assistant.turn.halting import ending_of
from assistant.turn.hooks import AfterTurn, Report
from assistant.turn.listening import listen
from assistant.turn.loop import (
    Action,
    Answered,
    Ask,
    Begin,
    Begun,
    Called,
    Check,
    Checked,
    Event,
    Failed,
    Limits,
    Look,
    Looked,
    Ran,
    Rest,
    RunTools,
    State,
    Stopped,
    Write,
    Written,
    advance,
)
from assistant.turn.order import Order
from assistant.turn.request_log import RequestLog, attempts_of
from assistant.turn.self_check import SelfCheck
from assistant.turn.settling import settled_call
from assistant.turn.step_plans import StepPlans, sent_tokens
from assistant.turn.tool_traffic import call_text, named
from storage.errors import StorageError
from storage.interactions import Node
from storage.kinds import TOOL_CALL, TOOL_RESULT
from storage.store import Store

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class TurnParts:
    """What all turns are made with; `assistant.turn.turns.Turns` tells of each."""

    store: Store
    provider: Provider
    counter: Counter
    toolbox: Toolbox
    limits: Limits
    after: tuple[AfterTurn, ...]
    checker: SelfCheck | None
    batch_s: float


class TurnRun:
    """One turn, from its question to its halt; `run` may be cancelled at any time, and that stops the turn."""

    def __init__(self, parts: TurnParts, order: Order, report: Report) -> None:
        self._parts = parts
        self._order = order
        self._report = report
        self._writer = AnswerWriter(parts.store, parts.provider, order, report)
        self._limits = parts.limits.for_budget(order.plan.budget)
        self._state = State()
        self._first = self._plan = order.plan
        self._plans: StepPlans | None = None
        self._calls: tuple[ToolCall, ...] = ()
        self._written: tuple[ToolCall, ...] = ()
        self._ran: list[ToolCall] = []
        self._ending = UNEXPECTED
        self._was_stopped = False
        self._raised: Exception | None = None

    @property
    def ended(self) -> TurnEnded | None:
        """What to report last; None as long as the answer has no final row."""
        return self._writer.ended

    async def run(self) -> None:
        """Run to the halt.

        Raises:
            StorageError: the record failed; the answer has its final row wherever that could still be written.
        """
        try:
            while not isinstance(self._state.action, Rest):
                event = await self._done(self._state.action)
                self._state = advance(self._state, event, self._limits)
        finally:
            if self._writer.ended is None:
                await settled_call(self._writer.end, self._ending)
        if self._raised is not None:
            raise self._raised

    async def _done(self, action: Action) -> Event:
        """Do what the loop says, and say what came of it."""
        try:
            return await self._do(action)
        except asyncio.CancelledError:
            self._ending = INTERRUPTED
            return Stopped()
        except ProviderError as error:
            self._ending = Ending.of_failure(error)
        except StorageError as error:
            self._ending = Ending.of_error("record", str(error), "Ask again once the record can be written.")
            self._raised = self._raised or error
        except Exception as error:  # raised once the answer has its end
            self._ending = UNEXPECTED
            self._raised = self._raised or error
        return Failed()

    async def _do(self, action: Action) -> Event:
        match action:
            case Begin():
                _, self._first = await settled_call(self._writer.begin, self._first)
                self._plan = self._first
                return Begun()
            case Ask():
                return await self._ask(action)
            case RunTools(step):
                return await self._run_tools(step)
            case Write(halt):
                await self._to_its_end(self._writer.end, ending_of(self._ending, halt, self._state))
                return Written()
            case Look():
                await self._to_its_end(self._look)
                return Stopped() if self._was_stopped else Looked()
            case Check():
                await self._check()
                return Checked()
            case Rest():
                raise AssertionError("a turn that rests does nothing")

    async def _ask(self, ask: Ask) -> Event:
        """Call the model and write what it says; calls of tools are recorded, so that they can be answered."""
        answer = self._answer
        offered = self._parts.toolbox.offered(self._order.task, self._first)
        prompt = Prompt(self._plan.chain, self._order.task, offered, must_answer=bool(offered) and ask.must_answer)
        log = await settled_call(self._log, answer)
        said, calls, ended = await listen(self._parts.provider.stream(prompt, log), self._writer, self._parts.batch_s)
        self._calls, self._written = named(calls, ask.step), calls
        took = sent_tokens(self._plan, said, self._calls, self._parts.counter)
        if not calls:
            self._ending = Ending.of_stream(ended)
            return Answered(took)
        author = model_for(self._parts.provider, self._order.task)
        text = call_text(said, self._calls)
        call_id = await settled_call(
            self._parts.store.add_internal,
            answer.conversation_id,
            answer.id,
            TOOL_CALL,
            author,
            text=text,
            meta={"step": ask.step, "tools": [call.name for call in self._calls]},
        )
        self._later_plans.add(call_id, TOOL_CALL.name, Message("assistant", said, tool_calls=self._calls))
        return Called(tuple(call.name for call in self._calls), took)

    async def _run_tools(self, step: int) -> Event:
        """Run what was called, one after another; each result is in the record before the next one runs."""
        answer, toolbox, plans = self._answer, self._parts.toolbox, self._later_plans
        offered = toolbox.offered(self._order.task, self._first)
        for call, written in zip(self._calls, self._written, strict=True):
            self._report(TurnStep(answer.conversation_id, answer.id, toolbox.announce(call)))
            room = await settled_call(plans.room)
            # Not waited for when the turn is stopped: it only reads.
            result = await asyncio.to_thread(
                toolbox.run, written, offered, self._plan, plans.counter, room, tuple(self._ran)
            )
            meta = {"step": step, "call_id": call.id, "tool": call.name, **result.facts}
            result_id = await settled_call(
                self._parts.store.add_internal,
                answer.conversation_id,
                answer.id,
                TOOL_RESULT,
                call.name,
                text=result.text,
                meta=meta,
            )
            plans.add(result_id, TOOL_RESULT.name, Message("tool", result.text, tool_call_id=call.id))
            self._ran.append(written)
        plan = await settled_call(plans.next)
        if plan is None:
            return Ran(None)
        self._plan = plan
        return Ran(plan.total)

    def _look(self) -> None:
        """Let all hooks look at an answer that has ended."""
        if self._writer.ended is None:
            return
        answer = self._writer.ended.answer
        for hook in self._parts.after:
            try:
                hook.answered(self._parts.store, self._order, answer, self._first)
            except (AssistantError, StorageError) as error:
                self._report(TurnRemark(answer.conversation_id, answer.id, f"The answer is kept. {error}"))
            except Exception as error:  # the others still get their turn; it is raised at the end
                self._raised = self._raised or error

    async def _check(self) -> None:
        if self._parts.checker is not None and self._writer.ended is not None:
            await self._parts.checker.check(self._order, self._writer.ended.answer, self._first, self._report)

    async def _to_its_end(self, work: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Call what must not be left out by a turn that is stopped meanwhile; the stop counts afterwards."""
        try:
            await settled_call(work, *args, **kwargs)
        except asyncio.CancelledError:
            self._was_stopped = True

    def _log(self, answer: Node) -> RequestLog:
        """The log of the next call, whose attempts are counted on."""
        parts = self._parts
        earlier = attempts_of(parts.store, answer) if self._state.steps > 1 else 0
        return RequestLog(parts.store, parts.provider, self._order.task, self._plan, answer, earlier=earlier)

    @property
    def _answer(self) -> Node:
        assert self._writer.answer is not None, "the loop asks only once the answer is in the record"
        return self._writer.answer

    @property
    def _later_plans(self) -> StepPlans:
        if self._plans is None:
            self._plans = StepPlans(self._parts.store, self._order, self._first, self._parts.counter)
        return self._plans
