"""The self-check: after a complete answer, a call of its own asks whether it does what was asked.

What it says is kept beside the answer and shown; nothing is changed by it.
"""

from dataclasses import replace
from enum import StrEnum
from typing import Final

from assistant.errors import ProviderError
from assistant.plan.messages import Message
from assistant.plan.plan import CHECK, SYSTEM, Fate, Plan, PlannedItem
from assistant.plan.rendering import check_text
from assistant.provider.provider import Provider, model_for
from assistant.tasks.contracts import parsed
from assistant.tasks.registry import Tasks
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter
from assistant.turn.events import TurnStep
from assistant.turn.hooks import Report
from assistant.turn.order import Order
from assistant.turn.settling import settled_call
from assistant.turn.side_call import SideCall
from storage.interactions import Node
from storage.kinds import SELF_CHECK, TICKET
from storage.store import Store

SELF_CHECK_TASK: Final = "self-check"


class Fulfilled(StrEnum):
    """What a self-check says."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class SelfCheck:
    """Checks answers of models; the built-in assistant's are left alone."""

    def __init__(self, store: Store, provider: Provider, tasks: Tasks, counter: Counter) -> None:
        self._store = store
        self._provider = provider
        self._tasks = tasks
        self._counter = counter

    async def check(self, order: Order, answer: Node, plan: Plan, report: Report) -> None:
        """Ask, and hang what is said on the answer; a failure is what is said then.

        Args:
            order: what was asked.
            answer: complete and in the record.
            plan: that the answer was made with; its ticket goes into the check too.
            report: told that the check runs, and when a server has to be waited for.

        Raises:
            TaskError: the task's file cannot be used.
            StorageError: the record cannot be written.
        """
        if not self._provider.is_model:
            return
        report(TurnStep(answer.conversation_id, answer.id, "Checking whether the answer does what was asked…"))
        task = await settled_call(self._tasks.get, SELF_CHECK_TASK)
        checked = await settled_call(self._planned, order, answer, plan, task)
        if checked.total > plan.budget:
            said, why = Fulfilled.UNKNOWN, "The check does not fit the budget."
        else:
            call = SideCall(self._store, self._provider, checked, task, answer)
            try:
                await call.run(lambda waiting: report(TurnStep(answer.conversation_id, answer.id, waiting)))
                said, why = read_check(call.text)
            except ProviderError as error:
                said, why = Fulfilled.UNKNOWN, f"The check failed. {error.message}"
        meta = {"fulfilled": said.value, "task": task.name, "task_version": task.version}
        author = model_for(self._provider, task)
        await settled_call(
            self._store.add_internal, answer.conversation_id, answer.id, SELF_CHECK, author, text=why, meta=meta
        )

    def _planned(self, order: Order, answer: Node, plan: Plan, task: Task) -> Plan:
        """The plan of the check: its system message, the ticket where it was sent, the request with its answer."""
        self._store.keep_task(task.kept)
        counter = order.settings.sizing.counter(self._counter)
        *_, question, written = self._store.path(answer.conversation_id, answer.id)
        system, check = Message("system", task.system), Message("user", check_text(question, written))
        tickets = [item for item in plan.items if item.kind == TICKET.name and item.fate is Fate.SENT][-1:]
        items = (
            PlannedItem(None, SYSTEM, -1, system, counter.message(system), Fate.SENT),
            *tickets,
            PlannedItem(answer.id, CHECK, plan.items[-1].turn, check, counter.message(check), Fate.SENT),
        )
        total = counter.reply_overhead + sum(item.tokens for item in items)
        counts = replace(
            plan.counts,
            system=items[0].tokens,
            ticket=sum(item.tokens for item in tickets),
            summary=0,
            turns=0,
            question=items[-1].tokens,
            overhead=counter.reply_overhead,
            free=max(0, plan.budget - total),
        )
        return replace(plan, items=items, counts=counts, total=total, cut_turns=0, cut_tokens=0, to_summarise=None)


def read_check(text: str) -> tuple[Fulfilled, str]:
    """Read what a model says of an answer: whether it does what was asked, and what is missing."""
    match parsed(text):
        case {"fulfilled": bool(fulfilled), **more}:
            missing = more.get("missing")
            why = missing.strip() if isinstance(missing, str) else ""
            return (Fulfilled.YES if fulfilled else Fulfilled.NO), why
        case _:
            return Fulfilled.UNKNOWN, "The check gave no clear answer."
