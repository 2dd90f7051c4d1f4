"""What is typed while the desk opens: it waits until something takes it, in the order in which it came."""

from typing import Final, TypeAlias

from textual import events
from textual.message import Message

Typed: TypeAlias = events.Key | events.Paste

_EDITING: Final = frozenset({"backspace", "ctrl+j"})


class Settled(Message):
    """The desk has opened, and keys mean from now on what they mean.

    Attributes:
        takes_keys: what was typed before goes to it; where the ticket that it was typed for did not open, it does not.
    """

    def __init__(self, *, takes_keys: bool) -> None:
        super().__init__()
        self.takes_keys = takes_keys


class TypeAhead:
    """Holds text back, and drops Enter: what that would send could not be seen when it was pressed."""

    def __init__(self) -> None:
        self._held: list[Typed] | None = []

    def holds(self, event: events.Event) -> bool:
        """Keep an event for later, if it is text that came too early; tells whether nobody else may take it now."""
        if self._held is None or not isinstance(event, Typed) or event.is_forwarded:
            return False
        if isinstance(event, events.Paste) or event.is_printable or event.key in _EDITING:
            self._held.append(event)
            return True
        return event.key == "enter"

    def end(self) -> list[Typed]:
        """Return what was held; nothing is held any more."""
        held, self._held = self._held or [], None
        return held
