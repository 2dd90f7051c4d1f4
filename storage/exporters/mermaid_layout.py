"""What is drawn of a tree, and in how many diagrams: pure functions over nodes, none of them recursive."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from storage.interactions import Node
from storage.tree import children_of

MOST_SHAPES: Final = 400
MOST_EDGES: Final = 500
"""Mermaid's own limit (maxEdges)."""
MOST_TEXT: Final = 48_000
"""Mermaid's own limit is 50,000 UTF-16 units (maxTextSize); the rest is for what stands around the shapes."""

AROUND: Final = 32
"""What an edge takes at most, or a shape besides its label: its name, its indent, its places in lists of classes."""

KEPT_AT_ENDS: Final = (100, 30, 10, 3)
"""How many nodes of a run stay at either end when its middle is folded, tried in this order."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A node, or the middle of a run of nodes folded into one shape.

    Attributes:
        nodes: one, or those that are folded.
        parent, replaces: positions of earlier shapes.
    """

    nodes: tuple[Node, ...]
    parent: int | None
    replaces: int | None = None

    @property
    def edges(self) -> tuple[int, ...]:
        """The positions that edges lead to."""
        return tuple(position for position in (self.parent, self.replaces) if position is not None)


@dataclass(slots=True)
class Diagram:
    """Positions of the shapes drawn in one diagram; those `elsewhere` belong to another and only hold an edge's end."""

    own: list[int] = field(default_factory=list)
    elsewhere: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Layout:
    """All shapes, each after its parent, and the diagrams that draw them."""

    shapes: list[Shape]
    diagrams: list[Diagram]


def layout(nodes: Sequence[Node], text_of: Callable[[Shape], int]) -> Layout:
    """Draw all nodes in one diagram if that can be; else fold long runs, as little as it takes; else in several.

    `text_of` tells how many UTF-16 units the line of a shape takes.
    """
    whole = _laid_out(shapes_of(nodes, None), text_of)
    if len(whole.diagrams) == 1:
        return whole
    folded = whole
    for kept in KEPT_AT_ENDS:
        folded = _laid_out(shapes_of(nodes, kept), text_of)
        if len(folded.diagrams) == 1:
            break
    return folded


def shapes_of(nodes: Sequence[Node], kept: int | None) -> list[Shape]:
    """Return the shapes branch after branch, runs longer than `kept` at either end folded, none where it is None."""
    children = children_of(nodes)
    fixed = {node_id for node in nodes if node.replaces_id is not None for node_id in (node.id, node.replaces_id)}

    def is_inner(node: Node) -> bool:
        alone = len(children[node.parent_id]) == 1 and node.parent_id is not None
        return alone and len(children.get(node.id, ())) == 1 and node.id not in fixed

    shapes: list[Shape] = []
    position_of: dict[int, int] = {}
    waiting = [(node, None) for node in children.get(None, ())]
    todo: list[tuple[Node, int | None]] = list(reversed(waiting))
    while todo:
        node, parent = todo.pop()
        run = [node]
        if is_inner(node):
            while is_inner(below := children[run[-1].id][0]):
                run.append(below)
        for group in _groups(run, kept):
            replaces_id = group[0].replaces_id
            replaces = None if replaces_id is None else position_of.get(replaces_id)
            shapes.append(Shape(group, parent, replaces))
            parent = len(shapes) - 1
            position_of.update((each.id, parent) for each in group)
        todo.extend((child, parent) for child in reversed(children.get(run[-1].id, ())))
    return shapes


def _groups(run: Sequence[Node], kept: int | None) -> Iterator[tuple[Node, ...]]:
    folds = kept is not None and len(run) > 2 * kept + 1
    start, stop = (kept or 0, len(run) - (kept or 0)) if folds else (len(run), len(run))
    yield from ((node,) for node in run[:start])
    if folds:
        yield tuple(run[start:stop])
        yield from ((node,) for node in run[stop:])


def _laid_out(shapes: list[Shape], text_of: Callable[[Shape], int]) -> Layout:
    texts = [text_of(shape) for shape in shapes]
    filling = _Filling(texts)
    diagrams = [filling.diagram]
    for position, shape in enumerate(shapes):
        if not filling.has_room(position, shape):
            filling = _Filling(texts)
            diagrams.append(filling.diagram)
        filling.add(position, shape)
    return Layout(shapes, diagrams)


class _Filling:
    """A diagram that is being filled; `texts` are the sizes of all shapes."""

    def __init__(self, texts: Sequence[int]) -> None:
        self.diagram = Diagram()
        self._texts = texts
        self._drawn: set[int] = set()
        self._edges = 0
        self._text = 0

    def has_room(self, position: int, shape: Shape) -> bool:
        """Tell whether a shape, its edges and the ends of them that are not drawn yet fit in."""
        return not self._drawn or (
            len(self._drawn) + len(self._not_drawn(shape)) < MOST_SHAPES
            and self._edges + len(shape.edges) <= MOST_EDGES
            and self._text + self._size(position, shape) <= MOST_TEXT
        )

    def add(self, position: int, shape: Shape) -> None:
        """Draw a shape."""
        elsewhere = self._not_drawn(shape)
        self._text += self._size(position, shape)
        self._edges += len(shape.edges)
        self._drawn.update((position, *elsewhere))
        self.diagram.own.append(position)
        self.diagram.elsewhere.extend(elsewhere)

    def _not_drawn(self, shape: Shape) -> list[int]:
        return [end for end in dict.fromkeys(shape.edges) if end not in self._drawn]

    def _size(self, position: int, shape: Shape) -> int:
        shapes = (position, *self._not_drawn(shape))
        return sum(self._texts[each] + AROUND for each in shapes) + AROUND * len(shape.edges)
