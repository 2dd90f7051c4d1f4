"""Where there is little room, or much: what is typed is seen, and the left column grows."""

import pytest
from app_driver import TICKET, a_store, running_app, services, with_branches

from assistant.plan.plan import PlanSettings

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
