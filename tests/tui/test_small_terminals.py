"""Where there is little room, or much: what is typed is seen, and the left column grows."""

import pytest
from app_driver import TICKET, AppDriver, a_store, running_app, services, with_branches
from gated import judge
from long_talk import talk
from textual.widgets import Static

from assistant.plan.plan import PlanSettings
from tui.screens.override import OverrideScreen
from tui.screens.strategies import StrategiesScreen

LONG = "a text that goes on over several lines so that it grows and grows until no room is left, up to the very end"


@pytest.mark.parametrize("size", [(60, 15), (40, 10), (40, 8), (30, 6), (20, 5)])
async def test_the_line_of_the_cursor_is_seen_however_small_the_terminal_is(size: tuple[int, int]) -> None:
    store = a_store()
    with_branches(store)
    async with running_app(services(store, settings=PlanSettings(budget=60)), size=size) as desk:
        await desk.type(LONG)
        composer = desk.screen.composer
        line = composer.content_region
        assert line.height >= 1
        assert desk.app.screen.region.contains_region(composer.region)
        assert not composer.region.overlaps(desk.screen.key_bar.region)
        assert line.contains_point(composer.cursor_screen_offset)
        assert "end" in desk.seen.splitlines()[composer.cursor_screen_offset.y]


@pytest.mark.parametrize(("width", "side"), [(100, 40), (120, 40), (200, 56), (250, 70), (400, 72)])
async def test_the_left_column_grows_with_the_terminal_within_limits(width: int, side: int) -> None:
    async with running_app(services(a_store()), TICKET, size=(width, 36)) as desk:
        assert desk.screen.tickets.region.width == side


@pytest.mark.parametrize("size", [(40, 10), (80, 15), (80, 20), (80, 24)])
async def test_what_is_typed_for_ever_and_why_it_is_refused_are_seen_however_low_the_terminal_is(
    size: tuple[int, int],
) -> None:
    async with running_app(services(a_store()), size=size) as desk:
        await desk.press("escape", "Z")
        assert "The reason; it stays" in desk.seen
        await desk.press("enter")
        assert "Say why; the reason stays in the" in desk.seen
        await desk.type("Sophie asked")
        await desk.press("enter")
        assert "Sophie asked" in desk.seen
        assert '"Sophie".' in desk.seen
        assert "This cannot be undone." in scrolled(desk)


@pytest.mark.parametrize("size", [(40, 10), (80, 15), (80, 24)])
async def test_a_reason_for_using_an_answer_is_seen_and_asked_for(size: tuple[int, int]) -> None:
    store = a_store()
    nodes = with_branches(store)
    judge(store, nodes.friendly_draft)
    async with running_app(services(store), size=size) as desk:
        await desk.at(nodes.friendly_draft)
        await desk.press("O", "enter")
        assert isinstance(desk.app.screen, OverrideScreen)
        assert "Say in a few words why" in desk.seen
        await desk.type("The number is right")
        assert "The number is right" in desk.seen


def scrolled(desk: AppDriver) -> str:
    """All that the text before the line says."""
    return "\n".join(str(each.render()) for each in desk.app.screen.query(".about Static").results(Static))


async def test_no_figure_of_a_strategy_is_ever_cut() -> None:
    store = a_store()
    talk(store, 20)
    async with running_app(services(store, settings=PlanSettings(budget=1_500)), "T-1") as desk:
        await desk.press("ctrl+s")
        screen = desk.app.screen
        assert isinstance(screen, StrategiesScreen)
        for width in range(20, 100):
            for at, row in enumerate(screen.list.rows):
                shown = screen.list.row_content(at, width).plain
                assert shown.split()[-1] in {f"{row.compared.total:,}", "inside", "outside", "none"}, width
                assert f"{row.compared.total:,}" in shown.split()
