"""What is typed while the desk or another ticket opens: it waits until that takes it, in the order in which it came."""

from typing import Final, TypeAlias

from textual import events
from textual.message import Message

Typed: TypeAlias = events.Key | events.Paste

_LEAVING: Final = frozenset({"ctrl+q", "ctrl+c"})


class Settled(Message):
    """The desk, or a ticket on it, has opened, and keys mean from now on what they mean.

    Attributes:
        takes_keys: what was typed before goes to it; where the ticket that it was typed for did not open, it does not.
    """

    def __init__(self, *, takes_keys: bool) -> None:
        super().__init__()
        self.takes_keys = takes_keys


class TypeAhead:
    """Holds text back, and drops Enter: what that would send could not be seen when it was pressed.

    Whatever else is pressed waits too, in its place, so that each text and each command comes to the ticket that it was
    meant for. Only what ends the app does not.
    """

    def __init__(self) -> None:
        self._held: list[Typed] | None = []

    def begin(self) -> None:
        """Hold what comes from now on."""
        if self._held is None:
            self._held = []

    def holds(self, event: events.Event) -> bool:
        """Keep an event for later, if it came too early; tells whether nobody else may take it now."""
        if self._held is None or not isinstance(event, Typed) or event.is_forwarded:
            return False
        if isinstance(event, events.Key) and event.key in _LEAVING:
            return False
        if isinstance(event, events.Paste) or event.key != "enter":
            self._held.append(event)
        return True

    def end(self) -> list[Typed]:
        """Return what was held; nothing is held any more."""
        held, self._held = self._held or [], None
        return held
