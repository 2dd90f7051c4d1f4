"""From the plan on the screen to the bytes on the wire and back into the record, over a real connection."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Protocol

import pytest
from fake_openai import ANSWER, FakeOpenAI, Received, Trouble
from turn_desk import AGENT, ROOMY, TASK, TurnDesk, a_desk, collected, ended, shown

from assistant.plan.plan import Plan, PlanSettings, StrategyName, Verdict
from assistant.plan.planner import make_plan
from assistant.provider.model_settings import ModelSettings
from assistant.provider.openai_provider import OpenAIProvider
from assistant.tokens.counters import EstimateCounter
from assistant.turn.events import AnswerGrew, TurnEvent, TurnWaiting
from storage.interactions import Conversation, Status
from storage.sqlite_store import open_store
from storage.store import Store
from storage.tickets import IncomingTicket, Role, TicketMessage

KEY = "sk-secret-0123456789"
QUESTIONS = ("a first draft", "make it shorter", "friendlier", "more formal", "now in English 🇬🇧", 'say "désolé"')


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as running:
        yield running


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "desk.db"


@pytest.fixture
def store(database: Path) -> Iterator[Store]:
    with closing(open_store(database)) as record:
        yield record


async def no_sleep(seconds: float) -> None:
    """Do not wait."""


class Asking(Protocol):
    """Makes turns that ask the loopback server for a model."""

    def __call__(self, store: Store, server: FakeOpenAI, model: str, settings: PlanSettings = ROOMY) -> TurnDesk: ...


@pytest.fixture
async def asking() -> AsyncIterator[Asking]:
    providers: list[OpenAIProvider] = []

    def make(store: Store, server: FakeOpenAI, model: str, settings: PlanSettings = ROOMY) -> TurnDesk:
        server.requests.clear()
        providers.append(OpenAIProvider(ModelSettings(model, server.url, KEY), sleep=no_sleep))
        return a_desk(store, providers[-1], settings=settings)

    yield make
    for provider in providers:
        await provider.aclose()


def a_long_conversation(store: Store) -> Conversation:
    """A ticket with an internal note, six turns, and a branch that must never be sent."""
    messages = (
        TicketMessage("Sophie", Role.CUSTOMER, "Bonjour, mon hamac n'est pas arrivé. " * 4),
        TicketMessage("Noah", Role.AGENT, "VIP, be careful", internal=True),
    )
    store.save_ticket(IncomingTicket("T-1", "Hamac", "Sophie", messages, language="fr"))
    conversation = store.open_conversation(AGENT, "T-1")
    parent_id = store.selected(conversation.id)
    for question in QUESTIONS:
        asked = store.add_message(conversation.id, parent_id, AGENT, question)
        answer = store.begin_answer(conversation.id, asked.id, "model", meta={})
        store.add_text(conversation.id, answer.id, f"An answer to {question}. " * 3)
        store.finish(conversation.id, answer.id, Status.COMPLETE, {"finish_reason": "stop"})
        parent_id = answer.id
        store.add_message(conversation.id, asked.id, AGENT, "another branch, not to be sent")
    store.select(conversation.id, parent_id)
    return conversation


def messages_of(plan: Plan) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in plan.chain]


def check_wire_and_record(store: Store, answer_id: int, conversation: Conversation, got: Received, plan: Plan) -> None:
    """What the server got, what the record holds and what was planned are one."""
    (request,) = store.requests(conversation.id, answer_id)
    assert got.messages == messages_of(plan)
    assert request.body == got.body
    assert request.body_sha256 == got.sha256 == hashlib.sha256(got.body).hexdigest()
    assert request.plan["total"] == plan.total


@pytest.mark.parametrize("include_notes", [False, True])
@pytest.mark.parametrize("budget", [100_000, 250, 160])
@pytest.mark.parametrize("strategy", list(StrategyName))
async def test_plan_wire_and_record_are_the_same(
    asking: Asking, store: Store, server: FakeOpenAI, strategy: StrategyName, budget: int, include_notes: bool
) -> None:
    settings = PlanSettings(strategy=strategy, budget=budget, window_turns=3, include_notes=include_notes)
    desk = asking(store, server, "ok", settings)
    conversation = a_long_conversation(store)
    plan = desk.plan(conversation, store.selected(conversation.id), "and sign it")

    events = await collected(desk.send(conversation, "and sign it", on_purpose=True))

    (got,) = server.requests
    check_wire_and_record(store, ended(events).answer.id, conversation, got, plan)
    assert plan.total == sum(EstimateCounter().text(text) for _, text in got.messages)
    assert got.messages[0] == ("system", TASK.system)
    assert got.messages[-1] == ("user", "and sign it")
    assert "another branch" not in got.body.decode()
    assert (b"be careful" in got.body) == (include_notes and plan.ticket_sent)
    assert shown(events) == desk.leaf(conversation).content == ANSWER


@pytest.mark.parametrize("strategy", list(StrategyName))
async def test_the_budgets_of_these_tests_do_cut(store: Store, server: FakeOpenAI, strategy: StrategyName) -> None:
    conversation = a_long_conversation(store)
    path = store.path(conversation.id, store.selected(conversation.id))
    verdicts = {
        budget: make_plan(path, "and sign it", TASK, PlanSettings(strategy, budget, 3), EstimateCounter()).verdict
        for budget in (100_000, 160)
    }

    assert verdicts[160] in (Verdict.CUT, Verdict.TICKET_OUTSIDE)
    assert (verdicts[100_000] is Verdict.FITS) == (strategy is not StrategyName.WINDOW)


async def test_asking_again_sends_the_same_bytes_also_after_a_restart(
    asking: Asking, database: Path, server: FakeOpenAI
) -> None:
    with closing(open_store(database)) as store:
        desk = asking(store, server, "ok")
        conversation = a_long_conversation(store)
        first = await desk.asked(conversation, "and sign it")
        first_body = server.requests[0].body

    with closing(open_store(database)) as store:
        desk = asking(store, server, "ok")
        again = ended(await collected(desk.ask_again(conversation, first.id))).answer

        assert server.requests[0].body == first_body
        assert again.replaces_id == first.id


async def test_the_answer_comes_back_word_for_word_with_its_usage(
    asking: Asking, store: Store, server: FakeOpenAI
) -> None:
    desk = asking(store, server, "ok")
    conversation = desk.opened()

    answer = await desk.asked(conversation, "a first draft")

    (request,) = store.requests(conversation.id, answer.id)
    assert desk.leaf(conversation).content == ANSWER
    assert request.usage == {"prompt_tokens": 21, "completion_tokens": 7, "total_tokens": 28}
    assert request.status_code == 200
    assert request.latency_ms is not None
    assert request.response is not None
    assert b"data: [DONE]" in request.response
    assert request.body is not None
    assert json.loads(request.body)["stream_options"] == request.params["stream_options"]


async def test_each_retry_is_shown_and_has_a_row_of_its_own(asking: Asking, store: Store) -> None:
    with FakeOpenAI() as server:
        desk = asking(store, server, Trouble.RATE_TWICE)
        conversation = desk.opened()
        events = await collected(desk.send(conversation, "a first draft"))

        waits = [event for event in events if isinstance(event, TurnWaiting)]
        requests = store.requests(conversation.id, ended(events).answer.id)
        assert [event.delay_s for event in waits] == [1.5, 1.5]
        assert [request.attempt for request in requests] == [1, 2, 3]
        assert [request.status_code for request in requests] == [429, 429, 200]
        assert [request.body for request in requests] == [got.body for got in server.requests]
        assert [bool(request.error) for request in requests] == [True, True, False]
        assert shown(events) == ANSWER


@pytest.mark.parametrize(
    ("trouble", "kind", "text"),
    [
        (Trouble.BAD_KEY, "authentication", ""),
        (Trouble.ECHOED_KEY, "permission", ""),
        (Trouble.NO_MODEL, "model_not_found", ""),
        (Trouble.RATE_LONG, "rate_limited", ""),
        (Trouble.SERVER_ERROR, "server_error", ""),
        (Trouble.CONTEXT, "context_length_exceeded", ""),
        (Trouble.RESET_MIDWAY, "stream_cut", "Hello wörld, this"),
        (Trouble.EOF_MIDWAY, "stream_cut", "Hello wörld, this"),
        (Trouble.BAD_JSON, "malformed_answer", "Hello wörld, this"),
        (Trouble.ERROR_CHUNK, "server_error", "Hello wörld, this"),
        (Trouble.FILTERED, "content_filtered", ANSWER),
        (Trouble.EMPTY_200, "empty_answer", ""),
    ],
)
async def test_a_failure_loses_nothing_and_the_key_is_nowhere(
    asking: Asking, store: Store, database: Path, server: FakeOpenAI, trouble: Trouble, kind: str, text: str
) -> None:
    desk = asking(store, server, trouble)
    conversation = desk.opened()

    events = await collected(desk.send(conversation, "a first draft, please"))

    answer = ended(events).answer
    question, leaf = store.path(conversation.id, answer.id)[-2:]
    error = answer.detail["error"]
    assert isinstance(error, dict)
    assert (answer.status, error["kind"]) == (Status.ERROR, kind)
    assert error["message"]
    assert error["advice"]
    assert leaf.content == shown(events) == text
    assert question.content == "a first draft, please"
    requests = store.requests(conversation.id, answer.id)
    assert requests[-1].error == error["message"]
    assert KEY not in repr((events, requests))
    for file in database.parent.iterdir():
        assert KEY.encode() not in file.read_bytes()


async def test_a_stream_that_was_cut_cleanly_is_marked_as_perhaps_incomplete(
    asking: Asking, store: Store, server: FakeOpenAI
) -> None:
    desk = asking(store, server, Trouble.CLEAN_CUT)

    answer = await desk.asked(desk.opened(), "a first draft")

    assert answer.status is Status.COMPLETE
    assert answer.detail == {"finish_reason": "", "incomplete": True, "halt": "complete", "steps": 1}


async def test_stopping_closes_the_connection_and_keeps_what_came(
    asking: Asking, store: Store, server: FakeOpenAI
) -> None:
    server.left.clear()
    desk = asking(store, server, Trouble.HANG_MIDWAY)
    conversation = desk.opened()
    events: list[TurnEvent] = []

    async for event in desk.send(conversation, "a first draft"):
        events.append(event)
        if isinstance(event, AnswerGrew) and shown(events) == "Hello wörld, this":
            desk.turns.stop(conversation.id)

    assert await asyncio.to_thread(server.left.wait, 60)
    answer = ended(events).answer
    (request,) = store.requests(conversation.id, answer.id)
    assert answer.status is Status.INTERRUPTED
    assert desk.leaf(conversation).content == "Hello wörld, this"
    assert request.error == "It was stopped before the answer ended."
    assert request.response is not None
    assert "wörld" in request.response.decode()


async def test_two_conversations_stream_from_one_server_at_once(
    asking: Asking, store: Store, server: FakeOpenAI
) -> None:
    desk = asking(store, server, "ok")
    conversations = [desk.opened(f"T-{number}", f"ticket number {number}") for number in range(4)]

    turns = await asyncio.gather(
        *(collected(desk.send(conversation, f"draft for {conversation.ticket_id}")) for conversation in conversations)
    )

    for conversation, events in zip(conversations, turns, strict=True):
        answer = ended(events).answer
        (request,) = store.requests(conversation.id, answer.id)
        others = {other.ticket_id for other in conversations} - {conversation.ticket_id}
        assert answer.conversation_id == conversation.id
        assert request.body is not None
        sent = request.body.decode()
        assert f"draft for {conversation.ticket_id}" in sent
        assert not any(f"draft for {other}" in sent for other in others)


async def test_a_server_that_cannot_be_reached_leaves_an_answer_that_says_so(store: Store) -> None:
    provider = OpenAIProvider(ModelSettings("any", "http://127.0.0.1:1/v1"), sleep=no_sleep)
    desk = a_desk(store, provider)
    conversation = desk.opened()

    answer = await desk.asked(conversation, "a first draft")
    await provider.aclose()

    error = answer.detail["error"]
    assert isinstance(error, dict)
    assert error["kind"] == "connection_refused"
    assert len(store.requests(conversation.id, answer.id)) == 3
