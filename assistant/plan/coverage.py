"""How much of a history a new summary should stand for, and whether one is worth its call."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Final

from assistant.plan.plan import Coverage, PlannedItem
from assistant.plan.sticky import FILL
from storage.kinds import kind_named

LEAST_SAVING: Final = 0.1
"""A summary is refused where it shortens the whole request by less."""

LEAST_SUMMARY_TOKENS: Final = 40
"""A summary with less room than this says nothing."""

_SHARE_OF_COVERED: Final = 4
_SHARE_OF_BUDGET: Final = 8


def expected_tokens(covered: int, budget: int) -> int:
    """What is kept free for a summary: a quarter of what it stands for, at most an eighth of the budget."""
    return min(covered // _SHARE_OF_COVERED, budget // _SHARE_OF_BUDGET)


def saves_enough(covered: int, summary: int, request: int) -> bool:
    """Tell whether a summary is worth it; `request` is what everything would take without one."""
    return covered - summary >= LEAST_SAVING * request


def is_worth_it(covered: int, expected: int, request: int) -> bool:
    """Tell whether to ask for a summary of so many tokens at all."""
    return expected >= LEAST_SUMMARY_TOKENS and saves_enough(covered, expected, request)


def stop_that_fits(
    stops: Sequence[int], tokens_from: Callable[[int], int], total: int, fixed: int, budget: int
) -> int | None:
    """Return the place before which all is to be summarised, so that about 70 % of the budget is filled.

    Args:
        stops: the places before which a summary may stop, oldest first; the last one leaves no turn.
        tokens_from: what it takes to send what stands there and after.
        total: what it takes to send all turns.
        fixed: what is sent beside the turns and the summary.
        budget: of the whole request.

    Returns None where not even a summary of everything fits, or none is worth it.
    """

    def fits(stop: int, share: float) -> bool:
        left = tokens_from(stop)
        expected = expected_tokens(total - left, budget)
        return fixed + left + expected <= int(share * budget) and is_worth_it(total - left, expected, fixed + total)

    # The more is covered, the less is left and the more is saved, so what fits begins at one place.
    for share in (FILL, 1):
        first = bisect_left(stops[:-1], True, key=lambda stop: fits(stop, share))
        if first < len(stops) - 1:
            return stops[first]
    # The newest turn is sent word for word wherever it can be.
    is_kept = len(stops) > 1 and fixed + tokens_from(stops[-2]) <= budget
    return stops[-1] if not is_kept and fits(stops[-1], 1) else None


def coverage(
    items: Sequence[PlannedItem],
    tickets: Sequence[int],
    file_nodes: Mapping[int, int],
    tokens: int,
    budget: int,
    most: int,
    request: int,
) -> Coverage | None:
    """Describe a summary of the first items of a path; None where one could not say anything, or saves too little.

    Args:
        items: all before the place where it stops.
        tickets: the places of the tickets among them.
        file_nodes: the node that each attached file of the path hangs on, by its interaction.
        tokens: what they take, without the ticket that is sent beside the summary.
        budget: of the request that it is made for.
        most: tokens that the summary may take at most.
        request: what everything would take without it.
    """
    expected = expected_tokens(tokens, budget)
    if len(items) == len(tickets) or not is_worth_it(tokens, expected, request):
        return None
    parts = pairwise((-1, *tickets, len(items)))
    covered = tuple(chain.from_iterable(items[before + 1 : ticket] for before, ticket in parts))
    first_id, last_id = covered[0].id, _last_node_id(items, file_nodes)
    first_node_id = None if first_id is None else file_nodes.get(first_id, first_id)
    return Coverage(items[-1].turn, covered, tokens, expected, most, request, first_node_id, last_id)


def _last_node_id(items: Sequence[PlannedItem], file_nodes: Mapping[int, int]) -> int | None:
    """The lowest node of a path that one of these is, or hangs on; None where it is not in the record yet.

    A file may hang on a node that is no item itself, as an answer is that failed before a word; only a branch through
    that node has it.
    """
    lowest = 0
    for item in reversed(items):
        if item.id is None:
            return None
        # Along a path ids rise.
        lowest = max(lowest, file_nodes.get(item.id, item.id))
        if kind_named(item.kind).external:
            break
    return lowest or None
