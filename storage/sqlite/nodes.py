"""Reading a conversation's tree: its nodes with previews, and paths with contents."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from sqlite_utils import Database

from storage.errors import NotFoundError
from storage.interactions import Interaction, Node, Status
from storage.sqlite.node_rows import OWN_COLUMNS, WIDTH, NodeReader, NodeRow, columns, joins
from storage.uncollected import uncollected

_MOSTLY: Final = 3
"""How much longer than a path a whole tree may be to be read for it; going up costs that much more for each node."""

_PARENT: Final = itemgetter(OWN_COLUMNS.index("parent_id"))
_SEQ: Final = itemgetter(OWN_COLUMNS.index("seq"))
_STATUS: Final = len(OWN_COLUMNS) + 2
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
# What was sealed has ended, and nearly always well: to look up all other ends together takes less time than each end.
_ENDED: Final = (
    f"CASE WHEN s.interaction_id IS NOT NULL THEN '{Status.COMPLETE}'"
    " ELSE (SELECT status FROM final WHERE interaction_id = up.id) END"
)
_ALL: Final = f"""
    SELECT {columns("up", _ENDED)} FROM interaction up INDEXED BY interaction_read {joins("up", "hs")}
    WHERE up.conversation_id = :conversation AND up.external = 1
"""
_OTHER_ENDS: Final = f"""
    SELECT interaction_id, status FROM final INDEXED BY final_read
    WHERE conversation_id = :conversation AND status <> '{Status.COMPLETE}'
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
    rows = _all_rows(db, conversation_id)
    return NodeReader(db, conversation_id).nodes(rows, *_places(rows))


def _all_rows(db: Database, conversation_id: int) -> list[NodeRow]:
    """The rows of all nodes in insertion order."""
    here = {"conversation": conversation_id}
    rows: list[NodeRow] = db.execute(_ALL, here).fetchall()
    if not rows:
        raise NotFoundError("There is no such conversation.")
    rows.sort(key=_SEQ)
    if ends := dict(db.execute(_OTHER_ENDS, here).fetchall()):
        rows = [(*row[:_STATUS], ends[row[0]], *row[_STATUS + 1 :]) if row[0] in ends else row for row in rows]
    return rows


def _places(rows: Sequence[NodeRow]) -> tuple[dict[int, int], Counter[int | None]]:
    """Number the siblings where there are some, and count the children of each parent; `rows` are a whole tree."""
    counts = Counter(map(_PARENT, rows))
    so_far = {parent_id: 0 for parent_id, count in counts.items() if count > 1}
    places: dict[int, int] = {}
    for row in rows if so_far else ():
        if (parent_id := row[1]) in so_far:
            places[row[0]] = so_far[parent_id] = so_far[parent_id] + 1
    return places, counts


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
    rows = _all_rows(db, conversation_id)
    known = {row[0]: row for row in rows}
    way = [known[node_id]]
    while (parent_id := way[-1][1]) is not None:
        way.append(known[parent_id])
    return NodeReader(db, conversation_id).nodes(reversed(way), *_places(rows))


def _upwards(db: Database, conversation_id: int, node_id: int) -> list[Node]:
    """Go up from a node; the root comes first."""
    rows = db.execute(_PATH, {"conversation": conversation_id, "node": node_id}).fetchall()
    places = {row[0]: row[-2] + 1 for row in rows}
    counts = {row[1]: row[-2] + 1 + row[-1] for row in rows}
    return NodeReader(db, conversation_id).nodes([row[:WIDTH] for row in reversed(rows)], places, counts)


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
    for each in reader.interactions(reader.nodes(rows, {}, dict.fromkeys(map(_PARENT, rows), 1))):
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
