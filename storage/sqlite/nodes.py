"""Reading a conversation's tree: its nodes with previews, and paths with contents."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from sqlite_utils import Database

from storage.errors import NotFoundError
from storage.interactions import Interaction, Node
from storage.sqlite.node_rows import INTERACTION_COLUMNS, NodeReader, NodeRow, columns, contents, joins

_OWN: Final = ", ".join(INTERACTION_COLUMNS)
# CROSS JOIN keeps SQLite from reading all contents of the record to find those of one path; `+` makes it go up by the
# row's own key, which needs no index.
_UP: Final = f"""
    WITH RECURSIVE up ({_OWN}) AS (
        SELECT {_OWN} FROM interaction WHERE id = :node AND +conversation_id = :conversation AND external = 1
        UNION ALL
        SELECT {", ".join(f"i.{name}" for name in INTERACTION_COLUMNS)} FROM up CROSS JOIN interaction i
            ON i.id = up.parent_id AND +i.conversation_id = :conversation
    )
"""
_SIBLINGS: Final = "FROM interaction b WHERE b.conversation_id = :conversation AND b.parent_id = up.parent_id AND"
_PLACE: Final = f"""
    (SELECT count(*) {_SIBLINGS} b.external = 1 AND b.seq < up.seq),
    (SELECT count(*) {_SIBLINGS} b.external = 1 AND b.seq > up.seq)
"""
"""How many siblings come before a node, and how many after it."""

_FIRST_PIECE: Final = "(SELECT text FROM payload WHERE interaction_id = up.id AND piece = 1)"
_PATH: Final = f"{_UP} SELECT {columns('up')}, {_PLACE}, f.pieces, {_FIRST_PIECE} FROM up {joins('up')}"
_ONE: Final = f"""
    SELECT {columns("up")}, {_PLACE} FROM interaction up {joins("up")}
    WHERE up.id = :node AND up.conversation_id = :conversation AND up.external = 1
"""
_ALL: Final = f"""
    SELECT {columns("i")} FROM interaction i {joins("i")}
    WHERE i.conversation_id = ? AND i.external = 1 ORDER BY i.seq
"""
_HANGING: Final = f"""
    SELECT {columns("i")} FROM json_each(:nodes) node CROSS JOIN interaction i
        ON i.conversation_id = :conversation AND i.parent_id = node.value AND i.external = 0
    {joins("i")} ORDER BY i.seq
"""
_WIDTH: Final = len(INTERACTION_COLUMNS) + 5
"""The columns of a `NodeRow`."""


def all_nodes(db: Database, conversation_id: int) -> list[Node]:
    """All nodes in insertion order."""
    rows: list[NodeRow] = db.execute(_ALL, (conversation_id,)).fetchall()
    if not rows:
        raise NotFoundError("There is no such conversation.")
    make = NodeReader(db, conversation_id).node
    siblings = Counter(row[4] for row in rows)
    so_far: dict[int | None, int] = dict.fromkeys(siblings, 0)
    nodes = []
    for row in rows:
        parent_id = row[4]
        so_far[parent_id] = n = so_far[parent_id] + 1
        nodes.append(make(row, n, siblings[parent_id]))
    return nodes


def one_node(db: Database, conversation_id: int, node_id: int) -> Node:
    """One node."""
    row = db.execute(_ONE, {"conversation": conversation_id, "node": node_id}).fetchone()
    if row is None:
        raise _no_node(node_id)
    before, after = row[_WIDTH:]
    return NodeReader(db, conversation_id).node(row[:_WIDTH], before + 1, before + 1 + after)


def path(db: Database, conversation_id: int, node_id: int) -> list[Interaction]:
    """The interactions from the root to a node."""
    rows = db.execute(_PATH, {"conversation": conversation_id, "node": node_id}).fetchall()
    if not rows:
        raise _no_node(node_id)
    reader = NodeReader(db, conversation_id)
    # Most contents are one piece, which came with the row.
    more = contents(db, [row[0] for row in rows if row[-2] is None or row[-2] > 1])
    entries = []
    for row in reversed(rows):
        *_, before, after, _, first = row
        node = reader.node(row[:_WIDTH], before + 1, before + 1 + after)
        entries.append(reader.interaction(node, more.get(node.id, first or "")))
    return entries


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
    texts = contents(db, (row[0] for row in rows))
    hanging: defaultdict[int | None, list[Interaction]] = defaultdict(list)
    for row in rows:
        hanging[row[4]].append(reader.interaction(reader.node(row, 1, 1), texts.get(row[0], "")))
    return [each for entry in entries for each in (entry, *hanging.get(entry.id, ()))]


def with_contents(db: Database, conversation_id: int, nodes: Sequence[Node]) -> list[Interaction]:
    """The interactions of nodes that are known, in the same order."""
    reader = NodeReader(db, conversation_id)
    texts = contents(db, (node.id for node in nodes))
    return [reader.interaction(node, texts.get(node.id, "")) for node in nodes]


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
