from collections.abc import AsyncIterator

import pytest
from painted import painted, painted_text
from sample_views import a_tree
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from assistant.plan.plan import Fate
from storage.interactions import Node
from tui.widgets.outline import Outline

#  1 ─ 2 ─ 3 ┬ 4 ─ 5 ┬ 6
#            │       └ 8 ─ 9
#            └ 7
TREE = a_tree([None, 1, 2, 3, 4, 5, 3, 5, 8], {4: "make it shorter", 9: "in English", 6: "日本語のテキストです"})
PATH = (1, 2, 3, 4, 5, 8, 9)


class OutlineApp(App[None]):
    def __init__(self, nodes: list[Node] = TREE, path: tuple[int, ...] = PATH) -> None:
        super().__init__()
        self.nodes = nodes
        self.path = path
        self.highlighted: list[int] = []
        self.chosen: list[int] = []

    def compose(self) -> ComposeResult:
        yield Outline()

    def on_mount(self) -> None:
        self.outline.show(self.nodes, self.path, {2: Fate.CUT, 3: Fate.CUT, 4: Fate.SENT}, {2: 45, 3: 86, 4: 9})
        self.outline.focus()

    def on_outline_highlighted(self, message: Outline.Highlighted) -> None:
        self.highlighted.append(message.node_id)

    def on_outline_chosen(self, message: Outline.Chosen) -> None:
        self.chosen.append(message.node_id)

    @property
    def outline(self) -> Outline:
        return self.query_one(Outline)


@pytest.fixture
async def pilot() -> AsyncIterator[Pilot[None]]:
    async with OutlineApp().run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        yield pilot


def app_of(pilot: Pilot[None]) -> OutlineApp:
    assert isinstance(pilot.app, OutlineApp)
    return pilot.app


async def test_rows_show_guides_siblings_tokens_and_marks(pilot: Pilot[None]) -> None:
    lines = painted(app_of(pilot))
    assert "45 ✂ cut" in lines[0]
    assert "├ › node 7" in lines[2]
    assert "2/2" in lines[2]
    assert lines[3].startswith((" › make it shorter", "› make it shorter"))
    assert "1/2" in lines[3]
    assert lines[7].rstrip().endswith("←")


async def test_a_narrow_outline_keeps_the_sign_of_a_cut_row() -> None:
    async with OutlineApp().run_test(size=(24, 12)) as pilot:
        await pilot.pause()
        lines = painted(app_of(pilot))
        assert "✂" in lines[0]
        assert "cut" not in lines[0]
        assert "86" in lines[1]


async def test_the_cursor_starts_on_the_chosen_leaf_and_moves_by_rows(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    assert app.outline.cursor_id == 9
    await pilot.press("up", "up")
    assert app.outline.cursor_id == 6
    app.outline.move(-100)
    assert app.outline.cursor_id == 2
    await pilot.pause()
    assert app.highlighted[-1] == 2


async def test_enter_and_a_click_choose(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    await pilot.press("up", "enter")
    await pilot.click(Outline, offset=(5, 1))
    await pilot.pause()
    assert app.chosen == [8, 3]
    assert app.outline.cursor_id == 3


async def test_folding_hides_and_says_how_many(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    app.outline.cursor_to(4)
    app.outline.toggle_fold()
    await pilot.pause()
    assert [row.id for row in app.outline.rows] == [2, 3, 7, 4]
    assert "▸ 4 more" in painted_text(app)
    app.outline.toggle_fold()
    assert len(app.outline.rows) == 8


async def test_going_to_a_hidden_node_unfolds_what_hides_it(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    app.outline.cursor_to(3)
    app.outline.toggle_fold()
    app.outline.cursor_to(9)
    assert app.outline.cursor_id == 9
    app.outline.cursor_to(12345)
    assert app.outline.cursor_id == 9


async def test_the_cursor_follows_a_new_leaf_only_when_it_stood_on_the_old_one(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    grown = a_tree([None, 1, 2, 3, 4, 5, 3, 5, 8, 9])
    app.outline.show(grown, (*PATH, 10), {}, {})
    assert app.outline.cursor_id == 10
    app.outline.cursor_to(3)
    app.outline.show(a_tree([None, 1, 2, 3, 4, 5, 3, 5, 8, 9, 10]), (*PATH, 10, 11), {}, {})
    assert app.outline.cursor_id == 3


async def test_a_new_plan_changes_the_marks(pilot: Pilot[None]) -> None:
    app = app_of(pilot)
    app.outline.mark({9: Fate.CUT}, {9: 7})
    await pilot.pause()
    assert "✂ cut" in painted(app)[7]
    assert "✂" not in painted(app)[0]


async def test_wide_characters_keep_the_columns(pilot: Pilot[None]) -> None:
    widths = {strip.cell_length for strip in pilot.app.screen._compositor.render_strips()}
    assert widths == {50}


async def test_ten_thousand_rows_paint_only_what_is_in_view() -> None:
    nodes = a_tree([None, *range(1, 10_001)])
    app = OutlineApp(nodes, tuple(range(1, 10_002)))
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        assert app.outline.cursor_id == 10_001
        assert "node 10001" in painted_text(app)
        app.outline.move(-9_000)
        await pilot.pause()
        assert app.outline.cursor_id == 1_001
        assert "node 1001" in painted_text(app)


async def test_deep_forks_leave_room_for_the_text() -> None:
    nodes = a_tree([None, *(parent for parent in range(1, 60, 2) for _ in range(2))])
    async with OutlineApp(nodes, (1,)).run_test(size=(30, 70)) as pilot:
        await pilot.pause()
        assert all("node" in line for line in painted(app_of(pilot))[:60])
