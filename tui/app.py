"""The full-screen app: it paints its frame, opens the desk behind it, and ends well however it is ended."""

import asyncio
import importlib
import signal
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from textual import events
from textual.app import App
from textual.filter import LineFilter
from textual.screen import Screen

from tui.display import display_safe, local_now
from tui.filters import ControlFilter
from tui.screens.opening import OpeningScreen
from tui.themes import DARK, LIGHT
from tui.type_ahead import Settled, TypeAhead, Typed

if TYPE_CHECKING:
    from tui.screens.desk import DeskScreen
    from tui.services import Services


_CATCHING_UP_SECONDS: Final = 1.0
"""How long a key waits for what was done before it; longer means that something is stuck, and keys must go on."""


class TicketreeApp(App[None]):
    """One agent's desk.

    Nothing that takes time to import or to open is touched before the first paint: `open_services` is called in a
    thread after it, and what it raises ends the app and is left in `failure`.
    """

    CSS_PATH = Path(__file__).with_name("ticketree.tcss")
    TITLE = "Ticketree"
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        open_services: "Callable[[], Services]",
        ticket_id: str | None = None,
        *,
        theme: str = "",
        now: Callable[[], datetime] = local_now,
    ) -> None:
        super().__init__()
        self.desk_screen: DeskScreen | None = None
        self.failure: BaseException | None = None
        self._open_services = open_services
        self._ticket_id = ticket_id
        self._now = now
        self._ahead = TypeAhead()
        self._has_clicked = False
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = theme if theme in self.available_themes else DARK.name

    def get_default_screen(self) -> Screen[None]:
        """The frame of the desk."""
        return OpeningScreen()

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
        """Show a message in passing, in place of the one before; what it holds is text, never markup."""
        del markup
        self.clear_notifications()
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

    async def on_event(self, event: events.Event) -> None:
        """Take what the terminal reports; what a key commands is done before the next key is looked at."""
        if not self._ahead.is_holding:
            await self._catch_up(event)
        if not self._ahead.holds(event):
            await self._take(event)

    async def on_settled(self, message: Settled) -> None:
        """Take what was typed while the desk or a ticket opened, one after the other, until another ticket opens."""
        if message.hold != self._ahead.hold:
            return
        if not message.takes_keys:
            if self._ahead.drop():
                self._leave()
        elif (event := self._ahead.next()) is not None:
            await self._catch_up(event)
            await self._take(event)
            self.post_message(Settled(message.hold))

    async def _take(self, event: events.Event) -> None:
        if not (isinstance(event, events.Key) and not event.is_forwarded and await self._commands(event)):
            await super().on_event(event)

    async def _catch_up(self, event: events.Event) -> None:
        """Wait until what was pressed and clicked before has been done, so that a key means what it should now.

        Text that goes into the composer comes there in its order in any case.
        """
        if isinstance(event, events.MouseUp):
            self._has_clicked = True
        if not isinstance(event, Typed) or event.is_forwarded:
            return
        desk, screen = self.desk_screen, self.screen
        with suppress(TimeoutError):
            async with asyncio.timeout(_CATCHING_UP_SECONDS):
                if screen is not desk:
                    await _is_laid_out(screen)
                elif (
                    self._has_clicked or not desk.typing or (isinstance(event, events.Key) and not desk.is_text(event))
                ):
                    self._has_clicked = False
                    await desk.catch_up()

    async def _commands(self, event: events.Key) -> bool:
        """Run what a key means on the desk, unless it is the composer's.

        Without it a key goes up from the panel that has the focus, and what was typed fast after it would come to that
        panel, or to the ticket that it leaves, too. Esc means something to the screen itself.
        """
        desk = self.desk_screen
        if desk is None or self.screen is not desk or not self.app_focus or event.key == "escape":
            return False
        bound = desk.active_bindings.get(event.key)
        if bound is None or desk.is_text(event):
            return False
        return await self.run_action(bound.binding.action, bound.node)

    async def action_quit(self) -> None:
        """Leave as the command does, from wherever Ctrl+Q was pressed."""
        self._leave()

    def on_mount(self) -> None:
        """End well when the terminal goes away or the system asks; open the desk once the frame is painted."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._leave)
        loop.add_signal_handler(signal.SIGHUP, self._hang_up)
        self.screen_change_signal.subscribe(self, self._uncover, immediate=True)
        self.call_after_refresh(lambda: self.run_worker(self._open(), exit_on_error=False))

    def _uncover(self, screen: Screen[object]) -> None:
        """Let nothing that was told in passing before lie over a dialog, nor show through from the screen below."""
        if screen.is_modal:
            self.clear_notifications()
            for below in self.screen_stack[:-1]:
                below.query("ToastHolder").remove()

    async def _open(self) -> None:
        """Open the desk beside the loop and show it."""
        try:
            await self._show(await asyncio.to_thread(self._prepare))
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # whatever it is, it belongs to whoever runs the app
            self.failure = error
            self.exit()

    def _prepare(self) -> "Services":
        """Open the record, and import what the desk is made of."""
        services = self._open_services()
        importlib.import_module("tui.screens.desk")
        return services

    async def _show(self, services: "Services") -> None:
        from tui.commands.keys import make_key_map
        from tui.commands.registry import COMMANDS
        from tui.screens.desk import DeskScreen

        key_map = make_key_map(COMMANDS, services.keys)
        for command_id, keys in key_map.keys.items():
            for key in keys:
                self.bind(key, f"screen.command('{command_id}')", show=False)
        desk_screen = DeskScreen(
            services,
            key_map,
            self._ticket_id,
            now=self._now,
            write_terminal=self.write_terminal,
            hold_keys=self._ahead.begin,
        )
        self.desk_screen = desk_screen
        await self.push_screen(desk_screen)

    def _leave(self) -> None:
        if self.desk_screen is None:
            self.exit()
        else:
            self.desk_screen.leave()

    def _hang_up(self) -> None:
        """Leave without another word to the terminal; it is gone, and waiting for it to take one would never end."""
        if self._driver is not None:
            self._driver.write = _to_nobody  # type: ignore[method-assign]
        self._leave()


async def _is_laid_out(screen: Screen[object]) -> None:
    """Wait for a screen that has just opened: its first line has the focus then."""
    if screen.focused is None:
        done = asyncio.Event()
        if screen.call_after_refresh(done.set):
            await done.wait()


def _to_nobody(data: str) -> None:
    del data


def run_app(desk: "AbstractContextManager[Services]", ticket_id: str | None = None, *, theme: str = "") -> None:
    """Run the app until the agent leaves; what stands in the composer is saved whatever ends it.

    Args:
        desk: gives the services; entered after the first paint and left at the end.
        ticket_id: the ticket to open.
        theme: name of a theme, "" for the app's own.
    """
    with ExitStack() as opened:
        app = TicketreeApp(lambda: opened.enter_context(desk), ticket_id, theme=theme)
        try:
            app.run()
        finally:
            if app.desk_screen is not None:
                app.desk_screen.desk.close()
        if app.failure is not None:
            raise app.failure
