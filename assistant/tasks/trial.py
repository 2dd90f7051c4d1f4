"""Trying a task on requests of the past: asked anew, judged beside the old answers, and not recorded."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from assistant.builtin.assistant import NO_REPLY
from assistant.errors import ProviderError
from assistant.gates.branch_case import case_of
from assistant.gates.contract import contract_result
from assistant.gates.deciding import decide
from assistant.gates.gating import rules_of
from assistant.gates.results import GateResult
from assistant.plan.plan import Plan, PlanSettings
from assistant.plan.planner import make_plan
from assistant.plan.settings import plan_settings
from assistant.provider.provider import Ended, Exchange, Prompt, Provider, TextChunk
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter
from storage.interactions import Conversation, Interaction, Status
from storage.kinds import ASSISTANT_RESPONSE
from storage.store import Store


@dataclass(frozen=True, slots=True)
class PastRequest:
    """One answer of the past, and what would be sent for it now.

    Attributes:
        branch: the path to its question, each node followed by what hangs on it.
        answer: the old answer.
        plan: of the new task on the same branch.
    """

    ticket_id: str
    branch: tuple[Interaction, ...]
    answer: Interaction
    plan: Plan


@dataclass(frozen=True, slots=True)
class Trial:
    """The old answer and the new one beside each other.

    Attributes:
        before, now: what the gates say of each, by the new task's rules; `now` is empty where nothing came.
        failure: why nothing came, "" where an answer did.
        text: the new answer.
    """

    request: PastRequest
    before: tuple[GateResult, ...]
    now: tuple[GateResult, ...]
    failure: str = ""
    text: str = ""


def past_requests(
    store: Store, agent: str, task: Task, count: int, defaults: PlanSettings, counter: Counter
) -> list[PastRequest]:
    """The newest complete answers in this agent's conversations, and what would be sent for them.

    Answers of a task with the same name are taken; where there are none, those of every task. What the new task could
    not be sent for within the budget is left out.
    """
    calls = [call for call in store.calls(agent) if not call.failed]
    same = [call for call in calls if call.task == task.name]
    newest = sorted(same or calls, key=lambda call: (call.sent_at, call.request_id), reverse=True)
    found: list[PastRequest] = []
    for node_id, ticket_id in {call.node_id: call.ticket_id for call in newest}.items():
        if len(found) == count:
            break
        conversation = store.conversation(agent, ticket_id)
        if (request := _past(store, conversation, node_id, task, defaults, counter)) is not None:
            found.append(request)
    return found


def _past(
    store: Store, conversation: Conversation, node_id: int, task: Task, defaults: PlanSettings, counter: Counter
) -> PastRequest | None:
    node = store.node(conversation.id, node_id)
    is_answer = node.kind == ASSISTANT_RESPONSE.name and node.status is Status.COMPLETE
    if node.erased or not is_answer or node.parent_id is None:
        return None
    branch = tuple(store.branch(conversation.id, node.parent_id))
    settings = plan_settings(store.settings(conversation.id), defaults)
    plan = make_plan(branch, None, task, settings, counter)
    answer = store.path(conversation.id, node_id)[-1]
    return PastRequest(conversation.ticket_id, branch, answer, plan) if plan.may_send else None


async def try_on(requests: Iterable[PastRequest], task: Task, provider: Provider) -> AsyncIterator[Trial]:
    """Ask for each request anew and judge both answers; nothing is recorded.

    A failure of the provider is told with its request, and the next one is asked.
    """
    for request in requests:
        before = _judged(request, request.answer.content, _as_it_was(request, task))
        try:
            text, reason = await _asked(provider, Prompt(request.plan.chain, task))
        except ProviderError as error:
            yield Trial(request, before, (), f"{error.message} {error.advice}".strip())
            continue
        if reason == NO_REPLY:
            yield Trial(request, before, (), "The built-in assistant has no reply for it.", text)
        else:
            yield Trial(request, before, _judged(request, text, task), "", text)


async def _asked(provider: Provider, prompt: Prompt) -> tuple[str, str]:
    said, reason = [], ""
    async for chunk in provider.stream(prompt, _NOT_RECORDED):
        match chunk:
            case TextChunk():
                said.append(chunk.text)
            case Ended():
                reason = chunk.finish_reason
    return "".join(said), reason


def _as_it_was(request: PastRequest, task: Task) -> Task:
    """The new task with the form that the old answer has: it promised no other."""
    field = request.answer.node.meta.get("reply_field")
    if isinstance(field, str) and task.contract is not None:
        return replace(task, reply_field=field)
    return replace(task, contract=None, reply_field=field if isinstance(field, str) else "")


def _judged(request: PastRequest, text: str, task: Task) -> tuple[GateResult, ...]:
    answer = Interaction(request.answer.node, text)
    form = contract_result(text, task)
    results = decide(case_of([*request.branch, answer], task), rules_of(task))
    return results if form is None else (form, *results)


class _NotRecorded:
    """An `ExchangeLog` that keeps nothing."""

    async def sending(self, attempt: int, body: bytes) -> None:
        """Let it leave."""

    async def received(self, attempt: int, exchange: Exchange) -> None:
        """Let it go."""


_NOT_RECORDED: Final = _NotRecorded()


def differences(trials: Sequence[Trial]) -> list[tuple[Trial, GateResult | None, GateResult]]:
    """Where a rule decides otherwise about the new answer than about the old one; None where it did not decide then."""
    found = []
    for trial in trials:
        before = {result.rule: result for result in trial.before}
        for result in trial.now:
            was = before.get(result.rule)
            if was is None or was.result is not result.result:
                found.append((trial, was, result))
    return found
