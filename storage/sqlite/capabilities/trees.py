"""Reading the tree of a conversation."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from storage.interactions import Interaction, Node, ShownTree
from storage.origins import Origin
from storage.sqlite import nodes, origins, showing
from storage.sqlite.capabilities.part import Part

CONTENTS_AT_ONCE: Final = 200
"""How many contents are in memory while a whole tree is read."""


class Trees(Part):
    """Nodes, paths and contents."""

    def nodes(self, conversation_id: int) -> list[Node]:
        """Return all nodes in insertion order."""
        return self._read(lambda db: nodes.all_nodes(db, conversation_id))

    def node(self, conversation_id: int, node_id: int) -> Node:
        """Return one node."""
        return self._read(lambda db: nodes.one_node(db, conversation_id, node_id))

    def path(self, conversation_id: int, node_id: int) -> list[Interaction]:
        """Return the interactions from the root to this node."""
        return self._read(lambda db: nodes.path(db, conversation_id, node_id))

    def branch(self, conversation_id: int, node_id: int) -> list[Interaction]:
        """Return the path to this node, each node followed by the internal interactions that hang on it."""
        return self._read(lambda db: nodes.branch(db, conversation_id, node_id))

    def shown(self, conversation_id: int, through: int | None = None) -> ShownTree:
        """Return the tree, and the branch that is shown."""
        return self._read(lambda db: showing.shown(db, conversation_id, through))

    def contents(self, conversation_id: int, *, hanging: bool = False) -> Iterator[Interaction]:
        """Return all interactions of the tree in insertion order, read a few at a time."""
        return self._in_batches(conversation_id, self.nodes(conversation_id), hanging)

    def origins(self, conversation_id: int) -> dict[int, Origin]:
        """Return where each interaction was added first."""
        return self._read(lambda db: origins.origins(db, conversation_id))

    def head(self, conversation_id: int) -> int:
        """Return the highest seq."""
        return self._read(lambda db: nodes.head(db, conversation_id))

    def _in_batches(self, conversation_id: int, tree: Sequence[Node], hanging: bool) -> Iterator[Interaction]:
        for start in range(0, len(tree), CONTENTS_AT_ONCE):
            batch = tree[start : start + CONTENTS_AT_ONCE]
            entries = self._read(partial(nodes.with_contents, conversation_id=conversation_id, nodes=batch))
            if hanging:
                entries = self._read(partial(nodes.with_hanging, conversation_id=conversation_id, entries=entries))
            yield from entries
