"""How history is kept when not all of it fits; a new strategy is one class here and one line in `STRATEGIES`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from assistant.plan.plan import PlanSettings, StrategyName


@dataclass(frozen=True, slots=True)
class Division:
    """What a strategy makes of the history before the question, as places in it.

    Attributes:
        pinned: the newest ticket is sent whatever the sizes, and so part of what is fixed.
        covered: the places before it are not sent; the path's compaction stands for them.
        oldest: the first place from which whole turns may be kept.
        holds: the place where the previous request began may be held (`assistant.plan.sticky`).
        may_summarise: a summary could stand for what does not fit.
    """

    pinned: bool = False
    covered: int = 0
    oldest: int = 0
    holds: bool = True
    may_summarise: bool = False


class Strategy(Protocol):
    """One way of keeping history."""

    def divide(self, starts: Sequence[int], end: int, compacted: int, settings: PlanSettings) -> Division:
        """Divide the history.

        Args:
            starts: the place where each turn begins, oldest first.
            end: how many places the history has.
            compacted: how many of its places the newest compaction covers; 0 where there is none.
            settings: what the agent chose.
        """


class Cut:
    """Keeps the newest whole turns that fit."""

    def divide(self, starts: Sequence[int], end: int, compacted: int, settings: PlanSettings) -> Division:
        """Let any turn be kept."""
        return Division()


class Select:
    """Keeps the newest ticket always, then the newest whole turns that fit."""

    def divide(self, starts: Sequence[int], end: int, compacted: int, settings: PlanSettings) -> Division:
        """Pin the ticket; the rest of its turn is kept or cut like any other."""
        return Division(pinned=True)


class Window:
    """Keeps the last N turns before the question, and of these the newest that fit."""

    def divide(self, starts: Sequence[int], end: int, compacted: int, settings: PlanSettings) -> Division:
        """Let the turns of the window be kept; it moves on with every turn, so nothing is held."""
        outside = len(starts) - settings.window_turns
        return Division(oldest=starts[outside] if outside > 0 else 0, holds=False)


class Summarise:
    """Keeps the newest ticket always, then the newest summary of the first turns, then the turns after these."""

    def divide(self, starts: Sequence[int], end: int, compacted: int, settings: PlanSettings) -> Division:
        """Pin the ticket and let what the compaction covers be sent as its summary."""
        return Division(pinned=True, covered=compacted, oldest=compacted, may_summarise=True)


STRATEGIES: Final[Mapping[StrategyName, Strategy]] = {
    StrategyName.CUT: Cut(),
    StrategyName.SELECT: Select(),
    StrategyName.WINDOW: Window(),
    StrategyName.SUMMARISE: Summarise(),
}
