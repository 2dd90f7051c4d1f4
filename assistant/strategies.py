"""How history is kept when not all of it fits; a new strategy is one class here and one line in `STRATEGIES`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from assistant.plan import PlanSettings, StrategyName


@dataclass(frozen=True, slots=True)
class Division:
    """What a strategy makes of the history before the question, as places in it.

    Attributes:
        pinned: sent whatever the sizes, and so part of what is fixed.
        units: stretches that are kept or cut whole, oldest first; the newest that fit are kept, up to the first that
            does not. A place that is neither pinned nor in a unit is cut.
    """

    pinned: tuple[int, ...]
    units: Sequence[range]


class Strategy(Protocol):
    """One way of keeping history."""

    def divide(self, turns: Sequence[range], ticket: int | None, settings: PlanSettings) -> Division:
        """Divide the turns, oldest first; `ticket` is the place of the newest one, None where the history has none."""


class Cut:
    """Keeps the newest whole turns that fit."""

    def divide(self, turns: Sequence[range], ticket: int | None, settings: PlanSettings) -> Division:
        """Make each turn a unit."""
        return Division(pinned=(), units=turns)


class Select:
    """Keeps the newest ticket always, then the newest whole turns that fit."""

    def divide(self, turns: Sequence[range], ticket: int | None, settings: PlanSettings) -> Division:
        """Pin the ticket; as it opens its turn, the rest of that turn is a unit of its own."""
        if ticket is None:
            return Division(pinned=(), units=turns)
        units = [range(ticket + 1, turn.stop) if turn.start == ticket else turn for turn in turns]
        return Division(pinned=(ticket,), units=units)


class Window:
    """Keeps the last N turns before the question, and of these the newest that fit."""

    def divide(self, turns: Sequence[range], ticket: int | None, settings: PlanSettings) -> Division:
        """Make each turn of the window a unit."""
        return Division(pinned=(), units=turns[max(0, len(turns) - settings.window_turns) :])


STRATEGIES: Final[Mapping[StrategyName, Strategy]] = {
    StrategyName.CUT: Cut(),
    StrategyName.SELECT: Select(),
    StrategyName.WINDOW: Window(),
}
