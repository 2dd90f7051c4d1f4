"""Running what a model calls: validated, bounded, and told what is wrong."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from scripted_provider import ScriptedProvider, words
from turn_desk import TASK, a_desk

from assistant.handbook.handbook import Handbook
from assistant.plan.messages import ToolCall
from assistant.plan.plan import Plan, PlanSettings, StrategyName
from assistant.tasks.task import Task
from assistant.tokens.counters import EstimateCounter
from assistant.tools.handbook import HandbookTool
from assistant.tools.recall import RecallTool
from assistant.tools.specs import SPECS
from assistant.tools.toolbox import MOST_RESULT_TOKENS, Toolbox, ToolResult
from assistant.turn.tool_traffic import arguments_of, named
from storage.sqlite_store import memory_store
from storage.store import Store

COUNTER = EstimateCounter()
BOTH = replace(TASK, tools=("search_handbook", "recall"))


@pytest.fixture
def store() -> Iterator[Store]:
    record = memory_store()
    yield record
    record.close()


@pytest.fixture
def toolbox(tmp_path: Path) -> Toolbox:
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "returns.md").write_text("# Refunds\n\nThe money goes back within 14 days.\n")
    (folder / "long.md").write_text("".join(f"## Part {part}\n\n{'warranty clause ' * 90}\n\n" for part in range(9)))
    return Toolbox([HandbookTool(Handbook(folder)), RecallTool()])


async def a_plan(store: Store, *questions: str, budget: int = 100_000) -> Plan:
    """The plan of one more message after these, with the ticket kept always."""
    desk = a_desk(store, ScriptedProvider(words("Bonjour")))
    conversation = desk.opened()
    for question in questions:
        await desk.asked(conversation, question)
    desk.settings = PlanSettings(StrategyName.SELECT, budget)
    return desk.plan(conversation, store.selected(conversation.id), "and now?")


def run(
    toolbox: Toolbox, plan: Plan, call: ToolCall, *, room: int = 500, before: tuple[ToolCall, ...] = ()
) -> ToolResult:
    return toolbox.run(call, toolbox.offered(BOTH, plan), plan, COUNTER, room, before)


def search(arguments: str) -> ToolCall:
    return ToolCall("call_a", "search_handbook", arguments)


def recall(arguments: str) -> ToolCall:
    return ToolCall("call_a", "recall", arguments)


def error_in(result: ToolResult) -> str:
    assert result.failed
    error = json.loads(result.text)["error"]
    assert error == result.summary
    return str(error)


async def test_a_search_gives_passages_with_their_source(store: Store, toolbox: Toolbox) -> None:
    result = run(toolbox, await a_plan(store), search('{"query": "refunds"}'))

    assert json.loads(result.text) == {
        "passages": [{"source": "returns.md › Refunds", "text": "The money goes back within 14 days."}]
    }
    assert (result.doing, result.summary, result.failed) == ("refunds", "1 passage", False)


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (ToolCall("a", "delete_ticket", "{}"), "There is no tool 'delete_ticket'"),
        (ToolCall("a", "", ""), "There is no tool ''"),
        (search('{"query": "ref'), "no JSON object"),
        (search('["refunds"]'), "no JSON object"),
        (search('"refunds"'), "no JSON object"),
        (search("[" * 50_000), "no JSON object"),
        (search("{}"), "'query' is a required property"),
        (search(""), "'query' is a required property"),
        (search('{"query": ""}'), "at query"),
        (search('{"query": 7}'), "at query"),
        (search('{"query": "x", "ticket": "T-2"}'), "ticket"),
        (search('{"query": "x", "agent": "noah"}'), "agent"),
        (search('{"query": "' + "x" * 301 + '"}'), "too long"),
    ],
)
async def test_what_is_wrong_with_a_call_is_told(store: Store, toolbox: Toolbox, call: ToolCall, problem: str) -> None:
    assert problem in error_in(run(toolbox, await a_plan(store), call))


def test_no_tool_takes_anything_that_names_an_agent_a_ticket_or_a_conversation(toolbox: Toolbox) -> None:
    for tool in (HandbookTool.spec, RecallTool.spec):
        properties = tool.parameters["properties"]
        assert isinstance(properties, dict)
        assert properties.keys() <= {"query", "turn"}
        assert tool.parameters["additionalProperties"] is False


async def test_only_what_the_task_allows_and_what_can_find_something_is_offered(store: Store, toolbox: Toolbox) -> None:
    whole, cut = await a_plan(store), await a_plan(store, "one " * 40, "two " * 40, budget=70)

    def names(task: Task, plan: Plan) -> list[str]:
        return [spec.name for spec in toolbox.offered(task, plan)]

    assert names(TASK, cut) == []
    assert names(replace(TASK, tools=("search_handbook", "launch_rocket")), cut) == ["search_handbook"]
    assert names(BOTH, whole) == ["search_handbook"]
    assert names(BOTH, cut) == ["search_handbook", "recall"]


async def test_the_same_call_again_is_not_run_again(store: Store, toolbox: Toolbox) -> None:
    plan = await a_plan(store)
    same = search('{ "query":"refunds" }')

    assert "asked already" in error_in(run(toolbox, plan, same, before=(search('{"query": "refunds"}'),)))
    assert not run(toolbox, plan, same, before=(search('{"query": "warranty"}'),)).failed


@pytest.mark.parametrize("room", [60, 130, 400, 5_000])
async def test_results_fit_into_the_room_and_say_what_was_left_out(store: Store, toolbox: Toolbox, room: int) -> None:
    result = run(toolbox, await a_plan(store), search('{"query": "warranty clause"}'), room=room)

    assert COUNTER.text(result.text) <= min(room, MOST_RESULT_TOKENS)
    document = json.loads(result.text)
    assert len(document["passages"]) + document["left_out"] == 5
    assert room < 100 or document["passages"][0]["text"].startswith("warranty clause")


async def test_without_room_nothing_is_looked_up(store: Store, toolbox: Toolbox) -> None:
    assert "no room left" in error_in(run(toolbox, await a_plan(store), search('{"query": "refunds"}'), room=20))


async def test_a_handbook_that_is_gone_is_told_and_does_no_harm(store: Store, tmp_path: Path) -> None:
    toolbox = Toolbox([HandbookTool(Handbook(tmp_path / "gone"))])

    assert "no handbook folder" in error_in(run(toolbox, await a_plan(store), search('{"query": "refunds"}')))


async def test_recall_gives_what_was_cut_of_the_own_branch_by_words_or_by_turn(store: Store, toolbox: Toolbox) -> None:
    plan = await a_plan(store, "the blue kettle " * 20, "the red lamp " * 20, "and then " * 20, budget=110)

    by_words = json.loads(run(toolbox, plan, recall('{"query": "kettle"}'), room=5_000).text)
    by_turn = json.loads(run(toolbox, plan, recall('{"turn": 3}'), room=5_000).text)

    assert [(entry["turn"], entry["author"]) for entry in by_words["messages"]] == [(2, "agent")]
    assert by_words["messages"][0]["text"] == "the blue kettle " * 20
    assert [(entry["turn"], entry["author"]) for entry in by_turn["messages"]] == [(3, "agent"), (3, "assistant")]
    assert json.loads(run(toolbox, plan, recall('{"query": "zebra"}')).text) == {"messages": []}
    assert json.loads(run(toolbox, plan, recall('{"turn": 99}')).text) == {"messages": []}
    assert "Name the words" in error_in(run(toolbox, plan, recall("{}")))
    assert "at turn" in error_in(run(toolbox, plan, recall('{"turn": 0}')))


async def test_recall_does_not_give_back_what_the_request_holds_already(store: Store, toolbox: Toolbox) -> None:
    plan = await a_plan(store, "the blue kettle " * 20, "the red lamp", budget=60)

    found = json.loads(run(toolbox, plan, recall('{"query": "lamp colis and now"}'), room=5_000).text)

    assert found == {"messages": []}


def test_calls_get_ids_of_their_own_and_arguments_that_are_an_object() -> None:
    calls = (
        search('{"query": "a"}'),
        search('{"query": "b'),
        ToolCall("", "recall", "[1]"),
        ToolCall("", "recall", ""),
    )

    made = named(calls, step=2)

    assert [call.id for call in made] == ["call_a", "call_2_2", "call_2_3", "call_2_4"]
    assert [call.arguments for call in made] == ['{"query": "a"}', "{}", "{}", "{}"]
    assert [arguments_of(call) for call in made] == [{"query": "a"}, {}, {}, {}]


async def test_what_the_tools_of_a_task_take_is_counted_in_every_plan(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("Bonjour")))
    conversation = desk.opened()
    leaf_id = store.selected(conversation.id)
    plain = desk.plan(conversation, leaf_id, "a draft")
    desk.task = BOTH

    plan = desk.plan(conversation, leaf_id, "a draft")

    tokens = sum(COUNTER.text(json.dumps(spec.as_json(), ensure_ascii=False)) for spec in SPECS.values())
    assert plan.counts.overhead == plain.counts.overhead + tokens
    assert plan.total == plain.total + tokens
