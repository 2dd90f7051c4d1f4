"""The self-check: a call of its own after a complete answer, kept beside it, which changes nothing."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace

import pytest
from fake_openai import FakeOpenAI
from scripted_provider import Pause, ScriptedProvider, Step, words
from turn_desk import TASK, TurnDesk, a_desk, collected, ended, shown

from assistant.audit.isolation import check_isolation
from assistant.audit.tracing import trace_answer
from assistant.builtin.assistant import BuiltinAssistant
from assistant.errors import Fault, ProviderError
from assistant.plan.plan import PlanSettings
from assistant.provider.model_settings import ModelSettings
from assistant.provider.openai_provider import OpenAIProvider
from assistant.provider.provider import Provider, TextChunk, Waiting
from assistant.tasks.registry import Tasks
from assistant.tokens.counters import EstimateCounter
from assistant.turn.events import TurnStep
from assistant.turn.self_check import Fulfilled, SelfCheck, read_check
from storage.interactions import Interaction, Node, Status
from storage.kinds import SELF_CHECK
from storage.sqlite_store import memory_store
from storage.store import Store

CHECKING = Tasks().get("self-check")
NO = '{"fulfilled": false, "missing": "The date of delivery."}'
YES = '```json\n{"fulfilled": true, "missing": ""}\n```'


@pytest.fixture
def store() -> Iterator[Store]:
    record = memory_store()
    yield record
    record.close()


def checked_desk(store: Store, provider: Provider, settings: PlanSettings | None = None) -> TurnDesk:
    checker = SelfCheck(store, provider, Tasks(), EstimateCounter())
    return a_desk(store, provider, checker=checker, settings=settings or PlanSettings(budget=100_000))


def scripted_desk(store: Store, *scripts: Sequence[Step]) -> tuple[TurnDesk, ScriptedProvider]:
    provider = ScriptedProvider(*scripts)
    return checked_desk(store, provider), provider


def check_of(store: Store, answer: Node) -> Interaction | None:
    branch = store.branch(answer.conversation_id, answer.id)
    return next((entry for entry in branch if entry.kind == SELF_CHECK.name), None)


def system_of(name: str, version: str) -> str | None:
    return {"self-check": CHECKING.system, TASK.name: TASK.system}.get(name)


@pytest.mark.parametrize(
    ("said", "fulfilled", "why"),
    [
        (NO, "no", "The date of delivery."),
        (YES, "yes", ""),
        ("I think so.", "unknown", "The check gave no clear answer."),
    ],
)
async def test_what_the_check_says_is_kept_beside_the_answer_which_stays(
    store: Store, said: str, fulfilled: str, why: str
) -> None:
    desk, provider = scripted_desk(store, words("Bonjour"), words(said))

    events = await collected(desk.send(desk.opened(), "a draft with the date"))

    answer = ended(events).answer
    check = check_of(store, answer)
    assert check is not None
    assert (check.node.meta["fulfilled"], check.content, check.node.author) == (fulfilled, why, "scripted-1")
    assert (answer.status, shown(events)) == (Status.COMPLETE, "Bonjour")
    assert any("Checking" in event.what for event in events if isinstance(event, TurnStep))
    system, ticket, asked = provider.chains[1]
    assert system.content == CHECKING.system
    assert ticket == provider.chains[0][1]
    assert '{"request": "a draft with the date", "answer": "Bonjour"}' in asked.content
    assert provider.prompts[1].contract == CHECKING.contract


async def test_the_end_is_told_once_the_check_is_over(store: Store) -> None:
    desk, _ = scripted_desk(store, words("Bonjour"), words(YES))
    conversation = desk.opened()

    async for event in desk.send(conversation, "a draft"):
        last = event

    assert last is not None
    assert check_of(store, desk.leaf(conversation).node) is not None


async def test_asked_on_the_ticket_itself_there_is_no_request_to_compare_with(store: Store) -> None:
    desk, provider = scripted_desk(store, words("Bonjour"), words(YES))
    conversation = desk.opened()

    await collected(desk.ask_again(conversation, store.selected(conversation.id)))

    assert '{"request": null, "answer": "Bonjour"}' in provider.chains[1][-1].content


async def test_a_busy_server_is_waited_for_in_sight(store: Store) -> None:
    waiting = Waiting(1, 2.0, "models.example is asked too often right now.")
    desk, _ = scripted_desk(store, words("Bonjour"), [waiting, *words(YES)])

    events = await collected(desk.send(desk.opened(), "a draft"))

    steps = [event.what for event in events if isinstance(event, TurnStep)]
    assert steps[1] == "models.example is asked too often right now. Trying again in 2 s."
    check = check_of(store, ended(events).answer)
    assert check is not None
    assert check.node.meta["fulfilled"] == "yes"


async def test_a_check_that_fails_is_unknown_and_the_answer_stands(store: Store) -> None:
    busy = ProviderError(Fault.SERVER, "models.example failed with status 500.", "Ask again in a moment.")
    desk, _ = scripted_desk(store, words("Bonjour"), [busy])

    answer = await desk.asked(desk.opened(), "a draft")

    check = check_of(store, answer)
    assert check is not None
    assert (check.node.meta["fulfilled"], check.content) == (
        "unknown",
        "The check failed. models.example failed with status 500.",
    )
    assert (answer.status, answer.detail["halt"]) == (Status.COMPLETE, "complete")


async def test_stopped_during_the_check_the_answer_stays_complete(store: Store) -> None:
    desk, provider = scripted_desk(store, words("Bonjour"), [TextChunk("{"), Pause.FOR_EVER])
    conversation = desk.opened()

    async def stopped() -> AsyncIterator[object]:
        async for event in desk.send(conversation, "a draft"):
            yield event
            if isinstance(event, TurnStep):
                await provider.paused.wait()
                desk.turns.stop(conversation.id)

    events = [event async for event in stopped()]

    answer = desk.leaf(conversation).node
    assert events
    assert (answer.status, answer.detail["halt"]) == (Status.COMPLETE, "complete")
    assert check_of(store, answer) is None
    assert all(request.latency_ms is not None for request in store.requests(conversation.id, answer.id))


async def test_an_answer_that_failed_is_not_checked(store: Store) -> None:
    busy = ProviderError(Fault.SERVER, "models.example failed with status 500.", "Ask again in a moment.")
    desk, provider = scripted_desk(store, [TextChunk("Bon"), busy])

    answer = await desk.asked(desk.opened(), "a draft")

    assert (check_of(store, answer), len(provider.chains)) == (None, 1)


async def test_the_built_in_assistant_is_not_checked(store: Store) -> None:
    desk = checked_desk(store, BuiltinAssistant(pace_s=0))

    answer = await desk.asked(desk.opened(), "a draft")

    assert check_of(store, answer) is None


async def test_a_check_that_does_not_fit_the_budget_is_not_made(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour " * 500))
    desk = checked_desk(store, provider, PlanSettings(budget=300))

    answer = await desk.asked(desk.opened(), "a draft")

    check = check_of(store, answer)
    assert check is not None
    assert (check.node.meta["fulfilled"], check.content) == ("unknown", "The check does not fit the budget.")
    assert len(provider.chains) == 1


async def test_the_check_can_be_audited_like_any_request(store: Store) -> None:
    with FakeOpenAI() as server:
        provider = OpenAIProvider(ModelSettings(model="ok", base_url=server.url))
        desk = checked_desk(store, provider)
        answer = await desk.asked(desk.opened(), "a draft")
        await provider.aclose()

    evidence = trace_answer(store, answer.conversation_id, answer.id, system_of)
    found = check_isolation(store, system_of=system_of, boilerplate=())

    assert [(each.request.task, each.request.attempt) for each in evidence] == [("draft-reply", 1), ("self-check", 2)]
    assert [problem for each in evidence for problem in each.problems] == []
    assert found.leaks == ()
    forged = store.requests(answer.conversation_id, answer.id)[1]
    assert b"Hello" in (forged.body or b"")


@pytest.mark.parametrize(
    ("text", "fulfilled"),
    [
        ('{"fulfilled": true}', Fulfilled.YES),
        ('{"fulfilled": "yes"}', Fulfilled.UNKNOWN),
        ('{"fulfilled": 1, "missing": ""}', Fulfilled.UNKNOWN),
        ("", Fulfilled.UNKNOWN),
        ("[" * 10_000, Fulfilled.UNKNOWN),
    ],
)
def test_only_a_clear_word_counts(text: str, fulfilled: Fulfilled) -> None:
    assert read_check(text)[0] is fulfilled


def test_no_agent_can_choose_the_task() -> None:
    assert not CHECKING.may_choose("camille")
    assert replace(CHECKING).is_internal
