"""Reading a conversation's tree: its nodes with previews, and paths with contents."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from sqlite_utils import Database

from storage.errors import NotFoundError
from storage.interactions import Interaction, Node
from storage.sqlite.node_reader import NodeReader
from storage.sqlite.node_rows import (
    COPIED,
    ID,
    OWN_COLUMNS,
    PARENT_ID,
    SEQ,
    WIDTH,
    NodeRow,
    columns,
    completed,
    joined,
)
from storage.uncollected import uncollected

_MOSTLY: Final = 4
"""How much longer than a path a whole tree may be to be read for it; going up costs that much more for each node."""

_PARENT: Final = itemgetter(PARENT_ID)
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

_PATH: Final = f"{_UP} SELECT {columns('up')}, {_PLACE} FROM up {joined('up', 1)}"
_ENDED: Final = f"SELECT {COPIED} FROM reading WHERE conversation_id = :conversation AND external = 1 ORDER BY seq"
_SINCE: Final = f"""
    SELECT {columns("up")} FROM interaction up {joined("up", 1)}
    WHERE up.conversation_id = :conversation AND up.seq > :seq AND up.external = 1 ORDER BY up.seq
"""
_COUNT: Final = "SELECT node_count FROM interaction WHERE conversation_id = :conversation ORDER BY seq DESC LIMIT 1"
_ONE: Final = f"""
    SELECT {columns("up")}, {_PLACE} FROM interaction up {joined("up", 1)}
    WHERE up.id = :node AND up.conversation_id = :conversation AND up.external = 1
"""
_SIZES: Final = f"""
    SELECT depth + 1, ({_COUNT}) FROM interaction WHERE id = :node AND conversation_id = :conversation AND external = 1
"""
_HANGING: Final = f"""
    SELECT {columns("i")} FROM json_each(:nodes) up CROSS JOIN interaction i
        ON i.conversation_id = :conversation AND i.parent_id = up.value AND i.external = 0
    {joined("i", 0)} ORDER BY i.seq
"""


@uncollected()
def all_nodes(db: Database, conversation_id: int) -> list[Node]:
    """All nodes in insertion order."""
    rows = _all_rows(db, conversation_id)
    return NodeReader(db, conversation_id).nodes(rows, *_places(rows))


def _all_rows(db: Database, conversation_id: int) -> Sequence[NodeRow]:
    """The rows of all nodes in insertion order."""
    here = {"conversation": conversation_id}
    if (size := db.execute(_COUNT, here).fetchone()) is None:
        raise NotFoundError("There is no such conversation.")
    rows: list[NodeRow] = db.execute(_ENDED, here).fetchall()
    if len(rows) < size[0]:  # the newest node has not ended, or the conversation is erased
        rows += _since(db, conversation_id, rows[-1][SEQ] if rows else 0)
    return rows if len(rows) == size[0] else _since(db, conversation_id, 0)


def _since(db: Database, conversation_id: int, seq: int) -> Sequence[NodeRow]:
    """The rows of the nodes after one, also of those that have not ended or whose words were erased."""
    return completed(db, db.execute(_SINCE, {"conversation": conversation_id, "seq": seq}).fetchall())


def _places(rows: Sequence[NodeRow]) -> tuple[dict[int, int], Counter[int | None]]:
    """Number the siblings where there are some, and count the children of each parent; `rows` are a whole tree."""
    counts = Counter(map(_PARENT, rows))
    so_far = {parent_id: 0 for parent_id, count in counts.items() if count > 1}
    places: dict[int, int] = {}
    for row in rows if so_far else ():
        if (parent_id := row[PARENT_ID]) in so_far:
            places[row[ID]] = so_far[parent_id] = so_far[parent_id] + 1
    return places, counts


def one_node(db: Database, conversation_id: int, node_id: int) -> Node:
    """One node."""
    found = _placed(db, conversation_id, node_id, _ONE)
    if not found:
        raise _no_node(node_id)
    return found[0]


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
    rows = _all_rows(db, conversation_id)
    known = {row[ID]: row for row in rows}
    way = [known[node_id]]
    while (parent_id := way[-1][PARENT_ID]) is not None:
        way.append(known[parent_id])
    return NodeReader(db, conversation_id).nodes(reversed(way), *_places(rows))


def _upwards(db: Database, conversation_id: int, node_id: int) -> list[Node]:
    """Go up from a node; the root comes first."""
    return _placed(db, conversation_id, node_id, _PATH)[::-1]


def _placed(db: Database, conversation_id: int, node_id: int, sql: str) -> list[Node]:
    """Make nodes of rows that are followed by their `_PLACE`."""
    found = db.execute(sql, {"conversation": conversation_id, "node": node_id}).fetchall()
    places = {row[ID]: row[-2] + 1 for row in found}
    counts = {row[PARENT_ID]: row[-2] + 1 + row[-1] for row in found}
    rows: list[NodeRow] = [row[:WIDTH] for row in found]
    return NodeReader(db, conversation_id).nodes(completed(db, rows), places, counts)


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
    nodes = reader.nodes(completed(db, rows), {}, dict.fromkeys(map(_PARENT, rows), 1))
    hanging: defaultdict[int | None, list[Interaction]] = defaultdict(list)
    for each in reader.interactions(nodes):
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
