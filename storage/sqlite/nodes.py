"""Reading a conversation's tree: its nodes with previews, and paths with contents."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from sqlite_utils import Database

from storage.errors import NotFoundError
from storage.interactions import Interaction, Node
from storage.sqlite.node_rows import OWN_COLUMNS, WIDTH, NodeReader, NodeRow, columns, joins
from storage.tree import by_id, path_ids
from storage.uncollected import uncollected

_MOSTLY: Final = 1.5
"""How much longer than a path a whole tree may be to be read for it; going up costs that much more for each node."""

_OWN: Final = ", ".join(OWN_COLUMNS)
# CROSS JOIN keeps SQLite from reading all contents of the record to find those of one path; `+` makes it go up by the
# row's own key, which needs no index.
_UP: Final = f"""
    WITH RECURSIVE up ({_OWN}) AS (
        SELECT {_OWN} FROM interaction WHERE id = :node AND +conversation_id = :conversation AND external = 1
        UNION ALL
        SELECT {", ".join(f"i.{name}" for name in OWN_COLUMNS)} FROM up CROSS JOIN interaction i
            ON i.id = up.parent_id AND +i.conversation_id = :conversation
    )
"""
_SIBLINGS: Final = "FROM interaction b WHERE b.conversation_id = :conversation AND b.parent_id = up.parent_id AND"
_PLACE: Final = f"""
    (SELECT count(*) {_SIBLINGS} b.external = 1 AND b.seq < up.seq),
    (SELECT count(*) {_SIBLINGS} b.external = 1 AND b.seq > up.seq)
"""
"""How many siblings come before a node, and how many after it."""

_PATH: Final = f"{_UP} SELECT {columns('up')}, {_PLACE} FROM up {joins('up')}"
_ALL: Final = f"""
    SELECT {columns("up")} FROM interaction up {joins("up")}
    WHERE up.conversation_id = :conversation AND up.external = 1 ORDER BY up.seq
"""
_ONE: Final = f"""
    SELECT {columns("up")}, {_PLACE} FROM interaction up {joins("up")}
    WHERE up.id = :node AND up.conversation_id = :conversation AND up.external = 1
"""
_SIZES: Final = """
    SELECT depth + 1, (SELECT node_count FROM interaction WHERE conversation_id = :conversation
                       ORDER BY seq DESC LIMIT 1)
    FROM interaction WHERE id = :node AND conversation_id = :conversation AND external = 1
"""
_HANGING: Final = f"""
    SELECT {columns("i")} FROM json_each(:nodes) up CROSS JOIN interaction i
        ON i.conversation_id = :conversation AND i.parent_id = up.value AND i.external = 0
    {joins("i")} ORDER BY i.seq
"""


@uncollected()
def all_nodes(db: Database, conversation_id: int) -> list[Node]:
    """All nodes in insertion order."""
    rows: list[NodeRow] = db.execute(_ALL, {"conversation": conversation_id}).fetchall()
    if not rows:
        raise NotFoundError("There is no such conversation.")
    make = NodeReader(db, conversation_id).node
    siblings = Counter(map(itemgetter(1), rows))
    so_far: dict[int | None, int] = dict.fromkeys(siblings, 0)
    nodes = []
    for row in rows:
        parent_id = row[1]
        so_far[parent_id] = n = so_far[parent_id] + 1
        nodes.append(make(row, n, siblings[parent_id]))
    return nodes


def one_node(db: Database, conversation_id: int, node_id: int) -> Node:
    """One node."""
    row = db.execute(_ONE, {"conversation": conversation_id, "node": node_id}).fetchone()
    if row is None:
        raise _no_node(node_id)
    before, after = row[WIDTH:]
    return NodeReader(db, conversation_id).node(row[:WIDTH], before + 1, before + 1 + after)


@uncollected()
def path(db: Database, conversation_id: int, node_id: int) -> list[Interaction]:
    """The interactions from the root to a node."""
    sizes = db.execute(_SIZES, {"conversation": conversation_id, "node": node_id}).fetchone()
    if sizes is None:
        raise _no_node(node_id)
    length, nodes = sizes
    way = _of_whole_tree if nodes <= _MOSTLY * length else _upwards
    return with_contents(db, conversation_id, way(db, conversation_id, node_id))


def _of_whole_tree(db: Database, conversation_id: int, node_id: int) -> list[Node]:
    """Read the tree, and keep what leads from the root to a node."""
    tree = all_nodes(db, conversation_id)
    known = by_id(tree)
    return [known[at] for at in path_ids(tree, node_id)]


def _upwards(db: Database, conversation_id: int, node_id: int) -> list[Node]:
    """Go up from a node; the root comes first."""
    rows = db.execute(_PATH, {"conversation": conversation_id, "node": node_id}).fetchall()
    make = NodeReader(db, conversation_id).node
    return [make(row[:WIDTH], row[-2] + 1, row[-2] + 1 + row[-1]) for row in reversed(rows)]


def branch(db: Database, conversation_id: int, node_id: int) -> list[Interaction]:
    """The interactions from the root to a node, each followed by the internal ones that hang on it."""
    return with_hanging(db, conversation_id, path(db, conversation_id, node_id))


def with_hanging(db: Database, conversation_id: int, entries: Sequence[Interaction]) -> list[Interaction]:
    """The same interactions, each followed by the internal ones that hang on it, as they were added."""
    rows: list[NodeRow] = db.execute(
        _HANGING, {"conversation": conversation_id, "nodes": json.dumps([entry.id for entry in entries])}
    ).fetchall()
    if not rows:
        return list(entries)
    reader = NodeReader(db, conversation_id)
    hanging: defaultdict[int | None, list[Interaction]] = defaultdict(list)
    for each in reader.interactions([reader.node(row, 1, 1) for row in rows]):
        hanging[each.node.parent_id].append(each)
    return [each for entry in entries for each in (entry, *hanging.get(entry.id, ()))]


def with_contents(db: Database, conversation_id: int, nodes: Sequence[Node]) -> list[Interaction]:
    """The interactions of nodes that are known, in the same order."""
    return NodeReader(db, conversation_id).interactions(nodes)


def head(db: Database, conversation_id: int) -> int:
    """The highest seq."""
    seq: int | None = db.execute(
        "SELECT max(seq) FROM interaction WHERE conversation_id = ?", (conversation_id,)
    ).fetchone()[0]
    if seq is None:
        raise NotFoundError("There is no such conversation.")
    return seq


def _no_node(node_id: int) -> NotFoundError:
    return NotFoundError(f"There is no node {node_id} in this conversation.")
