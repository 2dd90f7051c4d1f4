"""The palette under quick fingers: Enter runs what was found for what was typed before it, and nothing else."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from app_driver import AppDriver, a_store, running_app, services
from textual.command import CommandList, CommandPalette, Hits

from assistant.plan.plan import StrategyName
from tui.commands.palette import CommandProvider


@pytest.fixture
async def desk() -> AsyncIterator[AppDriver]:
    """The app with the palette open and every command listed."""
    async with running_app(services(a_store())) as running:
        await running.press("ctrl+p")
        await running.until(lambda: running.app.screen.query_one(CommandList).option_count > 0)
        yield running


async def test_enter_waits_for_the_command_of_the_name_before_it(
    desk: AppDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    palette, search, may_find = desk.app.screen, CommandProvider.search, asyncio.Event()

    async def slowly(self: CommandProvider, query: str) -> Hits:
        await may_find.wait()
        async for hit in search(self, query):
            yield hit

    monkeypatch.setattr(CommandProvider, "search", slowly)
    await desk.burst([*"next strat", "enter"])
    assert desk.app.screen is palette
    may_find.set()
    await desk.until(lambda: desk.app.screen is desk.screen)
    await desk.rest()

    assert desk.sheet.settings.strategy is StrategyName.SELECT


async def test_enter_behind_what_no_command_is_called_runs_nothing(desk: AppDriver) -> None:
    before = desk.sheet.settings
    await desk.burst([*"next strat", *"zz", "enter"])
    await desk.until(lambda: "No matches found" in desk.seen)

    assert isinstance(desk.app.screen, CommandPalette)
    assert desk.sheet.settings == before


async def test_esc_right_behind_enter_runs_nothing_more(desk: AppDriver) -> None:
    before = desk.sheet.settings
    await desk.burst([*"next strat", "enter", "escape"])
    await desk.until(lambda: desk.app.screen is desk.screen)
    await desk.rest()

    assert desk.sheet.settings == before
