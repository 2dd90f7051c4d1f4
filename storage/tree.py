"""Walking a conversation's tree: pure functions over its nodes, none of them recursive.

Wherever a function takes nodes they stand in insertion order, as the store gives them, so a parent comes before its
children.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from storage.interactions import Node

NO_CHOICES: Final[Mapping[int, int]] = {}


def by_id(nodes: Iterable[Node]) -> dict[int, Node]:
    """Return the nodes by their ids."""
    return {node.id: node for node in nodes}


def children_of(nodes: Iterable[Node]) -> dict[int | None, list[Node]]:
    """Return each node's children, oldest first; the root stands under None, and a leaf has no entry."""
    children: dict[int | None, list[Node]] = {}
    for node in nodes:
        children.setdefault(node.parent_id, []).append(node)
    return children


def path_ids(nodes: Iterable[Node], node_id: int) -> list[int]:
    """Return the ids from the root to a node, both included."""
    known = by_id(nodes)
    ids = []
    at: int | None = node_id
    while at is not None:
        ids.append(at)
        at = known[at].parent_id
    ids.reverse()
    return ids


def leaf_below(nodes: Sequence[Node], node_id: int, choices: Mapping[int, int] = NO_CHOICES) -> int:
    """Return the leaf to show for a node: the one chosen last below it, else the newest below it.

    `choices` tells, for each node ever chosen, when: the larger, the later.
    """
    way = _way_down(nodes, choices)
    at = node_id
    while at in way:
        at = way[at]
    return at


def follow(links: Iterable[tuple[int, int | None]], choices: Mapping[int, int]) -> dict[int, int]:
    """Return for each node that has children the one to go down to; `links` are (id, parent) in insertion order."""
    ordered = list(links)
    best = {node_id: (choices.get(node_id, 0), position) for position, (node_id, _) in enumerate(ordered)}
    way: dict[int, int] = {}
    # Backwards each node comes after all that is below it, so its best is known when its parent asks.
    reached: dict[int, tuple[int, int]] = {}
    for node_id, parent_id in reversed(ordered):
        if parent_id is None:
            continue
        best[parent_id] = max(best[parent_id], best[node_id])
        if best[node_id] > reached.get(parent_id, (-1, -1)):
            reached[parent_id], way[parent_id] = best[node_id], node_id
    return way


def _way_down(nodes: Iterable[Node], choices: Mapping[int, int]) -> dict[int, int]:
    return follow(((node.id, node.parent_id) for node in nodes), choices)
