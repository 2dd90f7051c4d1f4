"""Observers: after an answer, tasks of their own look at the branch that it ends and say something about it.

Each is one recorded call with a plan of its own, made of this conversation and nothing else. What it says hangs beside
the answer; nothing is changed by it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from assistant.errors import Fault, NoObserverError, ProviderError
from assistant.plan.plan import CHECK, Plan, PlanSettings, StrategyName
from assistant.plan.planner import make_plan
from assistant.plan.rendering import check_text
from assistant.provider.provider import Provider, model_for
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter
from assistant.turn.events import TurnPreparing
from assistant.turn.hooks import Report
from assistant.turn.settling import settled_call
from assistant.turn.side_call import SideCall
from storage.interactions import Interaction, Node, Status
from storage.kinds import AGENT_MESSAGE, OBSERVATION
from storage.store import Store
from storage.values import JsonObject

FINE: Final = "OK"
"""What an observer says that has nothing to say."""


class Observing:
    """Lets observers look at answers of models."""

    def __init__(self, store: Store, provider: Provider, counter: Counter) -> None:
        self._store = store
        self._provider = provider
        self._counter = counter

    async def observe(self, answer: Node, tasks: Sequence[Task], settings: PlanSettings, report: Report) -> int:
        """Let each task observe an answer, one after another; returns how many observations hang on it then.

        A call that fails is an observation that says so, and the next task goes on. Being cancelled leaves what was
        observed so far.

        Args:
            answer: complete and in the record.
            tasks: the observers.
            settings: what the conversation is planned with; the ticket is always kept.
            report: told before each call, and when a server has to be waited for.

        Raises:
            NoObserverError: no language model answers here, or the answer is not complete.
            StorageError: the record cannot be written.
        """
        if not self._provider.is_model:
            raise NoObserverError("Observers need a language model; the built-in assistant is none.")
        if answer.status is not Status.COMPLETE:
            raise NoObserverError("Observers look at complete answers only.")
        for task in tasks:
            report(TurnPreparing(answer.conversation_id, f"Observing: {task.title}…"))
            text, failed = await self._observed(answer, task, settings, report)
            meta: JsonObject = {
                "task": task.name,
                "task_title": task.title,
                "task_version": task.version,
                "failed": failed,
                "fine": is_fine(text),
            }
            author = model_for(self._provider, task)
            await settled_call(
                self._store.add_internal, answer.conversation_id, answer.id, OBSERVATION, author, text=text, meta=meta
            )
        return len(tasks)

    async def _observed(self, answer: Node, task: Task, settings: PlanSettings, report: Report) -> tuple[str, bool]:
        """What one observer says, and whether that is only why it could not."""
        plan = await settled_call(self._planned, answer, task, settings)
        if not plan.may_send:
            return f"Not observed: what it needs does not fit into the budget of {plan.budget:,} tokens.", True
        try:
            return await self._asked(plan, task, answer, report), False
        except ProviderError as error:
            return f"Not observed. {error.message}", True

    def _planned(self, answer: Node, task: Task, settings: PlanSettings) -> Plan:
        """Plan on the branch above the question; the question with its answer is what is asked about."""
        self._store.keep_task(task.kept)
        branch = self._store.branch(answer.conversation_id, answer.id)
        *_, question, written = (entry for entry in branch if entry.is_external)
        settings = replace(settings, strategy=StrategyName.SELECT, sticky=False)
        plan = make_plan(_above(branch, question, answer), check_text(question, written), task, settings, self._counter)
        *before, asked = plan.items
        return replace(plan, items=(*before, asked._replace(id=answer.id, kind=CHECK)))

    async def _asked(self, plan: Plan, task: Task, answer: Node, report: Report) -> str:
        call = SideCall(self._store, self._provider, plan, task, answer)
        await call.run(lambda waiting: report(TurnPreparing(answer.conversation_id, waiting)))
        if not call.ended.finish_reason:
            raise ProviderError(Fault.CUT, "The server closed the connection before the end.", "Try again.")
        if not call.text.strip():
            raise ProviderError(Fault.EMPTY, "The model returned no words.", "Try again.")
        return call.text.strip()


def is_fine(text: str) -> bool:
    """An observer found nothing to say."""
    return text.strip().rstrip(".!").upper() == FINE


def _above(branch: Sequence[Interaction], question: Interaction, answer: Node) -> list[Interaction]:
    """What comes before the question; a ticket that is answered itself stays."""
    left_out = {answer.id, question.id} if question.kind == AGENT_MESSAGE.name else {answer.id}
    return [
        entry
        for entry in branch
        if entry.id not in left_out and (entry.is_external or entry.node.parent_id not in left_out)
    ]


def quoted(observations: Sequence[Interaction]) -> str:
    """Observations as an agent may send them along, each line quoted, below who says so; "" where there are none."""
    said = [
        f"{each.node.meta.get('task_title') or each.node.author}:\n{each.content.strip()}"
        for each in observations
        if each.kind == OBSERVATION.name and "task" in each.node.meta
        and not (each.node.meta.get("failed") or each.node.meta.get("fine"))
    ]  # fmt: skip
    return "\n\n".join("\n".join(f"> {line}".rstrip() for line in each.splitlines()) for each in said)
