"""Whenever a turn is cancelled, its answer has exactly one final row, and the record holds what was reported."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import pytest
from scripted_provider import Pause, ScriptedProvider, words
from settling_calls import cancel_during
from turn_desk import TurnDesk, a_desk, collected, shown

from assistant.provider.provider import TextChunk
from assistant.turn.events import TurnEnded, TurnEvent, TurnStarted
from storage.interactions import Conversation, Status
from storage.sqlite_store import memory_store
from storage.store import Store

WRITES = ("branch", "add_message", "begin_answer", "record_request", "add_text", "record_response", "finish")
TEXTS = ("Bonjour", " Sophie", ", merci", " !")


@pytest.fixture
def store() -> Iterator[Store]:
    record = memory_store()
    yield record
    record.close()


def check(desk: TurnDesk, conversation: Conversation, events: list[TurnEvent]) -> None:
    """The record is whole, and reported is what it holds."""
    assert desk.turns.running == frozenset()
    answers = desk.answers(conversation)
    finals = [event.answer for event in events if isinstance(event, TurnEnded)]
    assert len(answers) <= 1
    assert len(finals) <= len(answers)
    for answer in answers:
        assert answer.node.status in (Status.INTERRUPTED, Status.COMPLETE)
        assert answer.content.startswith(shown(events))
        assert "".join(TEXTS).startswith(answer.content)
        for request in desk.store.requests(conversation.id, answer.id):
            assert request.latency_ms is not None


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("occurrence", [1, 2])
@pytest.mark.parametrize("way", ["stop", "consumer"])
async def test_cancelled_during_a_call_of_the_record(
    store: Store, monkeypatch: pytest.MonkeyPatch, name: str, occurrence: int, way: str
) -> None:
    desk = a_desk(store, ScriptedProvider(words(*TEXTS)))
    conversation = desk.opened()
    sent = desk.send(conversation, "a draft")
    events: list[TurnEvent] = []
    consumer = asyncio.create_task(collected(sent, events))
    cancel = consumer.cancel if way == "consumer" else lambda: desk.turns.stop(conversation.id)
    cancel_during(store, monkeypatch, name, occurrence, cancel)

    with suppress(asyncio.CancelledError):
        await consumer
    monkeypatch.undo()

    check(desk, conversation, events)


@pytest.mark.parametrize("after", range(0, 60, 3))
async def test_cancelled_after_so_many_steps_of_the_event_loop(store: Store, after: int) -> None:
    desk = a_desk(store, ScriptedProvider(words(*TEXTS)))
    conversation = desk.opened()
    events: list[TurnEvent] = []
    consumer = asyncio.create_task(collected(desk.send(conversation, "a draft"), events))
    for _ in range(after):
        await asyncio.sleep(0)

    consumer.cancel()
    with suppress(asyncio.CancelledError):
        await consumer

    check(desk, conversation, events)


async def test_cancelled_twice_it_still_ends_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = a_desk(store, ScriptedProvider([TextChunk("Bonjour"), Pause.FOR_EVER]))
    conversation = desk.opened()
    events: list[TurnEvent] = []
    consumer = asyncio.create_task(collected(desk.send(conversation, "a draft"), events))
    cancel_during(store, monkeypatch, "finish", 1, consumer.cancel)
    cancel_during(store, monkeypatch, "record_response", 1, consumer.cancel)
    cancel_during(store, monkeypatch, "add_text", 1, consumer.cancel)

    with suppress(asyncio.CancelledError):
        await consumer

    (answer,) = desk.answers(conversation)
    assert (answer.node.status, answer.content) == (Status.INTERRUPTED, "Bonjour")


async def test_a_request_that_was_recorded_and_then_stopped_says_that_it_was_not_sent(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = a_desk(store, ScriptedProvider(words(*TEXTS)))
    conversation = desk.opened()
    cancel_during(store, monkeypatch, "record_request", 1, lambda: desk.turns.stop(conversation.id))

    await collected(desk.send(conversation, "a draft"))

    (answer,) = desk.answers(conversation)
    (request,) = store.requests(conversation.id, answer.id)
    assert request.error == "It was stopped before it was sent."


async def test_stopped_before_anything_was_written_it_writes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = a_desk(store, ScriptedProvider(words(*TEXTS)))
    conversation = desk.opened()
    head = store.head(conversation.id)
    sent = desk.send(conversation, "a draft")
    cancel_during(store, monkeypatch, "branch", 1, lambda: desk.turns.stop(conversation.id))

    assert await collected(sent) == []

    assert store.head(conversation.id) == head


def test_the_end_of_the_event_loop_ends_every_turn() -> None:
    with_answers: list[tuple[TurnDesk, Conversation]] = []
    record = memory_store()

    async def begin(number: int) -> None:
        provider = ScriptedProvider([TextChunk("Bonjour"), Pause.FOR_EVER])
        desk = a_desk(record, provider)
        conversation = desk.opened(f"T-{number}")
        with_answers.append((desk, conversation))
        begun = asyncio.Event()

        async def follow() -> None:
            async for event in desk.send(conversation, "a draft"):
                if isinstance(event, TurnStarted):
                    begun.set()

        followers.add(asyncio.create_task(follow()))
        await begun.wait()

    followers: set[asyncio.Task[None]] = set()

    async def leave_early() -> None:
        await asyncio.gather(*(begin(number) for number in range(3)))

    asyncio.run(leave_early())

    for desk, conversation in with_answers:
        assert desk.leaf(conversation).node.status is Status.INTERRUPTED
    record.close()
