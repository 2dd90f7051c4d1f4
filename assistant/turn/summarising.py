"""Summaries: one event in the record that stands for the first turns of a path, made by one call of a model.

Nothing is changed by it: the turns stay, and a branch that does not go through the last of them never sees it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from assistant.errors import Fault, NoSummaryError, ProviderError
from assistant.plan.plan import Coverage, Plan, PlanSettings, Verdict
from assistant.plan.planner import PreparedPath, make_plan
from assistant.provider.provider import Provider, model_for
from assistant.tasks.registry import Tasks
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter
from assistant.turn.events import TurnPreparing
from assistant.turn.foreseeing import covered, misfit, summary_tokens, turns_of
from assistant.turn.hooks import Report
from assistant.turn.order import Order
from assistant.turn.settling import settled_call
from assistant.turn.side_call import SideCall
from assistant.turn.summary_calls import summary_calls
from storage.interactions import Conversation, Node
from storage.kinds import COMPACTION
from storage.store import Store
from storage.values import JsonObject

SUMMARISE_HISTORY: Final = "summarise-history"
"""The task of these calls."""

_CHOICES: Final = "Try again, leave the first turns out (strategy select), or raise the budget."


class Summariser:
    """Makes summaries: when a plan needs one, as a `BeforeTurn` hook, or by hand."""

    def __init__(self, store: Store, provider: Provider, tasks: Tasks, counter: Counter) -> None:
        self._store = store
        self._provider = provider
        self._tasks = tasks
        self._counter = counter

    async def prepare(self, order: Order, report: Report) -> Order:
        """Make the summary that a plan needs, once, and plan anew; any other order stays as it is.

        Raises:
            NoSummaryError: none was made, and the sentence says why.
        """
        coverage = order.plan.to_summarise
        if order.plan.verdict is not Verdict.NEEDS_SUMMARY or coverage is None:
            return order
        await self.summarise(order.conversation, coverage, order.settings, report)
        return replace(order, plan=await settled_call(self._planned, order))

    async def summarise(
        self, conversation: Conversation, coverage: Coverage, settings: PlanSettings, report: Report
    ) -> int:
        """Let a summary stand for these turns; returns the id of the compaction.

        It hangs on the last node that it covers, and the calls are recorded for that node.

        Args:
            conversation: as the store gave it.
            coverage: what `PreparedPath` said would be covered.
            settings: what the request is planned with.
            report: told before each call, and when a server has to be waited for.

        Raises:
            NoSummaryError: none was made, and the sentence says why; nothing but the calls is in the record.
            TaskError: the task's file cannot be used.
            StorageError: the record cannot be written.
        """
        if coverage.last_node_id is None:
            raise NoSummaryError("There is nothing to summarise yet: the conversation has not begun.")
        task = await settled_call(self._tasks.get, SUMMARISE_HISTORY)
        counter = settings.sizing.counter(self._counter)
        calls = await settled_call(summary_calls, coverage, task, settings, counter)
        node = await settled_call(self._begin, conversation.id, coverage.last_node_id, task)
        texts: list[str] = []
        for number, call in enumerate(calls, 1):
            _check_room(texts, coverage, len(calls), counter)
            part = f", part {number} of {len(calls)}" if len(calls) > 1 else ""
            report(TurnPreparing(conversation.id, f"Summarising {turns_of(coverage)}{part}…"))
            texts.append(await self._called(call, task, node, report))
        text = "\n\n".join(texts)
        meta = {**self._meta(coverage, task), "counts": _counted(text, coverage, counter)}
        return await settled_call(
            self._store.add_internal, conversation.id, node.id, COMPACTION, self._author(task), text=text, meta=meta
        )

    def _planned(self, order: Order) -> Plan:
        path = self._store.branch(order.conversation.id, order.parent_id)
        return make_plan(path, order.text, order.task, order.settings, self._counter)

    def _begin(self, conversation_id: int, node_id: int, task: Task) -> Node:
        self._store.keep_task(task.kept)
        return self._store.node(conversation_id, node_id)

    async def _called(self, plan: Plan, task: Task, node: Node, report: Report) -> str:
        """Make one call and return what came; it must be whole."""
        call = SideCall(self._store, self._provider, plan, task, node)
        try:
            await call.run(lambda waiting: report(TurnPreparing(node.conversation_id, waiting)))
        except ProviderError as error:
            raise _failed(_told(error, spoke=bool(call.text))) from error
        if call.ended.refused:
            raise _failed("The model refused: it did not summarise.")
        if call.ended.finish_reason == "length":
            raise _failed("The model stopped at its length limit.")
        if not call.ended.finish_reason:
            raise _failed("The server closed the connection without saying that the summary is complete.")
        if not call.text.strip():
            raise _failed("The model returned no words.")
        return call.text.strip()

    def _author(self, task: Task) -> str:
        return model_for(self._provider, task) if self._provider.is_model else self._provider.author

    def _meta(self, coverage: Coverage, task: Task) -> JsonObject:
        return {
            "covers": covered(coverage),
            "task": task.name,
            "task_version": task.version,
            "provider": self._provider.name,
            "base_url": self._provider.base_url,
            "model": model_for(self._provider, task),
        }


def _counted(text: str, coverage: Coverage, counter: Counter) -> JsonObject:
    """Count a summary beside what it stands for, and refuse one that helps nobody."""
    tokens = summary_tokens(text, coverage, counter)
    why = misfit(tokens, coverage)
    if why and tokens > coverage.most:
        raise _failed(why)
    if why:
        raise NoSummaryError(f"{why} It was not used, and nothing was sent. {_CHOICES}")
    return {"covered": coverage.tokens, "summary": tokens, "counter": counter.name}


def coverage_by_hand(prepared: PreparedPath) -> Coverage:
    """Say what a summary by hand covers: all turns but the newest, whatever stands summarised already.

    Raises:
        NoSummaryError: there is nothing to cover, or it would not be worth a call.
    """
    coverage = prepared.to_summarise()
    if coverage is None:
        raise NoSummaryError(
            "The turns before the newest one are too few or too short: a summary would save less than a tenth of the "
            "request."
        )
    return coverage


def coverage_anew(prepared: PreparedPath) -> Coverage:
    """Say what a summary covers that takes the place of the one that stands.

    Raises:
        NoSummaryError: none stands, or one would not be worth a call any more.
    """
    turns = prepared.summarised_turns
    coverage = prepared.to_summarise(turns - 1) if turns else None
    if coverage is None:
        raise NoSummaryError("No summary stands on this path that could be made anew.")
    return coverage


def _check_room(texts: Sequence[str], coverage: Coverage, calls: int, counter: Counter) -> None:
    """Let the next call pass while the parts that came leave room for it, so that none is paid for in vain.

    Raises:
        NoSummaryError: they are larger than the whole summary may be.
    """
    if texts and (tokens := counter.text("\n\n".join(texts))) >= coverage.most:
        raise _failed(
            f"After {len(texts)} of {calls} calls the summary takes {tokens:,} tokens already, and "
            f"{max(0, coverage.most):,} are left for all of it."
        )


def _told(error: ProviderError, *, spoke: bool) -> str:
    """What a server did; where it broke off, the advice is about an answer whose beginning is kept."""
    broke_off = spoke or error.fault in (Fault.CUT, Fault.MALFORMED)
    return error.message if broke_off else f"{error.message} {error.advice}"


def _failed(why: str) -> NoSummaryError:
    return NoSummaryError(f"No summary was made, and nothing was sent. {why} {_CHOICES}", failed=True)
