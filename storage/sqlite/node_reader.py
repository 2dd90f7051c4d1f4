"""Making nodes and interactions of rows: what a tree of tens of thousands does for each of its nodes."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlite_utils import Database

from storage.errors import NotFoundError
from storage.interactions import Conversation, Interaction, Node, Status
from storage.kinds import TICKET
from storage.sqlite import tickets
from storage.sqlite.erasures import known_erasure
from storage.sqlite.node_rows import NodeRow
from storage.text import PREVIEW_LENGTH, preview_of
from storage.values import JsonObject

_STATUSES: Final = {None: Status.STREAMING} | {status.value: status for status in Status}


class _Parsed(dict[str, JsonObject]):
    """JSON objects by their text, each parsed when it is first asked for."""

    def __missing__(self, text: str) -> JsonObject:
        parsed: JsonObject = json.loads(text)
        self[text] = parsed
        return parsed


class NodeReader:
    """Makes the nodes of one conversation. Equal JSON is parsed once, and all labels are read together."""

    def __init__(self, db: Database, conversation_id: int) -> None:
        self._db = db
        self._conversation_id = conversation_id
        self._labels = _labels(db, conversation_id)
        self._parsed = _Parsed()
        self._make = tuple.__new__  # a third of the time that a class takes to be called
        self._conversation: Conversation | None = None
        self._notice = ""

    def nodes(self, rows: Iterable[NodeRow], places: Mapping[int, int], counts: Mapping[int | None, int]) -> list[Node]:
        """Make the nodes of rows.

        `places` are the numbers of those that are not the first of their siblings, or alone; `counts` tell for each
        parent how many children it has.
        """
        nodes: list[Node] = []
        add, make, at = nodes.append, self._make, self._conversation_id
        place, parsed, label = places.get, self._parsed, self._labels.get
        for row in rows:
            (node_id, parent_id, seq, kind, depth, created_at, replaces_id,
             author, meta, status, detail, preview) = row  # fmt: skip
            if author is None or meta is None or detail is None or preview is None:
                add(self._without_words(row, place(node_id, 1), counts[parent_id]))
                continue
            fields = (
                node_id,
                at,
                seq,
                kind,
                parent_id,
                depth,
                place(node_id, 1),
                counts[parent_id],
                author,
                created_at,
                _STATUSES[status],
                preview,
                replaces_id,
                parsed[detail],
                parsed[meta],
                False,
                label(node_id, ""),
            )
            add(make(Node, fields))
        return nodes

    def _without_words(self, row: NodeRow, n: int, m: int) -> Node:
        """Make the node of a row whose words have been erased, or have not ended yet."""
        (node_id, parent_id, seq, kind, depth, created_at, replaces_id,
         author, meta, status, detail, preview) = row  # fmt: skip
        erased = author is None or meta is None
        if erased:
            preview = preview_of(self.notice())
        elif preview is None:
            preview = self._preview_so_far(node_id)
        return Node(
            id=node_id,
            conversation_id=self._conversation_id,
            seq=seq,
            kind=kind,
            parent_id=parent_id,
            depth=depth,
            n=n,
            m=m,
            author=author or "",
            created_at=created_at,
            status=_STATUSES[status],
            preview=preview,
            replaces_id=replaces_id,
            detail=self._parsed[detail] if detail else {},
            meta=self._parsed[meta] if meta else self._erased_meta(node_id, kind),
            erased=erased,
            label=self._labels.get(node_id, ""),
        )

    def _erased_meta(self, node_id: int, kind: str) -> JsonObject:
        if kind != TICKET.name:
            return {}
        return {"snapshot": self._db.execute("SELECT snapshot FROM interaction WHERE id = ?", (node_id,)).fetchone()[0]}

    def interactions(self, nodes: Sequence[Node]) -> list[Interaction]:
        """Add the words to nodes."""
        # A content that has ended and is shorter than a preview is its own preview, and needs no further look.
        content = _contents(
            self._db,
            [node.id for node in nodes if len(node.preview) >= PREVIEW_LENGTH or node.status is Status.STREAMING],
        ).get
        make, ticket = self._make, TICKET.name
        return [
            make(Interaction, (node, content(node.id, node.preview), None))
            if node.kind != ticket and not node.erased
            else self._special(node)
            for node in nodes
        ]

    def _special(self, node: Node) -> Interaction:
        if node.kind != TICKET.name:
            return Interaction(node, self.notice())
        return Interaction(node, "", tickets.snapshot(self._db, self._pair().ticket_id, snapshot_number(node)))

    def notice(self) -> str:
        """What stands in the place of the words of an erased conversation."""
        if not self._notice:
            self._notice = known_erasure(self._db, tickets.row_id(self._db, self._pair().ticket_id)).notice
        return self._notice

    def _pair(self) -> Conversation:
        if self._conversation is None:
            self._conversation = conversation(self._db, self._conversation_id)
        return self._conversation

    def _preview_so_far(self, node_id: int) -> str:
        text = ""
        for (piece,) in self._db.execute(
            "SELECT text FROM payload WHERE interaction_id = ? ORDER BY piece", (node_id,)
        ):
            text += piece
            if len(text) >= PREVIEW_LENGTH:
                break
        return preview_of(text)


def _contents(db: Database, ids: Sequence[int]) -> dict[int, str]:
    """The contents of interactions, by id; one without any piece, whose preview is as empty, is missing."""
    found: dict[int, str] = {}
    further: dict[int, list[tuple[int, str]]] = {}
    if not ids:
        return found
    # Sorting the few that come in pieces here is quicker than letting SQLite sort all.
    for interaction_id, piece, text in db.execute(
        "SELECT p.interaction_id, p.piece, p.text FROM json_each(?) up"
        " CROSS JOIN payload p ON p.interaction_id = up.value",
        (json.dumps(ids),),
    ).fetchall():
        if piece == 1:
            found[interaction_id] = text
        else:
            further.setdefault(interaction_id, []).append((piece, text))
    for interaction_id, pieces in further.items():
        found[interaction_id] = "".join((found.get(interaction_id, ""), *(text for _, text in sorted(pieces))))
    return found


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


def snapshot_number(node: Node) -> int:
    """The number of the snapshot that a ticket node stands for."""
    number = node.meta["snapshot"]
    assert isinstance(number, int)
    return number


def _labels(db: Database, conversation_id: int) -> Mapping[int, str]:
    """The newest label of each node that ever had one."""
    rows = db.execute(
        "SELECT interaction_id, label FROM node_label WHERE conversation_id = ? ORDER BY interaction_id, id",
        (conversation_id,),
    )
    return dict(rows.fetchall())
