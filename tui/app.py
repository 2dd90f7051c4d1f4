"""The full-screen app: themes, the desk, and a clean end however it is ended."""

import asyncio
import signal
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from textual.app import App
from textual.filter import LineFilter
from textual.screen import Screen

from tui.commands.keys import make_key_map
from tui.commands.registry import COMMANDS
from tui.display import display_safe
from tui.filters import ControlFilter
from tui.screens.desk import DeskScreen
from tui.services import Services
from tui.themes import DARK, LIGHT
from tui.widgets.chat import local_now


class TicketreeApp(App[None]):
    """One agent's desk."""

    CSS_PATH = Path(__file__).with_name("ticketree.tcss")
    TITLE = "Ticketree"
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self, services: Services, ticket_id: str | None = None, *, now: Callable[[], datetime] = local_now
    ) -> None:
        super().__init__()
        self.services = services
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = services.theme if services.theme in self.available_themes else DARK.name
        key_map = make_key_map(COMMANDS, services.keys)
        for command_id, keys in key_map.keys.items():
            for key in keys:
                self.bind(key, f"screen.command('{command_id}')", show=False)
        self.desk_screen = DeskScreen(services, key_map, ticket_id, now=now, write_terminal=self.write_terminal)

    def get_default_screen(self) -> Screen[None]:
        """The desk is the only screen that stays."""
        return self.desk_screen

    def get_line_filters(self) -> Sequence[LineFilter]:
        """No control sequence out of a ticket or an answer reaches the terminal."""
        return [*super().get_line_filters(), ControlFilter()]

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: Literal["information", "warning", "error"] = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a message in passing; what it holds is text, never markup."""
        del markup
        super().notify(
            display_safe(message),
            title=display_safe(title, newlines=False),
            severity=severity,
            timeout=timeout,
            markup=False,
        )

    def write_terminal(self, sequence: str) -> None:
        """Write a control sequence of the app's own, such as a copy; may be called from any thread."""
        if self._driver is not None:
            self._driver.write(sequence)

    async def action_quit(self) -> None:
        """Leave as the command does, from wherever Ctrl+Q was pressed."""
        self.desk_screen.leave()

    def on_mount(self) -> None:
        """End well when the terminal goes away or the system asks."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self.desk_screen.leave)
        loop.add_signal_handler(signal.SIGHUP, self._hang_up)

    def _hang_up(self) -> None:
        """Leave without another word to the terminal; it is gone, and waiting for it to take one would never end."""
        if self._driver is not None:
            self._driver.write = _to_nobody  # type: ignore[method-assign]
        self.desk_screen.leave()


def _to_nobody(data: str) -> None:
    del data


def run_app(services: Services, ticket_id: str | None = None) -> None:
    """Run the app until the agent leaves; what stands in the composer is saved whatever ends it."""
    app = TicketreeApp(services, ticket_id)
    try:
        app.run()
    finally:
        app.desk_screen.desk.close()
