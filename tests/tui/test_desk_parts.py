"""The parts of the desk that need no screen."""

from collections.abc import Callable
from functools import partial

import pytest
from app_driver import a_store, services, with_branches
from desks import Desk as Record
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assistant.plan.plan import StrategyName
from storage.interactions import Draft, Node
from storage.values import Json
from tui.desk import choices, moves
from tui.desk.drafts import DraftKeeper, written_since
from tui.desk.page import Page, read_page
from tui.desk.recorder import Recorder
from tui.desk.sheet import Sheet
from tui.desk.visited import Visited
from tui.widgets.key_bar import key_line
from tui.widgets.title_bar import title_line


def test_back_and_forward_go_through_what_was_visited() -> None:
    visited = Visited()
    for node_id in (1, 2, 2, 3):
        visited.visit(node_id)
    assert [visited.back(), visited.back(), visited.back()] == [2, 1, None]
    assert visited.forward() == 2
    visited.visit(9)
    assert visited.forward() is None
    assert visited.back() == 2


@given(st.integers(1, 2_000_000))
def test_a_budget_is_raised_and_lowered_by_steps_that_end(budget: int) -> None:
    assert choices.raised(budget) >= budget
    assert choices.lowered(budget) <= budget
    assert choices.raised(choices.BUDGETS[-1]) == choices.BUDGETS[-1]
    assert choices.lowered(choices.BUDGETS[0]) == choices.BUDGETS[0]


def test_the_strategies_go_around() -> None:
    seen = [StrategyName.CUT]
    for _ in StrategyName:
        seen.append(choices.next_strategy(seen[-1]))
    assert seen[0] is seen[-1]
    assert set(seen) == set(StrategyName)


@pytest.fixture
def page() -> Page:
    store = a_store()
    with_branches(store)
    return read_page(store, store.conversation("camille", "T-80005"), Draft(""))


def named(page: Page, preview: str) -> Node:
    return next(node for node in page.nodes if node.preview == preview)


def test_moves_end_where_the_conversation_does(page: Page) -> None:
    ticket, leaf = page.nodes[1], page.path[-1].node
    assert moves.parent(page, ticket) is None
    assert moves.child(page, leaf) is None
    assert moves.last_fork(page, ticket) is None
    assert moves.branch_end(page, leaf) is None
    assert page.sibling(page.nodes[0], 1) is None


def test_the_child_off_the_shown_path_is_the_newest(page: Page) -> None:
    assert moves.child(page, named(page, "make it shorter")) == named(page, "Il est en route.")
    assert moves.branch_end(page, page.nodes[1]) == page.path[-1].node


def test_an_edited_message_that_is_not_on_the_chosen_path_is_shown_with_its_branch() -> None:
    store = a_store()
    nodes = with_branches(store)
    page = read_page(store, store.conversation("camille", "T-80005"), Draft("x", nodes.shorter.id, edits=True))
    assert page.edited is not None
    assert page.edited.id == nodes.shorter.id
    assert page.last.id == nodes.draft.id
    assert page.path[-1].id == nodes.short_draft.id


def a_sheet(stored: dict[str, Json] | None = None) -> Sheet:
    with_services = services(a_store())
    record = Record(with_services.store, with_services.store.open_conversation("camille", "T-80005"))
    record.ask(record.answer(record.ticket_node).id)
    page = read_page(record.store, record.conversation, Draft(""))
    sheet = Sheet(page, Draft(""), stored or {}, with_services.defaults, with_services.tasks)
    sheet.use(with_services.counter)
    return sheet


def test_a_budget_that_helps_lets_the_plan_pass() -> None:
    sheet = a_sheet({"budget": 20})
    sheet.type("a question")
    assert sheet.plan is not None
    assert not sheet.plan.may_send
    sheet.choose("budget", sheet.budget_that_helps())
    assert sheet.plan.may_send


@settings(deadline=None)
@given(st.text(max_size=40))
def test_the_plan_always_asks_what_stands_in_the_composer(text: str) -> None:
    sheet = a_sheet()
    sheet.type(text)
    assert sheet.plan is not None
    assert sheet.plan.items[-1].message.content == text


def test_nothing_is_planned_before_there_is_a_counter() -> None:
    sheet = a_sheet()
    bare = Sheet(sheet.page, Draft("x"), {}, sheet.settings, services(a_store()).tasks)
    assert bare.plan is None
    assert bare.plan_again(bare.page.path) is None
    assert bare.budget_that_helps() > bare.settings.budget


@pytest.mark.parametrize(
    ("text", "sent", "stays"),
    [
        ("shorter", "shorter", ""),
        ("shorter\nand kinder", "shorter", "and kinder"),
        ("and", "", "and"),
        ("shor", "shorter", ""),
        ("much shorter", "shorter", "much shorter"),
        ("", "shorter", ""),
    ],
)
def test_what_was_sent_leaves_a_text_and_the_rest_stays(text: str, sent: str, stays: str) -> None:
    assert written_since(text, sent) == stays


async def test_drafts_are_written_once_it_is_calm_and_all_of_them_at_the_end() -> None:
    saved: list[tuple[str, str]] = []
    queued: list[Callable[[], None]] = []
    keeper = DraftKeeper(lambda ticket_id, draft: saved.append((ticket_id, draft.text)), queued.append)
    for text in ("a", "ab", "abc"):
        keeper.keep("T-1", Draft(text))
    keeper.keep("T-2", Draft("x"))
    assert not saved
    assert not queued
    keeper.write_soon()
    for write in queued:
        write()
    assert saved == [("T-1", "abc"), ("T-2", "x")]
    keeper.keep("T-1", Draft("abcd"))
    keeper.write_now()
    assert saved[-1] == ("T-1", "abcd")


def test_writes_happen_in_the_order_in_which_they_were_asked_for() -> None:
    recorder = Recorder()
    done: list[int] = []
    for number in range(50):
        recorder.submit(partial(done.append, number))
    recorder.close()
    assert done == list(range(50))


@given(st.integers(0, 200), st.text(max_size=60), st.lists(st.text(max_size=30), max_size=5))
@example(4, "", ["00"])
def test_the_title_never_is_wider_than_its_line(width: int, subject: str, facts: list[str]) -> None:
    assert title_line("T-80005", subject, facts, width).cell_length <= width


def test_the_key_bar_skips_what_does_not_fit() -> None:
    entries = [("a", "?", "keys"), ("b", "Ctrl+P", "all the commands there are"), ("c", "q", "close")]
    assert key_line(entries, 20).plain == "? keys   q close"
