"""What is typed while the desk or another ticket opens: it waits until that takes it, in the order in which it came."""

from collections import deque
from typing import Final, TypeAlias

from textual import events
from textual.message import Message

Typed: TypeAlias = events.Key | events.Paste

_LEAVING: Final = frozenset({"ctrl+q", "ctrl+c"})


class Settled(Message):
    """The desk, or a ticket on it, has opened, and what was typed since `TypeAhead.begin` can be taken.

    Attributes:
        hold: what `begin` returned; 0 for the desk itself.
        takes_keys: what was typed goes to it; where the ticket that it was typed for did not open, it does not.
    """

    def __init__(self, hold: int, *, takes_keys: bool = True) -> None:
        super().__init__()
        self.hold = hold
        self.takes_keys = takes_keys


class TypeAhead:
    """Holds text back, and drops Enter and clicks: what they would do could not be seen when they were made.

    Whatever else is pressed waits too, in its place, so that each text and each command comes to the ticket that it was
    meant for. What ends the app waits for the text before it, once.

    Attributes:
        hold: which holding this is; 0 is the one that begins with the app.
    """

    def __init__(self) -> None:
        self.hold = 0
        self._held: deque[Typed] | None = deque()

    @property
    def is_holding(self) -> bool:
        """Whatever comes waits."""
        return self._held is not None

    def begin(self) -> int:
        """Hold what comes from now on, behind what is held already; returns the number of this holding."""
        self.hold += 1
        if self._held is None:
            self._held = deque()
        return self.hold

    def holds(self, event: events.Event) -> bool:
        """Keep an event for later, if it came too early; tells whether nobody else may take it now."""
        if self._held is None or event.is_forwarded:
            return False
        match event:
            case events.MouseDown() | events.Key(key="enter"):
                return True
            case events.Key(key=key) if key in _LEAVING and (not self._held or self._is_leaving):
                return False
            case events.Key() | events.Paste():
                self._held.append(event)
                return True
            case _:
                return False

    def next(self) -> Typed | None:
        """Return what was held first; None once nothing is held any more, which ends the holding."""
        if self._held:
            return self._held.popleft()
        self._held = None
        return None

    def drop(self) -> bool:
        """Forget what is held, and end the holding; tells whether the app was to end."""
        is_leaving = self._is_leaving
        self._held = None
        return is_leaving

    @property
    def _is_leaving(self) -> bool:
        return any(isinstance(event, events.Key) and event.key in _LEAVING for event in self._held or ())
