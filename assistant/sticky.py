"""The sticky cut: a request begins where the branch's previous one began, so that a provider's cache knows it.

Every turn adds to the end of the request alone, until it does not fit any more. Then the beginning jumps so far that
about 70 % of the budget is filled, and is held again. What was held before is read from the answers of the path, so
the same record gives the same request.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Final

from assistant.plan import PlanSettings
from assistant.task import Task
from storage.interactions import Node

FILL: Final = 0.7
"""How much of the budget is filled after a jump."""

KEPT_FROM: Final = "kept_from"
"""Where an answer's meta says with which interaction the turns of its request began."""


def held_by(answer: Node, task: Task, settings: PlanSettings) -> int | None:
    """Return the id of the interaction with which the request for an answer began.

    None where the next request would begin otherwise anyway, or is to be planned afresh: under another task, strategy
    or budget.
    """
    meta = answer.meta
    same = (meta.get("task"), meta.get("task_version"), meta.get("strategy"), meta.get("budget")) == (
        task.name,
        task.version,
        settings.strategy.value,
        settings.budget,
    )
    kept_from = meta.get(KEPT_FROM)
    return kept_from if same and isinstance(kept_from, int) else None


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
    began = starts[max(0, bisect_right(starts, held) - 1)]
    if tokens_from(began) <= room:
        return began
    jumped = _first_within(starts, tokens_from, room - (budget - int(FILL * budget)))
    return jumped if jumped != starts[-1] else _first_within(starts, tokens_from, room)


def _first_within(starts: Sequence[int], tokens_from: Callable[[int], int], room: int) -> int:
    """The first place from which everything fits; the last one where nothing does."""
    first = bisect_left(starts, -room, key=lambda start: -tokens_from(start))
    return starts[min(first, len(starts) - 1)]
