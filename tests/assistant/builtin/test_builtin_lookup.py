"""The built-in assistant finds something in the handbook of the sample desk, and quotes it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from turn_desk import TurnDesk, a_desk, collected, ended, shown

from assistant.audit.tracing import trace_answer
from assistant.builtin.assistant import BuiltinAssistant
from assistant.handbook.handbook import Handbook
from assistant.tasks.registry import Tasks
from assistant.tools.handbook import HandbookTool
from assistant.tools.toolbox import Tool
from assistant.turn.events import TurnStep
from assistant.turn.loop import Limits
from storage.interactions import Status
from storage.sqlite_store import memory_store
from storage.store import Store

SAMPLE = Path(__file__).parents[3] / "tui" / "sample" / "handbook"
TASK = Tasks().get("find-in-handbook")


@pytest.fixture
def store() -> Iterator[Store]:
    record = memory_store()
    yield record
    record.close()


def lookup_desk(store: Store, tools: tuple[Tool, ...] | None = None, limits: Limits | None = None) -> TurnDesk:
    tools = (HandbookTool(Handbook(SAMPLE)),) if tools is None else tools
    return a_desk(store, BuiltinAssistant(pace_s=0), task=TASK, tools=tools, limits=limits)


async def test_it_searches_and_quotes_with_the_source(store: Store) -> None:
    desk = lookup_desk(store)

    events = await collected(desk.send(desk.opened(), "when is a refund paid?"))

    assert [event.what for event in events if isinstance(event, TurnStep)] == [
        "searched the handbook: when is a refund paid?"
    ]
    text = shown(events)
    assert text.startswith("In the handbook:\n\nRefunds go out within five working days")
    assert "[returns-and-refunds.md › Returns and refunds › When the money comes back]" in text


async def test_asked_on_the_ticket_itself_it_looks_for_what_that_is_about(store: Store) -> None:
    desk = lookup_desk(store)
    conversation = desk.opened(text="My kettle smells of burning, is that dangerous?")

    events = await collected(desk.ask_again(conversation, store.selected(conversation.id)))

    assert "safety.md › Safety › Smell of burning, smoke, sparks" in shown(events)


async def test_where_nothing_fits_it_says_so(store: Store) -> None:
    desk = lookup_desk(store)

    events = await collected(desk.send(desk.opened(), "zeppelins"))

    assert shown(events) == "The handbook says nothing on “zeppelins”."


async def test_without_a_handbook_it_says_how_to_name_one(store: Store) -> None:
    desk = lookup_desk(store, tools=())

    events = await collected(desk.send(desk.opened(), "refunds"))

    assert "--handbook" in shown(events)
    assert ended(events).answer.status is Status.COMPLETE


async def test_a_handbook_that_cannot_be_read_is_told(store: Store, tmp_path: Path) -> None:
    desk = lookup_desk(store, tools=(HandbookTool(Handbook(tmp_path / "gone")),))

    events = await collected(desk.send(desk.opened(), "refunds"))

    assert shown(events).startswith("The handbook could not be searched. There is no handbook folder")


async def test_with_one_step_it_is_stopped_with_the_reason(store: Store) -> None:
    desk = lookup_desk(store, limits=Limits(steps=1))

    answer = await desk.asked(desk.opened(), "refunds")

    assert answer.detail["halt"] == "step_limit"


async def test_both_steps_can_be_audited(store: Store) -> None:
    desk = lookup_desk(store)
    answer = await desk.asked(desk.opened(), "refunds")

    evidence = trace_answer(store, answer.conversation_id, answer.id, lambda name, version: TASK.system)

    assert [len(each.parts) for each in evidence] == [3, 5]
    assert [problem for each in evidence for problem in each.problems] == []


async def test_a_question_that_is_longer_than_a_query_may_be_is_cut(store: Store) -> None:
    desk = lookup_desk(store)

    events = await collected(desk.send(desk.opened(), "refunds " * 200))

    assert "When the money comes back" in shown(events)


@pytest.mark.parametrize("path", sorted(SAMPLE.rglob("*.md")), ids=lambda path: path.name)
def test_every_page_of_the_sample_is_found_by_its_first_heading(path: Path) -> None:
    title = path.read_text().splitlines()[0].removeprefix("# ")

    found = Handbook(SAMPLE).search(title)

    assert path.relative_to(SAMPLE).as_posix() in {passage.file for passage in found}


def test_the_task_asks_for_the_tool() -> None:
    assert replace(TASK).tools == ("search_handbook",)
