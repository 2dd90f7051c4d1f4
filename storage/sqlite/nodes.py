"""Reading a conversation's tree: its nodes with previews, and paths with contents."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final, TypeAlias

from sqlite_utils import Database

from storage.errors import NotFoundError
from storage.interactions import Conversation, Interaction, Node, Status
from storage.kinds import TICKET
from storage.sqlite import tickets
from storage.sqlite.erasures import known_erasure
from storage.text import PREVIEW_LENGTH, preview_of
from storage.tickets import Ticket
from storage.values import JsonObject

_COLUMNS: Final = """
    i.id, i.conversation_id, i.seq, i.kind, i.parent_id, i.depth, h.author, i.created_at, i.replaces_id, h.meta,
    i.snapshot, f.status, s.detail, s.preview,
    (SELECT label FROM node_label l WHERE l.conversation_id = i.conversation_id AND l.interaction_id = i.id
     ORDER BY l.id DESC LIMIT 1)
"""
_STATUSES: Final = {status.value: status for status in Status}
_Row: TypeAlias = tuple[
    int, int, int, str, int | None, int, str | None, int, int | None, str | None, int | None, str | None, str | None,
    str | None, str | None,
]  # fmt: skip
_JOINS: Final = """
    LEFT JOIN heading h ON h.interaction_id = i.id
    LEFT JOIN final f ON f.interaction_id = i.id
    LEFT JOIN seal s ON s.interaction_id = i.id
"""
_SIBLINGS: Final = """
    (SELECT count(*) FROM interaction b WHERE b.conversation_id = i.conversation_id AND b.parent_id IS i.parent_id
     AND b.external = 1 AND b.seq <= i.seq),
    (SELECT count(*) FROM interaction b WHERE b.conversation_id = i.conversation_id AND b.parent_id IS i.parent_id
     AND b.external = 1)
"""
# CROSS JOIN keeps SQLite from reading all contents of the record to find those of one path.
_UP: Final = """
    WITH RECURSIVE up (id, parent_id) AS (
        SELECT id, parent_id FROM interaction WHERE conversation_id = :conversation AND id = :node AND external = 1
        UNION ALL
        SELECT i.id, i.parent_id FROM up CROSS JOIN interaction i
            ON i.conversation_id = :conversation AND i.id = up.parent_id
    )
"""


def all_nodes(db: Database, conversation_id: int) -> list[Node]:
    """All nodes in insertion order."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM interaction i {_JOINS} WHERE i.conversation_id = ? AND i.external = 1 ORDER BY i.seq",
        (conversation_id,),
    ).fetchall()
    if not rows:
        raise NotFoundError("There is no such conversation.")
    reader = _Reader(db)
    children = Counter(row[4] for row in rows)
    so_far: Counter[int | None] = Counter()
    nodes = []
    for row in rows:
        parent_id = row[4]
        so_far[parent_id] += 1
        nodes.append(reader.node(row, so_far[parent_id], children[parent_id]))
    return nodes


def one_node(db: Database, conversation_id: int, node_id: int) -> Node:
    """One node."""
    row = db.execute(
        f"SELECT {_COLUMNS}, {_SIBLINGS} FROM interaction i {_JOINS}"
        " WHERE i.conversation_id = ? AND i.id = ? AND i.external = 1",
        (conversation_id, node_id),
    ).fetchone()
    if row is None:
        raise NotFoundError(f"There is no node {node_id} in this conversation.")
    *columns, n, m = row
    return _Reader(db).node(tuple(columns), n, m)


def path(db: Database, conversation_id: int, node_id: int) -> list[Interaction]:
    """The interactions from the root to a node."""
    at = {"conversation": conversation_id, "node": node_id}
    rows = db.execute(
        f"{_UP} SELECT {_COLUMNS}, {_SIBLINGS}"
        f" FROM up CROSS JOIN interaction i ON i.id = up.id {_JOINS} ORDER BY i.depth",
        at,
    ).fetchall()
    if not rows:
        raise NotFoundError(f"There is no node {node_id} in this conversation.")
    pieces: defaultdict[int, list[str]] = defaultdict(list)
    # The way up is known by now, and not gone a second time.
    for interaction_id, text in db.execute(
        "SELECT p.interaction_id, p.text FROM json_each(?) up CROSS JOIN payload p ON p.interaction_id = up.value"
        " ORDER BY p.interaction_id, p.piece",
        (json.dumps([row[0] for row in rows]),),
    ):
        pieces[interaction_id].append(text)
    reader = _Reader(db)
    return [reader.interaction(reader.node(row[:-2], row[-2], row[-1]), pieces[row[0]]) for row in rows]


def branch(db: Database, conversation_id: int, node_id: int) -> list[Interaction]:
    """The interactions from the root to a node, each followed by the internal ones that hang on it."""
    above = path(db, conversation_id, node_id)
    hanging: defaultdict[int, list[Interaction]] = defaultdict(list)
    for entry in _internals(db, conversation_id, [each.id for each in above]):
        assert entry.node.parent_id is not None
        hanging[entry.node.parent_id].append(entry)
    return [entry for each in above for entry in (each, *hanging.get(each.id, ()))]


