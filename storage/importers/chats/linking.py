"""Making one forest of nodes that name each other, whatever is missing or contradicts itself; nothing is recursive.

All nodes are indexed first and linked then, so their order does not matter. A node's own word about its parent counts
where that parent exists; else it belongs to the node that lists it among its children. Children stand in the order of
their parent's list, and behind them, in the order of the source, those that only name the parent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from storage.importers.chats.notes import Notes
from storage.importers.chats.source import SourceNode


@dataclass(frozen=True, slots=True)
class Forest:
    """The nodes of a chat, linked.

    Attributes:
        parents: of each node, None for a root; each node comes after its parent, and siblings in their order.
        nodes: by id.
        notes: what had to be repaired, as clauses.
    """

    parents: Mapping[str, str | None]
    nodes: Mapping[str, SourceNode]
    notes: tuple[str, ...]

    @property
    def roots(self) -> int:
        """How many nodes have no parent."""
        return sum(parent is None for parent in self.parents.values())


def link(nodes: Sequence[SourceNode]) -> Forest:
    """Link the nodes of a chat, whose ids differ; each of them is in the forest exactly once."""
    notes = Notes()
    by_id = {node.id: node for node in nodes}
    parents = _parents(by_id, notes)
    _cut_cycles(parents, notes)
    children = _children(by_id, parents)
    ordered: dict[str, str | None] = {}
    waiting = list(reversed(children[None]))
    while waiting:
        node_id = waiting.pop()
        ordered[node_id] = parents[node_id]
        waiting += reversed(children.get(node_id, ()))
    return Forest(ordered, by_id, notes.clauses())


def _parents(by_id: Mapping[str, SourceNode], notes: Notes) -> dict[str, str | None]:
    claims: dict[str, str] = {}
    for node in by_id.values():
        for child in node.children:
            if child not in by_id:
                notes.add("a child that is not there", node.id)
            elif child != node.id and claims.setdefault(child, node.id) != node.id:
                notes.add("two nodes that list it as a child", child)
    parents: dict[str, str | None] = {}
    for node in by_id.values():
        claimed = claims.get(node.id)
        if node.parent is None:
            parents[node.id] = claimed
            if node.is_root and claimed is not None:
                notes.add("no parent by its own word, but another node lists it; put below that one", node.id)
        elif node.parent in by_id:
            parents[node.id] = node.parent
            if claimed not in (None, node.parent):
                notes.add("one parent by its own word, but another node lists it; its own word counts", node.id)
        else:
            parents[node.id] = claimed
            way = "put below the node that lists it" if claimed is not None else "it begins a branch of its own"
            notes.add(f"a parent that is not there; {way}", node.id)
    return parents


def _cut_cycles(parents: dict[str, str | None], notes: Notes) -> None:
    """Make the first node of each circle a root."""
    settled: set[str] = set()
    for start in parents:
        walked: dict[str, None] = {}
        at: str | None = start
        while at is not None and at not in settled and at not in walked:
            walked[at] = None
            at = parents[at]
        if at is not None and at in walked:
            circle = list(walked)[list(walked).index(at) :]
            parents[at] = None
            notes.add("a place in a circle of parents, which was cut; they are a branch of their own", *circle)
        settled.update(walked)


def _children(by_id: Mapping[str, SourceNode], parents: Mapping[str, str | None]) -> dict[str | None, list[str]]:
    children: dict[str | None, dict[str, None]] = {None: {}}
    for node in by_id.values():
        for child in node.children:
            if child in by_id and parents[child] == node.id:
                children.setdefault(node.id, {})[child] = None
    for node_id, parent_id in parents.items():
        children.setdefault(parent_id, {})[node_id] = None
    return {parent_id: list(ids) for parent_id, ids in children.items()}
