"""Adding to a conversation's log: an interaction, the pieces of its content, and its end; each a link of the chain."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlite_utils import Database

from storage.chain import (
    FINAL_FIELDS,
    GENESIS,
    INTERACTION_FIELDS,
    SALT_BYTES,
    canonical_json,
    commitment,
    final_hash,
    interaction_hash,
)
from storage.errors import NotFoundError, RefusedError
from storage.interactions import Status
from storage.kinds import TICKET, InteractionKind
from storage.sqlite.refusals import ENDED
from storage.sqlite.search_index import index_interaction
from storage.text import preview_of, storable
from storage.values import Json, JsonObject


def _link(table: str, fields: tuple[str, ...]) -> str:
    columns = ("conversation_id", "commitment", "prev_hash", "hash", *fields)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' for _ in columns)})"


_ADD_INTERACTION: Final = _link("interaction", INTERACTION_FIELDS)
_ADD_FINAL: Final = _link("final", FINAL_FIELDS)


@dataclass(frozen=True, slots=True)
class Entry:
    """An interaction that is about to be added.

    Attributes:
        parent_id: the node that it stands below, None for the root.
        writer: the mark of the store that streams the content, None where it is written at once.
    """

    kind: InteractionKind
    parent_id: int | None
    author: str
    meta: JsonObject
    replaces_id: int | None = None
    writer: str | None = None


@dataclass(frozen=True, slots=True)
class _Tail:
    """Where a conversation's log stands: the newest seq, its count of nodes, and the newest link with its hash."""

    seq: int
    node_count: int
    link: int
    hash: bytes


def append(db: Database, conversation_id: int, entry: Entry, now: int) -> int:
    """Add an interaction without content, and return its id.

    Raises:
        NotFoundError: the parent is no node of this conversation.
    """
    interaction_id, _ = _append(db, conversation_id, entry, now)
    return interaction_id


def _append(db: Database, conversation_id: int, entry: Entry, now: int) -> tuple[int, _Tail]:
    """Add an interaction without content; return its id, and where the log stands then."""
    tail = _tail(db, conversation_id)
    author, meta, salt = storable(entry.author), canonical_json(entry.meta), secrets.token_bytes(SALT_BYTES)
    promised = commitment(salt, meta, author)
    row: dict[str, Json] = {
        "id": _one(db, "SELECT coalesce(max(id), 0) + 1 FROM interaction", ()),
        "seq": tail.seq + 1,
        "kind": entry.kind.name,
        "external": int(entry.kind.external),
        "node_count": tail.node_count + entry.kind.external,
        "parent_id": entry.parent_id,
        "depth": 0 if entry.parent_id is None else _depth(db, conversation_id, entry.parent_id) + 1,
        "replaces_id": entry.replaces_id,
        "snapshot": entry.meta.get("snapshot") if entry.kind is TICKET else None,
        "created_at": now,
        "writer": entry.writer,
        "link": tail.link + 1,
    }
    link_hash = interaction_hash(tail.hash, row, promised)
    interaction_id: int | None = db.execute(
        _ADD_INTERACTION,
        (conversation_id, promised, tail.hash, link_hash, *(row[name] for name in INTERACTION_FIELDS)),
    ).lastrowid
    assert interaction_id is not None
    db.execute(
        "INSERT INTO heading (conversation_id, interaction_id, salt, author, meta) VALUES (?, ?, ?, ?, ?)",
        (conversation_id, interaction_id, salt, author, meta),
    )
    node_count = tail.node_count + entry.kind.external
    return interaction_id, _Tail(tail.seq + 1, node_count, tail.link + 1, link_hash)


def append_whole(
    db: Database,
    conversation_id: int,
    entry: Entry,
    text: str,
    now: int,
    *,
    preview: str = "",
    created_at: int | None = None,
) -> int:
    """Add an interaction with its content and its end, and return its id.

    `preview` is for a node whose words stand elsewhere; else the content's own beginning is kept. `created_at` is for
    one that was made elsewhere, before it ends here.
    """
    interaction_id, tail = _append(db, conversation_id, entry, now if created_at is None else created_at)
    pieces = [storable(text)] if text else []
    for piece in pieces:
        _add_piece(db, conversation_id, interaction_id, piece)
    _seal(db, conversation_id, interaction_id, tail, pieces, Status.COMPLETE, {}, now, preview)
    return interaction_id