def _internals(db: Database, conversation_id: int, node_ids: Sequence[int]) -> list[Interaction]:
    """The internal interactions that hang on these nodes, as they were added."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM json_each(:nodes) up CROSS JOIN interaction i"
        " ON i.conversation_id = :conversation AND i.parent_id = up.value AND i.external = 0"
        f" {_JOINS} ORDER BY i.seq",
        {"conversation": conversation_id, "nodes": json.dumps(node_ids)},
    ).fetchall()
    pieces: defaultdict[int, list[str]] = defaultdict(list)
    for interaction_id, text in db.execute(
        "SELECT p.interaction_id, p.text FROM json_each(?) up CROSS JOIN payload p ON p.interaction_id = up.value"
        " ORDER BY p.interaction_id, p.piece",
        (json.dumps([row[0] for row in rows]),),
    ):
        pieces[interaction_id].append(text)
    reader = _Reader(db)
    return [reader.interaction(reader.node(row, 1, 1), pieces[row[0]]) for row in rows]


def with_contents(db: Database, conversation_id: int, nodes: Sequence[Node]) -> list[Interaction]:
    """The interactions of nodes that follow each other in the log."""
    pieces: defaultdict[int, list[str]] = defaultdict(list)
    for interaction_id, text in db.execute(
        "SELECT i.id, p.text FROM interaction i CROSS JOIN payload p ON p.interaction_id = i.id"
        " WHERE i.conversation_id = ? AND i.seq BETWEEN ? AND ? AND i.external = 1 ORDER BY i.seq, p.piece",
        (conversation_id, nodes[0].seq, nodes[-1].seq),
    ):
        pieces[interaction_id].append(text)
    reader = _Reader(db)
    return [reader.interaction(node, pieces[node.id]) for node in nodes]


def conversation(db: Database, conversation_id: int) -> Conversation:
    """The pair that a conversation belongs to."""
    row = db.execute(
        "SELECT a.name, t.name FROM conversation c JOIN agent a ON a.id = c.agent_id"
        " JOIN ticket t ON t.id = c.ticket_id WHERE c.id = ?",
        (conversation_id,),
    ).fetchone()
    if row is None:
        raise NotFoundError("There is no such conversation.")
    return Conversation(conversation_id, *row)


def head(db: Database, conversation_id: int) -> int:
    """The highest seq."""
    seq: int | None = db.execute(
        "SELECT max(seq) FROM interaction WHERE conversation_id = ?", (conversation_id,)
    ).fetchone()[0]
    if seq is None:
        raise NotFoundError("There is no such conversation.")
    return seq


def snapshot_number(node: Node) -> int:
    """The number of the snapshot that a ticket node stands for."""
    number = node.meta["snapshot"]
    assert isinstance(number, int)
    return number


def _ticket_of(db: Database, node: Node) -> Ticket | None:
    if node.kind != TICKET.name:
        return None
    return tickets.snapshot(db, conversation(db, node.conversation_id).ticket_id, snapshot_number(node))


class _Reader:
    """Makes nodes of rows; equal JSON is parsed once."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._parsed: dict[str, JsonObject] = {}
        self._notices: dict[int, str] = {}

    def node(self, row: _Row, n: int, m: int) -> Node:
        """Make the node of a row of `_COLUMNS`, which is sibling n of m."""
        (node_id, conversation_id, seq, kind, parent_id, depth, author, created_at, replaces_id, meta,
         snapshot, status, detail, preview, label) = row  # fmt: skip
        is_erased = author is None or meta is None
        if is_erased:
            preview = preview_of(self.notice(conversation_id))
        return Node(
            id=node_id,
            conversation_id=conversation_id,
            seq=seq,
            kind=kind,
            parent_id=parent_id,
            depth=depth,
            n=n,
            m=m,
            author=author or "",
            created_at=created_at,
            status=_STATUSES[status] if status else Status.STREAMING,
            preview=self._preview_so_far(node_id) if preview is None else preview,
            replaces_id=replaces_id,
            detail=self._json(detail) if detail else {},
            meta=self._json(meta) if meta else {} if snapshot is None else {"snapshot": snapshot},
            erased=is_erased,
            label=label or "",
        )

    def notice(self, conversation_id: int) -> str:
        """What stands in the place of the words of an erased conversation."""
        if conversation_id not in self._notices:
            key = self._db.execute("SELECT ticket_id FROM conversation WHERE id = ?", (conversation_id,)).fetchone()[0]
            self._notices[conversation_id] = known_erasure(self._db, key).notice
        return self._notices[conversation_id]

    def interaction(self, node: Node, pieces: Sequence[str]) -> Interaction:
        """Add the words to a node."""
        ticket = _ticket_of(self._db, node)
        gone = node.erased and ticket is None
        return Interaction(node, self.notice(node.conversation_id) if gone else "".join(pieces), ticket)

    def _json(self, text: str) -> JsonObject:
        if text not in self._parsed:
            self._parsed[text] = json.loads(text)
        return self._parsed[text]

    def _preview_so_far(self, node_id: int) -> str:
        text = ""
        for (piece,) in self._db.execute(
            "SELECT text FROM payload WHERE interaction_id = ? ORDER BY piece", (node_id,)
        ):
            text += piece
            if len(text) >= PREVIEW_LENGTH:
                break
        return preview_of(text)
