"""Coming to a ticket: what is typed between the key that opens it and its first picture is for that ticket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tui.type_ahead import Settled

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from tui.screens.desk import DeskScreen

_PATIENCE_SECONDS: Final = 0.3
"""How long a ticket may take to open before the screen says that it is being opened."""


class Arriving:
    """Holds the keys while tickets open, and lets them go where they belong.

    Args:
        hold_keys: holds whatever is pressed until the screen posts `Settled` with the number that it returns.
    """

    def __init__(self, screen: DeskScreen, hold_keys: Callable[[], int]) -> None:
        self._screen = screen
        self._hold_keys = hold_keys
        self._hold = 0
        self._under_way = False

    def begin(self, step: Coroutine[None, None, None]) -> None:
        """Run a step that opens a ticket; where it fails, what was typed for that ticket goes to no other."""
        self._hold, self._under_way = self._hold_keys(), True
        self._screen.spawn(self._ended(step, self._hold))
        self._screen.set_timer(_PATIENCE_SECONDS, self._screen.show_plan)

    def settle(self, *, takes_keys: bool = True) -> None:
        """Let go of the keys, unless a ticket is on its way."""
        if not self._under_way:
            self._screen.post_message(Settled(self._hold, takes_keys=takes_keys))

    async def _ended(self, step: Coroutine[None, None, None], hold: int) -> None:
        has_failed = True
        try:
            await step
            has_failed = False
        finally:
            if hold == self._hold:
                self._under_way = False
                self._screen.call_later(self._screen.call_after_refresh, self.settle, takes_keys=not has_failed)
