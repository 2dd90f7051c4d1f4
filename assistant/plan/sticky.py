"""The sticky cut: a request begins where the branch's previous one began, so that a provider's cache knows it.

Every turn adds to the end of the request alone, until it does not fit any more. Then the beginning jumps so far that
about 70 % of the budget is filled, and is held again. What was held before is read from the answers of the path, so
the same record gives the same request.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from assistant.plan.plan import PlanSettings
from assistant.tasks.task import Task
from storage.interactions import Node
from storage.values import Json

FILL: Final = 0.7
"""How much of the budget is filled after a jump."""

KEPT_FROM: Final = "kept_from"
"""Where an answer's meta says with which interaction the turns of its request began."""


class Began(NamedTuple):
    """Where the request for an answer began, and what it was planned with.

    Attributes:
        kept_from: the id of the interaction with which its turns began.
    """

    strategy: Json
    budget: Json
    kept_from: int

    def is_held(self, settings: PlanSettings) -> bool:
        """Tell whether the next request is planned alike; else it is planned afresh."""
        return (self.strategy, self.budget) == (settings.strategy.value, settings.budget)


def began(answer: Node, task: Task) -> Began | None:
    """Read where the request for an answer began; None where nothing says so, or it was made for another task."""
    meta = answer.meta
    kept_from = meta.get(KEPT_FROM)
    if (meta.get("task"), meta.get("task_version")) != (task.name, task.version) or not isinstance(kept_from, int):
        return None
    return Began(meta.get("strategy"), meta.get("budget"), kept_from)


def begin(starts: Sequence[int], tokens_from: Callable[[int], int], room: int, held: int | None, budget: int) -> int:
    """Return the place from which turns are kept.

    Args:
        starts: the places where it may begin, oldest first; the last one keeps nothing.
        tokens_from: what it takes to begin there; the later, the less.
        room: tokens that are left for turns.
        held: the place where the previous request began; None to keep the newest turns that fit.
        budget: of the whole request.
    """
    if held is None:
        return _first_within(starts, tokens_from, room)
    place = starts[max(0, bisect_right(starts, held) - 1)]
    if tokens_from(place) <= room:
        return place
    jumped = _first_within(starts, tokens_from, room - (budget - int(FILL * budget)))
    return jumped if jumped != starts[-1] else _first_within(starts, tokens_from, room)


def _first_within(starts: Sequence[int], tokens_from: Callable[[int], int], room: int) -> int:
    """The first place from which everything fits; the last one where nothing does."""
    first = bisect_left(starts, -room, key=lambda start: -tokens_from(start))
    return starts[min(first, len(starts) - 1)]
