"""Holds back the keys while a screen that was asked for is being read, so that none of them goes elsewhere."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from textual import events
from textual.app import App
from textual.screen import ModalScreen, Screen

Result = TypeVar("Result")


class Curtain(ModalScreen[None]):
    """Shows nothing and lets no key through.

    Attributes:
        pressed: the keys that came, in order.
    """

    DEFAULT_CSS = "Curtain { background: transparent; }"

    def __init__(self) -> None:
        super().__init__()
        self.pressed: list[events.Key] = []

    def on_key(self, event: events.Key) -> None:
        """Keep the key for later."""
        event.stop()
        event.prevent_default()
        self.pressed.append(event)


async def open_screen(
    app: App[object],
    read: Callable[[], Awaitable[Screen[Result] | None]],
    answered: Callable[[Result | None], None] | None = None,
) -> None:
    """Open the screen that `read` gives, or none; keys that are pressed while it reads come after that.

    Args:
        app: in which it opens.
        read: reads what the screen shows, off the event loop.
        answered: gets what the screen is dismissed with.
    """
    curtain = Curtain()
    await app.push_screen(curtain)
    screen: Screen[Result] | None = None
    try:
        screen = await read()
    finally:
        drawn = curtain.dismiss()
        opened = None if screen is None else app.push_screen(screen, answered)
        await drawn
    if opened is not None:
        await opened
    for event in curtain.pressed:
        app.post_message(events.Key(event.key, event.character))
