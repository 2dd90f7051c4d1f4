"""Observers: recorded calls of their own about a complete answer, made of its conversation and nothing else."""

import asyncio
from collections.abc import Iterator

import pytest
from fake_openai import FakeOpenAI
from scripted_provider import Pause, ScriptedProvider, words
from turn_desk import TASK, TurnDesk, a_desk

from assistant.audit.isolation import check_isolation
from assistant.audit.tracing import trace_answer
from assistant.builtin.assistant import BuiltinAssistant
from assistant.errors import Fault, NoObserverError, ProviderError, TaskError
from assistant.plan.plan import PlanSettings
from assistant.provider.model_settings import ModelSettings
from assistant.provider.openai_provider import OpenAIProvider
from assistant.provider.provider import Provider, TextChunk, Waiting
from assistant.tasks.registry import Tasks
from assistant.tasks.task import Task
from assistant.tokens.counters import EstimateCounter
from assistant.turn.events import TurnEvent, TurnPreparing
from assistant.turn.observing import Observing, is_fine, quoted
from storage.interactions import Interaction, Node
from storage.kinds import OBSERVATION
from storage.sqlite_store import memory_store
from storage.store import Store

TONE, POLICY = Tasks().get("tone"), Tasks().get("policy-check")
ROOMY = PlanSettings(budget=100_000)


@pytest.fixture
def store() -> Iterator[Store]:
    record = memory_store()
    yield record
    record.close()


def system_of(name: str, version: str) -> str | None:
    return {TONE.name: TONE.system, POLICY.name: POLICY.system, TASK.name: TASK.system}.get(name)


async def observed(
    desk: TurnDesk, provider: Provider, answer: Node, *tasks: Task, settings: PlanSettings = ROOMY
) -> list[TurnEvent]:
    events: list[TurnEvent] = []
    await Observing(desk.store, provider, EstimateCounter()).observe(answer, tasks, settings, events.append)
    return events


def observations(store: Store, answer: Node) -> list[Interaction]:
    return [each for each in store.branch(answer.conversation_id, answer.id) if each.kind == OBSERVATION.name]


async def test_a_busy_server_is_waited_for_in_sight(store: Store) -> None:
    waiting = Waiting(1, 2.0, "models.example is asked too often right now.")
    provider = ScriptedProvider(words("Bonjour"), [waiting, *words("Court.")])
    desk = a_desk(store, provider)
    answer = await desk.asked(desk.opened(), "a draft")

    events = await observed(desk, provider, answer, TONE)

    said = [event.what for event in events if isinstance(event, TurnPreparing)]
    assert said == ["Observing: Tone…", "models.example is asked too often right now. Trying again in 2 s."]
    assert [each.content for each in observations(store, answer)] == ["Court."]


