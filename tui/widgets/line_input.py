"""A line to type into that does its own keys in the order in which they come."""

from typing import Final

from textual import events
from textual.binding import BindingsMap
from textual.widgets import Input

_KEYS: Final = BindingsMap(Input.BINDINGS).key_to_bindings
"""What a line does by keys of its own, without those by which everything scrolls."""


class LineInput(Input):
    """Takes Enter, and whatever else is not a letter, before what is typed behind it."""

    async def on_key(self, event: events.Key) -> None:
        """Do a key here: as a binding it would come after the letters behind it."""
        if bindings := _KEYS.get(event.key):
            event.stop()
            event.prevent_default()
            await self.run_action(bindings[0].action)
