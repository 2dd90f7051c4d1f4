"""Make the pictures in this folder from the running app and its sample desk.

Run: uv run python screenshots/make.py
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

from textual.pilot import Pilot

from assistant.plan.plan import Fate
from storage.sqlite_store import memory_store
from tui.app import TicketreeApp
from tui.cli.app import DEMO_TICKET
from tui.demo import build_sample_desk
from tui.themes import DARK, LIGHT

HERE = Path(__file__).parent
TODAY = datetime(2025, 6, 12, 9, 30, tzinfo=UTC)
PATIENCE_S = 60.0

Steps = Callable[["Desk"], Awaitable[None]]


ASKED = tuple("space" if letter == " " else letter for letter in "make it shorter")


class Desk:
    """The app on the sample desk, and what a person does in it."""

    def __init__(self, app: TicketreeApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    async def ready(self) -> None:
        """Wait until the ticket is open and its plan is painted."""
        await self._until(lambda: self.app.desk_screen is not None and self.app.desk_screen.desk.ready)

    async def press(self, *keys: str) -> None:
        """Press keys."""
        await self.pilot.press(*keys)
        await self._until(lambda: not any(worker.group == "step" for worker in self.app.workers))

    async def answered(self) -> None:
        """Wait for the end of the answer."""
        screen = self.app.desk_screen
        assert screen is not None
        await self._until(lambda: not screen.desk.turns.any_running)

    async def _until(self, happened: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not happened():
                await self.pilot.pause()
        await self.pilot.pause()


async def ticket_outside(desk: Desk) -> None:
    """Ask for a change; the default budget leaves the ticket out, and the chat shows where the cut is."""
    await desk.press(*ASKED)
    screen = desk.app.desk_screen
    assert screen is not None
    assert screen.sheet is not None
    assert screen.sheet.plan is not None
    kept = next(item.id for item in screen.sheet.plan.items if item.id is not None and item.fate is Fate.SENT)
    screen.chat.reveal(kept)
    screen.chat.scroll_relative(y=-14, animate=False)
    screen.outline.cursor_to(kept)
    await desk.pilot.pause()


async def ticket_kept(desk: Desk) -> None:
    """Keep the ticket and get the answer."""
    await desk.press(*ASKED)
    await desk.press("f2")
    await desk.press("enter")
    await desk.answered()


async def other_branch(desk: Desk) -> None:
    """Walk up the conversation to the last fork."""
    await desk.press("escape")
    await desk.press("2")
    await desk.press("a")


async def ways_of_keeping(desk: Desk) -> None:
    """Hold the ways of keeping history side by side, and look at the one that summarises."""
    await desk.press("escape", "S", "4")


async def task_chooser(desk: Desk) -> None:
    """Choose what the assistant does from here on."""
    await desk.press("escape", "D", "j", "j", "j", "j")


async def help_screen(desk: Desk) -> None:
    """Show every key."""
    await desk.press("f1")


PICTURES: tuple[tuple[str, Steps, tuple[int, int], str], ...] = (
    ("desk", ticket_outside, (120, 36), DARK.name),
    ("kept", ticket_kept, (120, 36), DARK.name),
    ("branches", other_branch, (120, 36), DARK.name),
    ("strategies", ways_of_keeping, (120, 36), DARK.name),
    ("tasks", task_chooser, (120, 36), DARK.name),
    ("light", ticket_kept, (120, 36), LIGHT.name),
    ("narrow", ticket_outside, (80, 24), DARK.name),
    ("keys", help_screen, (120, 36), DARK.name),
)


async def make(name: str, steps: Steps, size: tuple[int, int], theme: str) -> None:
    """Make one picture."""
    store = memory_store(clock=lambda: int(TODAY.timestamp() * 1_000_000))
    app = TicketreeApp(lambda: build_sample_desk(store), DEMO_TICKET, theme=theme, now=lambda: TODAY)
    async with app.run_test(size=size) as pilot:
        desk = Desk(app, pilot)
        await desk.ready()
        assert app.desk_screen is not None
        app.desk_screen.composer.cursor_blink = False
        await steps(desk)
        (HERE / f"{name}.svg").write_text(app.export_screenshot(title="Ticketree", simplify=True), encoding="utf-8")
        app.desk_screen.desk.close()
    store.close()


if __name__ == "__main__":
    for picture in PICTURES:
        asyncio.run(make(*picture))
        print(f"screenshots/{picture[0]}.svg")