def append_piece(db: Database, conversation_id: int, interaction_id: int, text: str) -> None:
    """Add a piece of content; an empty one leaves no trace."""
    refuse_ended(db, interaction_id)
    if text:
        _add_piece(db, conversation_id, interaction_id, storable(text))


def _add_piece(db: Database, conversation_id: int, interaction_id: int, text: str) -> None:
    db.execute(
        "INSERT INTO payload (conversation_id, interaction_id, piece, text) SELECT ?1, ?2, 1 + coalesce(max(piece), 0),"
        " ?3 FROM payload WHERE interaction_id = ?2",
        (conversation_id, interaction_id, text),
    )


def end(
    db: Database,
    conversation_id: int,
    interaction_id: int,
    status: Status,
    detail: JsonObject,
    now: int,
    *,
    preview: str = "",
) -> None:
    """End an interaction: its content and detail are sealed by a salted commitment in the chain."""
    refuse_ended(db, interaction_id)
    pieces = [text for (text,) in db.execute(
        "SELECT text FROM payload WHERE interaction_id = ? ORDER BY piece", (interaction_id,)
    )]  # fmt: skip
    tail = _tail(db, conversation_id)
    _seal(db, conversation_id, interaction_id, tail, pieces, status, detail, now, preview)


def _seal(
    db: Database,
    conversation_id: int,
    interaction_id: int,
    tail: _Tail,
    pieces: Sequence[str],
    status: Status,
    detail: JsonObject,
    now: int,
    preview: str,
) -> None:
    content = "".join(pieces)
    ending, salt = canonical_json(detail), secrets.token_bytes(SALT_BYTES)
    sealed = commitment(salt, ending, content)
    row: dict[str, Json] = {
        "interaction_id": interaction_id,
        "status": status.value,
        "pieces": len(pieces),
        "ended_at": now,
        "link": tail.link + 1,
    }
    db.execute(
        "INSERT INTO seal (conversation_id, interaction_id, salt, detail, preview) VALUES (?, ?, ?, ?, ?)",
        (conversation_id, interaction_id, salt, ending, preview_of(storable(preview) or content)),
    )
    db.execute(
        _ADD_FINAL,
        (
            conversation_id,
            sealed,
            tail.hash,
            final_hash(tail.hash, row, sealed),
            *(row[name] for name in FINAL_FIELDS),
        ),
    )
    index_interaction(db, conversation_id, interaction_id, content)


def refuse_ended(db: Database, interaction_id: int) -> None:
    """Raise RefusedError where the interaction has its end already."""
    if db.execute("SELECT 1 FROM final WHERE interaction_id = ?", (interaction_id,)).fetchone():
        raise RefusedError(ENDED)


def _tail(db: Database, conversation_id: int) -> _Tail:
    newest = db.execute(
        "SELECT seq, node_count, link, hash FROM interaction WHERE conversation_id = ? ORDER BY seq DESC LIMIT 1",
        (conversation_id,),
    ).fetchone()
    if newest is None:
        return _Tail(0, 0, 0, GENESIS)
    seq, node_count, link, link_hash = newest
    ended = db.execute(
        "SELECT link, hash FROM final WHERE conversation_id = ? ORDER BY link DESC LIMIT 1", (conversation_id,)
    ).fetchone()
    if ended is not None and ended[0] > link:
        link, link_hash = ended
    return _Tail(seq, node_count, link, link_hash)


def _depth(db: Database, conversation_id: int, node_id: int) -> int:
    found = db.execute(
        "SELECT depth FROM interaction WHERE conversation_id = ? AND id = ? AND external = 1",
        (conversation_id, node_id),
    ).fetchone()
    if found is None:
        raise NotFoundError(f"There is no node {node_id} in this conversation.")
    depth: int = found[0]
    return depth


def _one(db: Database, sql: str, parameters: tuple[Json, ...]) -> int:
    value: int = db.execute(sql, parameters).fetchone()[0]
    return value