async def test_each_observer_reads_the_branch_with_its_own_instructions_and_leaves_what_it_says(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour"), words("Court."), words("Trop sec."), words("OK."))
    desk = a_desk(store, provider)
    conversation = desk.opened()
    await desk.asked(conversation, "a draft")
    answer = await desk.asked(conversation, "shorter")

    events = await observed(desk, provider, answer, TONE, POLICY)

    said = observations(store, answer)
    assert [(each.content, each.node.author) for each in said] == [("Trop sec.", "scripted-1"), ("OK.", "scripted-1")]
    assert [each.node.meta["task"] for each in said] == ["tone", "policy-check"]
    assert [each.node.meta["fine"] for each in said] == [False, True]
    assert said[0].node.meta["task_version"] == TONE.version
    assert [event.what for event in events if isinstance(event, TurnPreparing)] == [
        "Observing: Tone…", "Observing: Policy check…",
    ]  # fmt: skip
    system, ticket, draft, first, asked = provider.chains[2]
    assert (system.content, ticket) == (TONE.system, provider.chains[0][1])
    assert (draft.content, first.content) == ("a draft", "Bonjour")
    assert '{"request": "shorter", "answer": "Court."}' in asked.content
    assert "Trop sec" not in str(provider.chains[3])
    assert store.node(conversation.id, store.selected(conversation.id)) == answer


async def test_a_later_request_holds_nothing_of_what_was_observed(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour"), words("zqtoocurt"), words("Court."))
    desk = a_desk(store, provider)
    conversation = desk.opened()
    answer = await desk.asked(conversation, "a draft")
    await observed(desk, provider, answer, TONE)
    await desk.asked(conversation, "shorter")
    assert "zqtoocurt" not in str(provider.chains[-1])


async def test_what_does_not_fit_is_cut_but_the_ticket_stays_and_what_cannot_fit_is_not_sent(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour " * 400), words("Court."), words("OK"))
    desk = a_desk(store, provider)
    conversation = desk.opened()
    await desk.asked(conversation, "a draft")
    answer = await desk.asked(conversation, "shorter")
    await observed(desk, provider, answer, TONE, settings=PlanSettings(budget=700))
    assert "colis" in provider.chains[2][1].content
    assert len(provider.chains[2]) == 3
    await observed(desk, provider, answer, TONE, settings=PlanSettings(budget=50))
    assert len(provider.chains) == 3
    assert observations(store, answer)[-1].content.startswith("Not observed: what it needs does not fit")


async def test_a_call_that_fails_is_said_and_the_next_observer_goes_on(store: Store) -> None:
    busy = ProviderError(Fault.SERVER, "models.example failed with status 500.", "Ask again in a moment.")
    provider = ScriptedProvider(words("Bonjour"), [busy], words("  "), [TextChunk("half")], words("Fine."))
    desk = a_desk(store, provider)
    answer = await desk.asked(desk.opened(), "a draft")
    await observed(desk, provider, answer, TONE, TONE, TONE, POLICY)
    said = observations(store, answer)
    assert [each.content for each in said] == [
        "Not observed. models.example failed with status 500.",
        "Not observed. The model returned no words.",
        "Not observed. The server closed the connection before the end.",
        "Fine.",
    ]
    assert [each.node.meta["failed"] for each in said] == [True, True, True, False]
    assert quoted(said) == "> Policy check:\n> Fine."


async def test_a_stop_keeps_what_was_observed_so_far(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour"), words("Trop sec."), [Pause.FOR_EVER])
    desk = a_desk(store, provider)
    answer = await desk.asked(desk.opened(), "a draft")
    provider.paused.clear()
    running = asyncio.create_task(observed(desk, provider, answer, TONE, POLICY))
    await provider.paused.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert [each.content for each in observations(store, answer)] == ["Trop sec."]


async def test_the_built_in_assistant_observes_nothing_and_a_broken_answer_is_not_observed(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour", finish_reason="length"))
    desk = a_desk(store, provider)
    answer = await desk.asked(desk.opened(), "a draft")
    with pytest.raises(NoObserverError, match="complete answers only"):
        await observed(desk, provider, answer, TONE)
    with pytest.raises(NoObserverError, match="need a language model"):
        await observed(desk, BuiltinAssistant(pace_s=0), answer, TONE)
    assert observations(store, answer) == []


async def test_every_part_of_each_call_has_an_origin_and_none_holds_words_of_another_ticket(store: Store) -> None:
    with FakeOpenAI() as server:
        provider = OpenAIProvider(ModelSettings("ok", server.url, "sk-0123456789"))
        desk = a_desk(store, provider)
        answers = []
        for ticket_id, canary in (("T-1", "zqhedgehog"), ("T-2", "zqkettle")):
            conversation = desk.opened(ticket_id, f"My {canary} has not come and I want it before the week is over.")
            await desk.asked(conversation, f"a draft about the {canary}")
            answers.append(await desk.asked(conversation, f"shorter, for the {canary}"))
        for answer in answers:
            await observed(desk, provider, answer, TONE, POLICY)
        await provider.aclose()

    for request in server.requests:
        assert len({canary for canary in ("zqhedgehog", "zqkettle") if canary in str(request.messages)}) == 1
    for answer in answers:
        evidence = trace_answer(store, answer.conversation_id, answer.id, system_of)
        assert [(each.request.task, each.request.attempt) for each in evidence] == [
            ("draft-reply", 1), ("tone", 2), ("policy-check", 3),
        ]  # fmt: skip
        assert [problem for each in evidence for problem in each.problems] == []
    assert check_isolation(store, system_of=system_of, boilerplate=()).leaks == ()


def test_who_observes_is_named_or_everybody_whom_the_agent_may_see() -> None:
    tasks = Tasks()
    assert [task.name for task in tasks.observers("camille")] == ["missing-question", "policy-check", "tone"]
    assert [task.name for task in tasks.observers("camille", ["tone"])] == ["tone"]
    with pytest.raises(TaskError, match="observes nothing"):
        tasks.observers("camille", ["shorten"])
    with pytest.raises(TaskError, match="cannot be chosen"):
        tasks.chosen_by("camille", "tone")
    assert "tone" not in [task.name for task in tasks.for_agent("camille")]


@pytest.mark.parametrize(("said", "fine"), [("OK", True), (" ok. ", True), ("OK, but curt.", False), ("", False)])
def test_fine_is_the_one_word(said: str, fine: bool) -> None:
    assert is_fine(said) is fine
