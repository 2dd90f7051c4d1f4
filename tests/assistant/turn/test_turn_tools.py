"""Turns that use tools: what is written, sent, bounded, and how they halt."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from fake_openai import ANSWER, FakeOpenAI
from fake_openai_tools import ToolScript
from scripted_provider import Pause, ScriptedProvider, Step, words
from settling_calls import cancel_during
from turn_desk import TASK, TurnDesk, a_desk, collected, ended, shown

from assistant.audit.isolation import check_isolation
from assistant.audit.origins import OriginKind
from assistant.audit.tracing import Tracer, trace_answer
from assistant.handbook.handbook import Handbook
from assistant.plan.messages import ToolCall
from assistant.plan.plan import PlanSettings, StrategyName
from assistant.provider.model_settings import ModelSettings
from assistant.provider.openai_provider import OpenAIProvider
from assistant.provider.provider import Ended, TextChunk, ToolCalls
from assistant.tokens.counters import EstimateCounter
from assistant.tools.handbook import HandbookTool
from assistant.tools.recall import RecallTool
from assistant.tools.specs import spec_tokens
from assistant.turn.events import TurnEvent, TurnStep, TurnWaiting
from assistant.turn.loop import Limits
from storage.interactions import Conversation, Interaction, Node, Status
from storage.kinds import TOOL_CALL, TOOL_RESULT
from storage.sqlite_store import memory_store
from storage.store import Store

TOOL_TASK = replace(TASK, tools=("search_handbook", "recall"))
QUESTION = "returns policy"
TOLD = spec_tokens(TOOL_TASK, EstimateCounter())
"""What the tools take of each budget."""
WRITES = ("begin_answer", "record_request", "add_internal", "add_text", "record_response", "finish")


@pytest.fixture
def store() -> Iterator[Store]:
    record = memory_store()
    yield record
    record.close()


@pytest.fixture
def handbook(tmp_path: Path) -> Handbook:
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "returns.md").write_text("# Refunds\n\nThe money goes back within 14 days of the returns policy.\n")
    (folder / "delivery.md").write_text("# Delivery\n\nThree working days.\n")
    return Handbook(folder)


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as running:
        yield running


class Wire:
    """Desks whose model is a loopback server; what they opened is closed at the end."""

    def __init__(self, store: Store, handbook: Handbook, server: FakeOpenAI) -> None:
        self._store, self._handbook, self._server = store, handbook, server
        self.providers: list[OpenAIProvider] = []

    def desk(self, script: ToolScript) -> TurnDesk:
        self.providers.append(OpenAIProvider(ModelSettings(model=script, base_url=self._server.url)))
        tools = (HandbookTool(self._handbook), RecallTool())
        return a_desk(self._store, self.providers[-1], task=TOOL_TASK, tools=tools)


@pytest.fixture
async def wire(store: Store, handbook: Handbook, server: FakeOpenAI) -> AsyncIterator[Wire]:
    made = Wire(store, handbook, server)
    yield made
    for provider in made.providers:
        await provider.aclose()


def calls(*wanted: tuple[str, str], said: str = "") -> list[Step]:
    """A script that asks for tools, each a name and its arguments."""
    asked = tuple(ToolCall(f"call_{number}", name, arguments) for number, (name, arguments) in enumerate(wanted))
    return [*([TextChunk(said)] if said else []), ToolCalls(asked), Ended("tool_calls")]


def search(query: str) -> tuple[str, str]:
    return "search_handbook", json.dumps({"query": query})


def a_tool_desk(
    store: Store,
    handbook: Handbook,
    *scripts: Sequence[Step],
    limits: Limits | None = None,
    settings: PlanSettings | None = None,
) -> tuple[TurnDesk, ScriptedProvider]:
    provider = ScriptedProvider(*scripts)
    tools = (HandbookTool(handbook), RecallTool())
    settings = settings or PlanSettings(budget=100_000)
    return a_desk(store, provider, task=TOOL_TASK, tools=tools, limits=limits, settings=settings), provider


def hanging(store: Store, answer: Node) -> list[Interaction]:
    """What hangs on an answer, in the order in which it was added."""
    branch = store.branch(answer.conversation_id, answer.id)
    return [entry for entry in branch if not entry.is_external and entry.node.parent_id == answer.id]


async def test_what_was_called_and_found_hangs_on_the_answer_in_order(store: Store, handbook: Handbook) -> None:
    desk, provider = a_tool_desk(
        store, handbook, calls(search("refunds"), search("delivery")), words("Within 14 days.")
    )

    answer = await desk.asked(desk.opened(), "how long?")

    entries = hanging(store, answer)
    assert [entry.kind for entry in entries] == [TOOL_CALL.name, TOOL_RESULT.name, TOOL_RESULT.name]
    assert [entry.node.meta.get("call_id") for entry in entries] == [None, "call_0", "call_1"]
    assert [entry.node.meta.get("doing") for entry in entries[1:]] == ["refunds", "delivery"]
    assert answer.status is Status.COMPLETE
    assert answer.detail == {"finish_reason": "stop", "halt": "complete", "steps": 2}
    first, second = provider.prompts
    assert [spec.name for spec in first.tools] == [spec.name for spec in second.tools] == ["search_handbook"]
    assert second.chain[: len(first.chain)] == first.chain
    call, *results = second.chain[len(first.chain) :]
    assert [each.id for each in call.tool_calls] == [each.tool_call_id for each in results] == ["call_0", "call_1"]
    assert "14 days" in results[0].content


async def test_each_step_is_reported_and_has_a_request_row_of_its_own(store: Store, handbook: Handbook) -> None:
    desk, _ = a_tool_desk(store, handbook, calls(search("refunds")), words("Within 14 days."))

    events = await collected(desk.send(desk.opened(), "how long?"))

    answer = ended(events).answer
    assert [event.what for event in events if isinstance(event, TurnStep)] == ["searched the handbook: refunds"]
    requests = store.requests(answer.conversation_id, answer.id)
    assert [request.attempt for request in requests] == [1, 2]
    totals = [request.plan["total"] for request in requests]
    items = requests[1].plan["interactions"]
    assert isinstance(items, list)
    assert isinstance(totals[0], int)
    assert isinstance(totals[1], int)
    assert totals[1] == totals[0] + sum(item["tokens"] for item in items[-2:])
    assert [(item["kind"], item["id"]) for item in items[-2:]] == [
        (entry.kind, entry.id) for entry in hanging(store, answer)
    ]


async def test_later_requests_of_the_branch_carry_the_answer_and_none_of_its_tool_traffic(
    store: Store, handbook: Handbook
) -> None:
    desk, provider = a_tool_desk(store, handbook, calls(search("refunds")), words("Within 14 days."))
    conversation = desk.opened()
    await desk.asked(conversation, "how long?")

    await desk.asked(conversation, "shorter")

    assert [(message.role, message.content) for message in provider.chains[-1][2:]] == [
        ("user", "how long?"),
        ("assistant", "Within 14 days."),
        ("user", "shorter"),
    ]


async def test_what_is_said_before_a_call_stands_in_a_paragraph_of_its_own(store: Store, handbook: Handbook) -> None:
    desk, provider = a_tool_desk(
        store, handbook, calls(search("refunds"), said="Let me see."), words("Within", " 14 days.")
    )

    events = await collected(desk.send(desk.opened(), "how long?"))

    assert shown(events) == "Let me see.\n\nWithin 14 days."
    assert provider.chains[1][-2].content == "Let me see."


async def test_without_tools_in_the_task_or_with_none_here_nothing_is_offered(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour"))
    desk = a_desk(store, provider, task=TOOL_TASK)

    await desk.asked(desk.opened(), "a draft")

    assert provider.prompts[0].tools == ()
    assert not provider.prompts[0].must_answer


async def test_a_model_that_keeps_calling_is_stopped_with_a_clear_message(store: Store, handbook: Handbook) -> None:
    loop = [calls(search(f"refunds {number}")) for number in range(9)]
    desk, provider = a_tool_desk(store, handbook, *loop)

    answer = await desk.asked(desk.opened(), "how long?")

    assert answer.status is Status.ERROR
    assert answer.detail["error"] == {
        "kind": "step_limit",
        "message": "Stopped after 6 steps: the model kept calling search_handbook.",
        "advice": "Ask it to answer with what it has, or name what it should look for. step_limit in the "
        "configuration allows more steps.",
    }
    assert (answer.detail["halt"], answer.detail["steps"]) == ("step_limit", 6)
    assert [prompt.must_answer for prompt in provider.prompts] == [False] * 5 + [True]
    assert [entry.kind for entry in hanging(store, answer)] == [TOOL_CALL.name, TOOL_RESULT.name] * 5 + [TOOL_CALL.name]


async def test_a_turn_that_would_take_too_many_tokens_is_stopped(store: Store, handbook: Handbook) -> None:
    desk, provider = a_tool_desk(
        store, handbook, calls(search("refunds")), words("Within 14 days."), limits=Limits(tokens=60)
    )

    answer = await desk.asked(desk.opened(), "how long?")

    assert (answer.status, answer.detail["halt"], len(provider.chains)) == (Status.ERROR, "token_limit", 1)
    error = answer.detail["error"]
    assert isinstance(error, dict)
    assert error["message"].startswith("Stopped after 1 step: with what search_handbook found")


async def test_older_turns_make_room_for_what_was_found_and_the_budget_holds(store: Store, handbook: Handbook) -> None:
    first_desk, _ = a_tool_desk(store, handbook, words("Bonjour"))
    conversation = first_desk.opened()
    for number in range(3):
        await first_desk.asked(conversation, f"question {number} " * 20)
    settings = PlanSettings(StrategyName.SELECT, TOLD + 240)
    desk, provider = a_tool_desk(store, handbook, calls(search("refunds policy")), words("Yes."), settings=settings)

    answer = await desk.asked(conversation, "and now?")

    requests = store.requests(conversation.id, answer.id)
    totals = [request.plan["total"] for request in requests]
    assert all(isinstance(total, int) and total <= TOLD + 240 for total in totals)
    assert answer.detail["halt"] == "complete"
    before, after = [[message.content for message in chain] for chain in provider.chains]
    assert before[0] == after[0]
    assert before[1] == after[1]
    assert len([text for text in after if text.startswith("question")]) < len(
        [text for text in before if text.startswith("question")]
    )


async def test_where_not_even_that_makes_room_the_turn_says_so(store: Store, handbook: Handbook) -> None:
    desk, provider = a_tool_desk(store, handbook, calls(search("refunds")), words("Yes."))
    conversation = desk.opened(text="Où est mon colis ? " * 20)
    total = desk.plan(conversation, store.selected(conversation.id), "how long?").total
    desk.settings = PlanSettings(StrategyName.SELECT, total + 5)

    answer = await desk.asked(conversation, "how long?")

    assert (answer.status, answer.detail["halt"], len(provider.chains)) == (Status.ERROR, "token_limit", 1)
    assert hanging(store, answer)[-1].node.meta["failed"] is True


async def test_what_was_cut_can_be_recalled_and_only_of_the_own_branch(store: Store, handbook: Handbook) -> None:
    first_desk, _ = a_tool_desk(store, handbook, words("Bonjour"))
    conversation = first_desk.opened()
    ticket_id = store.selected(conversation.id)
    await collected(first_desk.send(conversation, "the kettle of another branch " * 20, at_id=ticket_id))
    await collected(first_desk.send(conversation, "the kettle of this branch " * 20, at_id=ticket_id))
    await first_desk.asked(conversation, "and the lamp " * 20)
    settings = PlanSettings(StrategyName.SELECT, TOLD + 250)
    recalls = calls(("recall", '{"query": "kettle"}'))
    desk, provider = a_tool_desk(store, handbook, recalls, words("Yes."), settings=settings)

    answer = await desk.asked(conversation, "what was the first thing?")

    assert [spec.name for spec in provider.prompts[0].tools] == ["search_handbook", "recall"]
    result = hanging(store, answer)[1]
    assert "kettle of this branch" in result.content
    assert "another branch" not in result.content


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (ToolScript.BROKEN, "no JSON object"),
        (ToolScript.UNKNOWN, "There is no tool 'delete_ticket'; there is search_handbook."),
        (ToolScript.WRONG, "The arguments are wrong"),
    ],
)
async def test_a_wrong_call_is_told_to_the_model_which_then_answers(
    store: Store, wire: Wire, script: ToolScript, problem: str
) -> None:
    desk = wire.desk(script)
    answer = await desk.asked(desk.opened(), QUESTION)

    call, result = hanging(store, answer)
    assert answer.status is Status.COMPLETE
    assert problem in result.content
    assert result.node.meta["failed"] is True
    assert json.loads(call.content)["calls"][0]["arguments"] in (
        "{}",
        '{"ticket": "T-1"}',
        '{"query": 7, "conversation": 3}',
    )


@pytest.mark.parametrize(
    "script", [ToolScript.SEARCH, ToolScript.PARALLEL, ToolScript.NO_IDS, ToolScript.SAYS_FIRST, ToolScript.LOOP]
)
async def test_every_part_of_every_step_has_its_origin_and_nothing_crosses(
    store: Store, handbook: Handbook, wire: Wire, script: ToolScript
) -> None:
    # Another ticket holds the handbook's words, as a reply that was made of them would.
    desk = wire.desk(script)
    answer = await desk.asked(desk.opened(), QUESTION)
    desk.opened("T-2", "The money goes back within 14 days of the returns policy.")

    evidence = trace_answer(store, answer.conversation_id, answer.id, lambda name, version: TASK.system)
    found = check_isolation(store, system_of=lambda name, version: TASK.system, boilerplate=handbook.texts())

    assert len(evidence) == (6 if script is ToolScript.LOOP else 2)
    assert [problem for request in evidence for problem in request.problems] == []
    assert {part.origin.kind for part in evidence[1].parts} >= {OriginKind.TOOL, OriginKind.TICKET, OriginKind.TASK}
    assert [leak.what for leak in found.leaks] == []


async def test_tool_traffic_that_is_not_in_the_record_has_no_origin(store: Store, wire: Wire) -> None:
    desk = wire.desk(ToolScript.SEARCH)
    answer, other = [await desk.asked(desk.opened(), question) for question in (QUESTION, "delivery")]
    taken, kept = (
        store.requests(other.conversation_id, other.id)[1],
        store.requests(answer.conversation_id, answer.id)[1],
    )
    forged = replace(kept, body=taken.body)
    interactions = {entry.id: entry for entry in store.branch(other.conversation_id, other.id)}

    evidence = Tracer(interactions, lambda name, version: TASK.system).trace(forged)

    assert any("no origin" in problem for problem in evidence.problems)


async def test_a_server_without_tools_answers_without_them_and_that_is_said(store: Store, wire: Wire) -> None:
    desk = wire.desk(ToolScript.REFUSED_OLLAMA)

    events = await collected(desk.send(desk.opened(), "returns policy"))

    answer = ended(events).answer
    (waiting,) = [event for event in events if isinstance(event, TurnWaiting)]
    assert "takes no tools" in waiting.reason
    assert (answer.status, shown(events)) == (Status.COMPLETE, ANSWER)
    assert [request.status_code for request in store.requests(answer.conversation_id, answer.id)] == [400, 200]


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("occurrence", [1, 2, 3])
async def test_stopped_during_any_call_of_the_record_the_turn_is_whole(
    store: Store, handbook: Handbook, monkeypatch: pytest.MonkeyPatch, name: str, occurrence: int
) -> None:
    desk, _ = a_tool_desk(
        store, handbook, calls(search("refunds"), search("delivery"), said="Let me see."), words("Within", " 14 days.")
    )
    conversation = desk.opened()
    cancel_during(store, monkeypatch, name, occurrence, lambda: desk.turns.stop(conversation.id))

    await collected(desk.send(conversation, "how long?"))
    monkeypatch.undo()

    check_whole(desk, conversation)


@pytest.mark.parametrize("after", range(0, 120, 8))
async def test_cancelled_after_so_many_steps_of_the_event_loop_the_turn_is_whole(
    store: Store, handbook: Handbook, after: int
) -> None:
    desk, _ = a_tool_desk(store, handbook, calls(search("refunds")), words("Within", " 14 days."))
    conversation = desk.opened()
    consumer = asyncio.create_task(collected(desk.send(conversation, "how long?")))
    for _ in range(after):
        await asyncio.sleep(0)

    consumer.cancel()
    with suppress(asyncio.CancelledError):
        await consumer

    check_whole(desk, conversation)


async def test_stopped_while_the_second_step_waits_what_was_found_stays(store: Store, handbook: Handbook) -> None:
    desk, provider = a_tool_desk(store, handbook, calls(search("refunds")), [TextChunk("Within"), Pause.FOR_EVER])
    conversation = desk.opened()
    events: list[TurnEvent] = []
    consumer = asyncio.create_task(collected(desk.send(conversation, "how long?"), events))
    await provider.paused.wait()

    desk.turns.stop(conversation.id)
    await consumer

    answer = ended(events).answer
    assert (answer.status, answer.detail["halt"], answer.detail["steps"]) == (Status.INTERRUPTED, "stopped", 2)
    assert [entry.kind for entry in hanging(store, answer)] == [TOOL_CALL.name, TOOL_RESULT.name]


async def test_two_tickets_at_once_each_keep_their_own_traffic(store: Store, wire: Wire) -> None:
    desk = wire.desk(ToolScript.SEARCH)
    pages = [desk.opened("T-1"), desk.opened("T-2")]

    events = await asyncio.gather(*(collected(desk.send(page, f"about {page.ticket_id}")) for page in pages))

    for page, seen in zip(pages, events, strict=True):
        (other,) = {"T-1", "T-2"} - {page.ticket_id}
        answer = ended(seen).answer
        entries = hanging(store, answer)
        requests = store.requests(page.id, answer.id)
        assert answer.detail["halt"] == "complete"
        assert [entry.node.conversation_id for entry in entries] == [page.id] * 2
        assert entries[1].node.meta["doing"] == f"about {page.ticket_id}"
        assert len(requests) == 2
        assert not any(other.encode() in (request.body or b"") for request in requests)


def check_whole(desk: TurnDesk, conversation: Conversation) -> None:
    """Every answer has one end, every request came to one, and every result belongs to a call before it."""
    assert desk.turns.running == frozenset()
    assert desk.is_all_ended(conversation)
    for answer in desk.answers(conversation):
        assert answer.node.status in (Status.INTERRUPTED, Status.COMPLETE)
        assert "halt" in answer.node.detail
        entries = hanging(desk.store, answer.node)
        called = [
            call["id"]
            for entry in entries
            if entry.kind == TOOL_CALL.name
            for call in json.loads(entry.content)["calls"]
        ]
        results = [entry.node.meta["call_id"] for entry in entries if entry.kind == TOOL_RESULT.name]
        assert results == called[: len(results)]
        for request in desk.store.requests(conversation.id, answer.id):
            assert request.latency_ms is not None
