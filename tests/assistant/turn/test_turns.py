"""What a turn writes and reports, with a provider that follows a script."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest
from scripted_provider import Pause, ScriptedProvider, words
from turn_desk import AGENT, TASK, TurnDesk, a_desk, collected, ended, shown, started

from assistant.errors import Fault, PlanStoppedError, ProviderError, StalePlanError
from assistant.plan.plan import PlanSettings, StrategyName, Verdict
from assistant.provider.provider import Ended, TextChunk, Waiting
from assistant.turn.events import AnswerGrew, TurnEnded, TurnEvent, TurnStarted, TurnWaiting
from storage.errors import NotFoundError, TurnRunningError, UnwritableError
from storage.interactions import Status
from storage.sqlite_store import memory_store, open_store
from storage.store import Store

BUSY = ProviderError(Fault.SERVER, "models.example failed with status 500.", "Ask again in a moment.", status_code=500)


@pytest.fixture
def store() -> Iterator[Store]:
    record = memory_store()
    yield record
    record.close()


async def test_question_and_answer_are_in_the_record_and_chosen(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("Bonjour", " Sophie")))
    conversation = desk.opened()
    ticket_id = store.selected(conversation.id)

    events = await collected(desk.send(conversation, "a first draft"))

    question, answer = started(events).question, ended(events).answer
    assert question is not None
    assert (question.parent_id, question.author, question.preview) == (ticket_id, AGENT, "a first draft")
    assert (answer.parent_id, answer.author, answer.status) == (question.id, "scripted-1", Status.COMPLETE)
    assert answer.detail == {"finish_reason": "stop", "halt": "complete", "steps": 1}
    assert desk.leaf(conversation).content == "Bonjour Sophie"
    assert ended(events).shown_id == store.selected(conversation.id) == answer.id


async def test_events_come_in_order(store: Store) -> None:
    waiting = Waiting(1, 2.0, "models.example is asked too often right now.")
    desk = a_desk(store, ScriptedProvider([waiting, *words("Bonjour", " Sophie")]))

    events = await collected(desk.send(desk.opened(), "a first draft"))

    kinds = [type(event) for event in events]
    assert kinds[:2] == [TurnStarted, TurnWaiting]
    assert set(kinds[2:-1]) == {AnswerGrew}
    assert kinds[-1] is TurnEnded
    assert shown(events) == "Bonjour Sophie"


async def test_each_piece_is_in_the_record_before_it_is_reported(store: Store) -> None:
    texts = [f"word {number} " for number in range(20)]
    steps = [step for text in texts for step in (TextChunk(text), Pause.UNTIL_TOLD)]
    provider = ScriptedProvider([*steps, Ended("stop")])
    desk = a_desk(store, provider)
    conversation = desk.opened()

    painted = ""
    async for event in desk.send(conversation, "a first draft"):
        if isinstance(event, AnswerGrew):
            painted += event.text
            assert desk.leaf(conversation).content == painted
            provider.go_on()

    assert painted == "".join(texts)


async def test_pieces_that_come_together_are_written_together(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    add_text = store.add_text

    def counted(conversation_id: int, node_id: int, text: str) -> None:
        written.append(text)
        add_text(conversation_id, node_id, text)

    monkeypatch.setattr(store, "add_text", counted)
    texts = [f"{number} " for number in range(500)]
    desk = a_desk(store, ScriptedProvider(words(*texts)), batch_s=0.1)

    await desk.asked(desk.opened(), "count")

    assert "".join(written) == "".join(texts)
    assert len(written) <= 2


async def test_the_answer_says_what_it_was_asked_with(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("Bonjour")))
    conversation = desk.opened()
    ticket_id = store.selected(conversation.id)
    total = desk.plan(conversation, ticket_id, "a first draft").total

    answer = await desk.asked(conversation, "a first draft")

    assert answer.meta == {
        "task": "draft-reply",
        "task_version": "0123456789ab",
        "task_title": "Draft reply",
        "audience": "customer",
        "provider": "scripted",
        "base_url": "http://scripted.invalid/v1",
        "model": "scripted-1",
        "strategy": "cut",
        "budget": 100_000,
        "prompt_tokens": total,
        "ticket_sent": True,
        "kept_from": ticket_id,
    }


async def test_the_request_row_holds_the_plan_with_the_ids_of_the_record(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("Bonjour")))
    conversation = desk.opened()
    ticket_id = store.selected(conversation.id)
    events = await collected(desk.send(conversation, "a first draft"))
    question = started(events).question
    assert question is not None

    (request,) = store.requests(conversation.id, ended(events).answer.id)

    items = request.plan["interactions"]
    assert isinstance(items, list)
    assert [item["id"] for item in items] == [None, ticket_id, question.id]
    assert (request.task, request.task_version, request.model) == ("draft-reply", "0123456789ab", "scripted-1")
    assert (request.params, request.status_code, request.response) == ({"temperature": 0}, 200, b"Bonjour")


async def test_what_is_sent_is_the_chain_of_the_plan_that_was_shown(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour"))
    desk = a_desk(store, provider)
    conversation = desk.opened()
    for text in ("a first draft", "shorter", "now in English"):
        plan = desk.plan(conversation, store.selected(conversation.id), text)
        await desk.asked(conversation, text)
        assert provider.chains[-1] == plan.chain


async def test_text_that_no_file_can_hold_is_sent_as_it_is_recorded(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour \ud83d", "\x00!"))
    desk = a_desk(store, provider)
    conversation = desk.opened()

    events = await collected(desk.send(conversation, "half a smile: \ud83d"))

    question, answer = store.path(conversation.id, ended(events).answer.id)[-2:]
    assert shown(events) == answer.content
    assert provider.chains[0][-1].content == question.content == "half a smile: \ufffd"
    assert answer.content == "Bonjour \ufffd\x00!"


@pytest.mark.parametrize(
    ("finish_reason", "status", "detail"),
    [
        ("stop", Status.COMPLETE, {"finish_reason": "stop"}),
        ("length", Status.LENGTH, {"finish_reason": "length", "incomplete": True}),
        ("", Status.COMPLETE, {"finish_reason": "", "incomplete": True}),
    ],
)
async def test_the_final_row_says_how_the_answer_ended(
    store: Store, finish_reason: str, status: Status, detail: dict[str, object]
) -> None:
    desk = a_desk(store, ScriptedProvider(words("Bonjour", finish_reason=finish_reason)))

    answer = await desk.asked(desk.opened(), "a first draft")

    assert (answer.status, answer.detail) == (status, {**detail, "halt": "complete", "steps": 1})


# failures


async def test_a_failure_keeps_question_and_text_and_says_what_to_do(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider([TextChunk("Bonjour"), TextChunk(" So"), BUSY]))
    conversation = desk.opened()

    events = await collected(desk.send(conversation, "a first draft"))

    answer = ended(events).answer
    assert answer.status is Status.ERROR
    assert answer.detail == {
        "error": {
            "kind": "server_error",
            "message": "models.example failed with status 500.",
            "advice": "Ask again in a moment.",
        },
        "incomplete": True,
        "halt": "failed",
        "steps": 1,
    }
    assert desk.leaf(conversation).content == shown(events) == "Bonjour So"
    assert store.path(conversation.id, answer.id)[-2].content == "a first draft"


async def test_a_failed_first_answer_stays_shown_and_the_conversation_goes_on(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider([BUSY], words("Bonjour")))
    conversation = desk.opened()

    failed = ended(await collected(desk.send(conversation, "a first draft")))
    assert failed.shown_id == store.selected(conversation.id) == failed.answer.id

    again = ended(await collected(desk.ask_again(conversation, failed.answer.id))).answer
    assert (again.status, again.replaces_id, again.n, again.m) == (Status.COMPLETE, failed.answer.id, 2, 2)


async def test_an_unforeseen_failure_is_raised_after_the_final_row(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider([TextChunk("Bonjour"), KeyError("oops")]))
    conversation = desk.opened()
    events: list[TurnEvent] = []

    with pytest.raises(KeyError):
        await collected(desk.send(conversation, "a first draft"), events)

    assert ended(events).answer.status is Status.ERROR
    assert desk.leaf(conversation).content == "Bonjour"
    assert desk.turns.running == frozenset()


async def test_when_the_record_cannot_be_written_the_turn_says_so(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def disk_full(*_: object) -> None:
        raise UnwritableError("The disk is full. Free some space and try again.")

    monkeypatch.setattr(store, "add_text", disk_full)
    desk = a_desk(store, ScriptedProvider(words("Bonjour")))
    conversation = desk.opened()
    events: list[TurnEvent] = []

    with pytest.raises(UnwritableError):
        await collected(desk.send(conversation, "a first draft"), events)

    error = ended(events).answer.detail["error"]
    assert isinstance(error, dict)
    assert error["message"] == "The disk is full. Free some space and try again."
    assert shown(events) == ""


# plans that must not be sent


def tight(strategy: StrategyName = StrategyName.CUT, budget: int = 150) -> PlanSettings:
    return PlanSettings(strategy=strategy, budget=budget)


async def test_a_plan_without_the_ticket_stops_and_names_the_choices(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour"))
    desk = a_desk(store, provider, settings=tight())
    conversation = desk.opened(text="x" * 2_000)
    head = store.head(conversation.id)

    with pytest.raises(PlanStoppedError, match=r"select.*raise the budget.*shorten.*on purpose"):
        await collected(desk.send(conversation, "a first draft"))

    assert store.head(conversation.id) == head
    assert provider.chains == []


async def test_a_plan_without_the_ticket_is_sent_on_purpose(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour"))
    desk = a_desk(store, provider, settings=tight())
    conversation = desk.opened(text="x" * 2_000)

    events = await collected(desk.send(conversation, "a first draft", on_purpose=True))

    assert [message.content for message in provider.chains[0]] == ["You draft replies.", "a first draft"]
    assert ended(events).answer.meta["ticket_sent"] is False


@pytest.mark.parametrize(
    ("settings", "verdict", "words_of_it"),
    [
        (tight(), Verdict.NEWEST_TOO_LARGE, "Your message needs 250 tokens"),
        (tight(StrategyName.SELECT), Verdict.FIXED_TOO_LARGE, "What is always sent needs"),
    ],
)
async def test_what_can_never_fit_stops_even_on_purpose(
    store: Store, settings: PlanSettings, verdict: Verdict, words_of_it: str
) -> None:
    desk = a_desk(store, ScriptedProvider(words("Bonjour")), settings=settings)
    conversation = desk.opened(text="x" * 2_000)
    text = "a" * 1_000
    assert desk.plan(conversation, store.selected(conversation.id), text).verdict is verdict

    with pytest.raises(PlanStoppedError, match=words_of_it):
        await collected(desk.send(conversation, text, on_purpose=True))


async def test_a_conversation_that_changed_since_the_plan_was_shown_stops_the_send(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour"))
    desk = a_desk(store, provider)
    conversation = desk.opened()
    ticket_id = store.selected(conversation.id)
    shown_plan = desk.plan(conversation, ticket_id, "a first draft")
    await desk.asked(conversation, "something else")
    head = store.head(conversation.id)

    leaf_id = store.selected(conversation.id)
    with pytest.raises(StalePlanError, match="changed since"):
        await collected(desk.turns.send(conversation, leaf_id, "a first draft", shown_plan, desk.settings, TASK))

    assert store.head(conversation.id) == head
    assert len(provider.chains) == 1


async def test_words_other_than_those_that_were_planned_are_not_sent(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("Bonjour")))
    conversation = desk.opened()
    ticket_id = store.selected(conversation.id)
    plan = desk.plan(conversation, ticket_id, "a first draft")

    with pytest.raises(StalePlanError):
        await collected(desk.turns.send(conversation, ticket_id, "another draft", plan, desk.settings, TASK))


async def test_a_node_of_another_conversation_is_not_found(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("Bonjour")))
    mine, other = desk.opened("T-1"), desk.opened("T-2")
    other_ticket = store.selected(other.id)
    plan = desk.plan(other, other_ticket, "a first draft")

    with pytest.raises(NotFoundError):
        await collected(desk.turns.send(mine, other_ticket, "a first draft", plan, desk.settings, TASK))


# siblings


async def test_an_edited_message_becomes_a_sibling_with_an_answer_of_its_own(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("first"), words("second")))
    conversation = desk.opened()
    ticket_id = store.selected(conversation.id)
    first = started(await collected(desk.send(conversation, "a draft"))).question
    assert first is not None

    events = await collected(desk.send(conversation, "a friendly draft", at_id=ticket_id, replaces_id=first.id))

    edited = started(events).question
    assert edited is not None
    assert (edited.parent_id, edited.replaces_id, edited.n, edited.m) == (ticket_id, first.id, 2, 2)
    assert (ended(events).answer.replaces_id, desk.leaf(conversation).content) == (None, "second")


async def test_asking_again_makes_a_sibling_of_the_answer_from_the_same_request(store: Store) -> None:
    provider = ScriptedProvider(words("first"), words("second"))
    desk = a_desk(store, provider)
    conversation = desk.opened()
    first = await desk.asked(conversation, "a draft")

    events = await collected(desk.ask_again(conversation, first.id))

    second = ended(events).answer
    assert started(events).question is None
    assert (second.parent_id, second.replaces_id, second.n) == (first.parent_id, first.id, 2)
    assert provider.chains[0] == provider.chains[1]
    assert desk.leaf(conversation).content == "second"


async def test_a_question_and_a_ticket_can_be_asked_themselves(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour"))
    desk = a_desk(store, provider)
    conversation = desk.opened()
    ticket_id = store.selected(conversation.id)

    of_ticket = ended(await collected(desk.ask_again(conversation, ticket_id))).answer
    question = store.add_message(conversation.id, of_ticket.id, AGENT, "shorter")
    of_question = ended(await collected(desk.ask_again(conversation, question.id))).answer

    assert (of_ticket.parent_id, of_ticket.replaces_id) == (ticket_id, None)
    assert (of_question.parent_id, of_question.replaces_id) == (question.id, None)
    assert [message.content for message in provider.chains[1]][-2:] == ["Bonjour", "shorter"]


async def test_the_root_cannot_be_asked(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("Bonjour")))
    conversation = desk.opened()
    root = store.nodes(conversation.id)[0]
    plan = desk.plan(conversation, store.selected(conversation.id), None)

    with pytest.raises(PlanStoppedError, match="nothing here to ask"):
        await collected(desk.turns.ask_again(conversation, root.id, plan, desk.settings, TASK))


async def test_after_a_failed_ask_again_the_last_good_answer_is_shown_where_the_agent_had_been(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("first"), words("shorter"), [BUSY]))
    conversation = desk.opened()
    first = await desk.asked(conversation, "a draft")
    follow_up = await desk.asked(conversation, "make it shorter")

    events = await collected(desk.ask_again(conversation, first.id))

    failed = ended(events)
    assert (failed.answer.status, failed.answer.replaces_id) == (Status.ERROR, first.id)
    assert failed.shown_id == store.selected(conversation.id) == follow_up.id


async def test_after_a_second_failed_ask_again_the_good_answer_is_still_found(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("first"), [BUSY]))
    conversation = desk.opened()
    first = await desk.asked(conversation, "a draft")
    failed = ended(await collected(desk.ask_again(conversation, first.id))).answer

    again = ended(await collected(desk.ask_again(conversation, failed.id)))

    assert again.answer.replaces_id == failed.id
    assert again.shown_id == store.selected(conversation.id) == first.id


# one at a time, several at once


async def test_a_conversation_takes_one_turn_at_a_time(store: Store) -> None:
    provider = ScriptedProvider([TextChunk("Bonjour"), Pause.UNTIL_TOLD, Ended("stop")])
    desk = a_desk(store, provider)
    conversation = desk.opened()
    first = asyncio.create_task(collected(desk.send(conversation, "a draft")))
    await provider.paused.wait()

    assert desk.turns.running == {conversation.id}
    with pytest.raises(TurnRunningError, match="still being written"):
        await collected(desk.send(conversation, "shorter"))

    provider.go_on()
    assert ended(await first).answer.status is Status.COMPLETE
    assert desk.turns.running == frozenset()


async def test_the_next_turn_may_begin_as_soon_as_the_end_is_reported(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("Bonjour")))
    conversation = desk.opened()
    answers = 0
    async for event in desk.send(conversation, "a draft"):
        if isinstance(event, TurnEnded):
            answers += 1
            assert (await desk.asked(conversation, "shorter")).status is Status.COMPLETE
            assert desk.turns.running == frozenset()

    assert answers == 1


async def test_another_window_on_the_same_file_is_refused_meanwhile(tmp_path: Path) -> None:
    here, there = open_store(tmp_path / "desk.db"), open_store(tmp_path / "desk.db")
    provider = ScriptedProvider([TextChunk("Bonjour"), Pause.UNTIL_TOLD, Ended("stop")])
    desk, window = a_desk(here, provider), a_desk(there, ScriptedProvider(words("Salut")))
    conversation = desk.opened()
    ticket_id = here.selected(conversation.id)
    first = asyncio.create_task(collected(desk.send(conversation, "a draft")))
    await provider.paused.wait()

    with pytest.raises(TurnRunningError):
        await collected(window.send(conversation, "another draft", at_id=ticket_id))
    provider.go_on()
    await first

    assert (await window.asked(conversation, "shorter")).status is Status.COMPLETE
    here.close()
    there.close()


async def test_late_answers_of_two_conversations_land_where_they_belong(store: Store) -> None:
    slow, quick = (
        ScriptedProvider([TextChunk(text), Pause.UNTIL_TOLD, TextChunk(f"{text}!"), Ended("stop")])
        for text in ("slow", "quick")
    )
    slow_desk, quick_desk = a_desk(store, slow), a_desk(store, quick)
    on_slow, on_quick = slow_desk.opened("T-1"), quick_desk.opened("T-2")
    slow_turn = asyncio.create_task(collected(slow_desk.send(on_slow, "a draft")))
    await slow.paused.wait()
    quick_turn = asyncio.create_task(collected(quick_desk.send(on_quick, "a draft")))
    await quick.paused.wait()

    quick.go_on()
    quick_events = await quick_turn
    slow.go_on()
    slow_events = await slow_turn

    assert {event.conversation_id for event in slow_events} == {on_slow.id}
    assert {event.conversation_id for event in quick_events} == {on_quick.id}
    assert slow_desk.leaf(on_slow).content == shown(slow_events) == "slowslow!"
    assert quick_desk.leaf(on_quick).content == shown(quick_events) == "quickquick!"


# stopping


async def stopped_midway(desk: TurnDesk) -> list[TurnEvent]:
    conversation = desk.opened()
    events: list[TurnEvent] = []
    async for event in desk.send(conversation, "a draft"):
        events.append(event)
        if shown(events) == "Bonjour Sophie" and not isinstance(event, TurnEnded):
            assert desk.turns.stop(conversation.id)
    return events


async def test_stopping_keeps_what_was_shown_and_closes_the_call(store: Store) -> None:
    provider = ScriptedProvider([TextChunk("Bonjour"), TextChunk(" Sophie"), Pause.FOR_EVER])
    desk = a_desk(store, provider)

    events = await stopped_midway(desk)

    answer = ended(events).answer
    assert answer.status is Status.INTERRUPTED
    assert answer.detail == {"incomplete": True, "halt": "stopped", "steps": 1}
    assert shown(events) == "Bonjour Sophie"
    assert ended(events).shown_id == answer.id
    assert provider.closed == 1
    (request,) = store.requests(answer.conversation_id, answer.id)
    assert request.response == b"Bonjour Sophie"


async def test_stopping_where_nothing_runs_is_harmless(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("Bonjour")))

    assert not desk.turns.stop(desk.opened().id)
    await desk.turns.aclose()


async def test_closing_the_iterator_stops_the_turn(store: Store) -> None:
    provider = ScriptedProvider([TextChunk("Bonjour"), Pause.FOR_EVER])
    desk = a_desk(store, provider)
    conversation = desk.opened()
    events = desk.send(conversation, "a draft")
    assert isinstance(events, AsyncGenerator)

    async with aclosing(events):
        async for event in events:
            if isinstance(event, AnswerGrew):
                break

    assert desk.leaf(conversation).node.status is Status.INTERRUPTED
    assert desk.leaf(conversation).content == "Bonjour"
    assert provider.closed == 1


async def test_closing_all_turns_writes_all_finals(store: Store) -> None:
    providers = [ScriptedProvider([TextChunk("Bonjour"), Pause.FOR_EVER]) for _ in range(3)]
    desks = [a_desk(store, provider) for provider in providers]
    conversations = [desk.opened(f"T-{number}") for number, desk in enumerate(desks)]
    turns = [
        asyncio.create_task(collected(desk.send(conversation, "a draft")))
        for desk, conversation in zip(desks, conversations, strict=True)
    ]
    for provider in providers:
        await provider.paused.wait()

    await asyncio.gather(*(desk.turns.aclose() for desk in desks))

    for desk, conversation in zip(desks, conversations, strict=True):
        assert desk.leaf(conversation).node.status is Status.INTERRUPTED
        assert desk.turns.running == frozenset()
    assert all([ended(await turn).answer.status is Status.INTERRUPTED for turn in turns])
