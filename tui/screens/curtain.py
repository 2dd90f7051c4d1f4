"""Holds back the keys while a screen that was asked for is being read, so that none of them goes elsewhere."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from textual import events
from textual.app import App, ComposeResult
from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, Screen
from textual.widget import AwaitMount
from textual.widgets import Static

from tui.step import Spawn

Result = TypeVar("Result")

_SILENT_S: Final = 0.25
"""What is read faster than this needs no words."""


class Curtain(ModalScreen[None]):
    """Lets no key through, and says what is being read once that takes a while.

    Attributes:
        pressed: the keys that came, in order.
    """

    DEFAULT_CSS = """
    Curtain {
        align: center middle;
        background: transparent;
        #reading {
            width: auto;
            max-width: 90%;
            padding: 1 3;
            background: $surface;
            border: round $border;
            visibility: hidden;
        }
    }
    """

    def __init__(self, reading: str) -> None:
        super().__init__()
        self.pressed: list[events.Key] = []
        self._words = Static(f"{reading} …", id="reading", markup=False)
        self._is_drawn = False

    def compose(self) -> ComposeResult:
        """The words, hidden at first."""
        yield self._words

    def on_mount(self) -> None:
        """Let them be seen after a while."""
        self.set_timer(_SILENT_S, self._speak)

    def _speak(self) -> None:
        self._words.visible = not self._is_drawn

    def draw(self) -> AwaitComplete | None:
        """Go away: at once, or when the screen that has come before it closes."""
        self._is_drawn = True
        self._words.visible = False
        return self.dismiss() if self.app.screen is self else None

    def on_screen_resume(self) -> None:
        """Go away where that had to wait."""
        if self._is_drawn and self.app.screen is self:
            self.dismiss()

    def on_key(self, event: events.Key) -> None:
        """Keep the key for later."""
        event.stop()
        event.prevent_default()
        self.pressed.append(event)


def open_screen(
    app: App[object],
    spawn: Spawn,
    reading: str,
    read: Callable[[], Awaitable[Screen[Result] | None]],
    answered: Callable[[Result | None], None] | None = None,
) -> None:
    """Open the screen that `read` gives, or none; keys that are pressed from now on come after that.

    Args:
        app: in which it opens.
        spawn: runs what is to be waited for beside the screen.
        reading: what is shown while that takes long, such as "Reading the tasks".
        read: reads what the screen shows, off the event loop.
        answered: gets what the screen is dismissed with.
    """
    curtain = Curtain(reading)
    spawn(_opened(app, curtain, app.push_screen(curtain), read, answered))


async def _opened(
    app: App[object],
    curtain: Curtain,
    mounted: AwaitMount,
    read: Callable[[], Awaitable[Screen[Result] | None]],
    answered: Callable[[Result | None], None] | None,
) -> None:
    await mounted
    screen: Screen[Result] | None = None
    try:
        screen = await read()
    finally:
        drawn = curtain.draw()
        opened = None if screen is None else app.push_screen(screen, answered)
        if drawn is not None:
            await drawn
    if opened is not None:
        await opened
    for event in curtain.pressed:
        app.post_message(events.Key(event.key, event.character))
