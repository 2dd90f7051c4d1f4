"""The rows that audits read, straight from the tables."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Final, TypeAlias

from sqlite_utils import Database

from storage.audit.hashing import END_FIELDS, ENTRY_FIELDS
from storage.audit.rows import (
    ConversationRow,
    EndRow,
    EntryRow,
    ErasureRow,
    HeadRow,
    Link,
    LooseRow,
    Piece,
    RequestRow,
    SchemaDifference,
    SnapshotRow,
    SnapshotWords,
    SourceRow,
)
from storage.sqlite import search_index, search_missing
from storage.sqlite.refusals import translated
from storage.sqlite.schema.objects import schema_differences
from storage.sqlite.schema.reading import DIFFERENT
from storage.tickets import Role, TicketAttachment, TicketMessage

_TEXTS: Final = ("kind", "writer", "status")


def _columns(table: str, names: Sequence[str]) -> str:
    """List columns; texts as the bytes that they are."""
    columns = (f"{table}.{name}" for name in names)
    return ", ".join(
        f"CAST({column} AS BLOB)" if name in _TEXTS else column for name, column in zip(names, columns, strict=True)
    )


_ENTRIES: Final = f"""
    SELECT i.conversation_id, i.prev_hash, i.hash, {_columns("i", ENTRY_FIELDS)},
        h.salt, CAST(h.author AS BLOB), CAST(h.meta AS BLOB)
    FROM interaction i LEFT JOIN heading h ON h.interaction_id = i.id
    WHERE {{where}} ORDER BY i.conversation_id, i.link
"""
_ENDS: Final = f"""
    SELECT f.conversation_id, f.prev_hash, f.hash, {_columns("f", END_FIELDS)},
        s.salt, CAST(s.detail AS BLOB), CAST(s.preview AS BLOB), p.piece, CAST(p.text AS BLOB), NULL
    FROM final f LEFT JOIN seal s ON s.interaction_id = f.interaction_id
    LEFT JOIN payload p ON p.interaction_id = f.interaction_id
    WHERE {{where}} ORDER BY f.conversation_id, f.link, p.piece
"""
_Values: TypeAlias = tuple[object, ...]
_entry: Final[Callable[[_Values], EntryRow]] = partial(tuple.__new__, EntryRow)
_end: Final[Callable[[_Values], EndRow]] = partial(tuple.__new__, EndRow)
"""Make rows of what is read, in a third of the time that the classes take to be called."""

_HEADS: Final = """
    SELECT conversation_id, max(link), hash FROM (
        SELECT conversation_id, max(link) AS link, hash FROM interaction WHERE {where} GROUP BY conversation_id
        UNION ALL
        SELECT conversation_id, max(link) AS link, hash FROM final WHERE {where} GROUP BY conversation_id
    ) GROUP BY conversation_id ORDER BY conversation_id
"""
_LOOSE: Final = f"""
    SELECT conversation_id, interaction_id, 'It has a seal but no end, so its end was removed.'
    FROM seal s WHERE NOT EXISTS (SELECT 1 FROM final f WHERE f.interaction_id = s.interaction_id)
    UNION ALL
    SELECT conversation_id, interaction_id, 'The pieces of its content so far are not all there.'
    FROM payload p WHERE NOT EXISTS (SELECT 1 FROM final f WHERE f.interaction_id = p.interaction_id)
    GROUP BY conversation_id, interaction_id HAVING min(piece) <> 1 OR max(piece) <> count(*)
    UNION ALL
    SELECT r.conversation_id, r.interaction_id, 'A request is said to be sent from here, where no model is ever asked.'
    FROM request r JOIN interaction i ON i.id = r.interaction_id WHERE i.external = 0 OR i.parent_id IS NULL
    UNION ALL
    SELECT conversation_id, interaction_id, 'What lists and paths show of it is not what the record says.'
    FROM ({DIFFERENT})
"""
_SENT: Final = "(SELECT data FROM wire WHERE request_id = r.id AND direction = 'sent')"
_REQUESTS: Final = """
    SELECT conversation_id, attempt, base_url, body_sha256, id, model, interaction_id, params, plan, provider, sent_at,
        task, task_version, {body}
    FROM request r
    WHERE {where} ORDER BY conversation_id, id
"""
_SNAPSHOTS: Final = """
    SELECT t.id, t.name, s.number, s.added_at, w.subject, w.customer, w.language, w.digest, j.position,
        m.author, m.role, m.text, m.created_at, m.internal, m.attachments, m.hidden_count, m.source_id, m.digest
    FROM ticket t JOIN ticket_snapshot s ON s.ticket_id = t.id
    LEFT JOIN snapshot_words w ON w.ticket_id = s.ticket_id AND w.number = s.number
    LEFT JOIN snapshot_message j ON j.ticket_id = s.ticket_id AND j.snapshot = s.number
    LEFT JOIN ticket_message m ON m.id = j.message_id
    WHERE {where} ORDER BY t.id, s.number, j.position
"""


_MessageRow: TypeAlias = tuple[int, str, str, str, int | None, int, str, int, str, str]
"""From the position to the digest."""


class SqliteRows:
    """One state of a record; used within one transaction."""

    def __init__(self, db: Database, is_alive: Callable[[str], bool]) -> None:
        self._db = db
        self._path = Path(name) if (name := db.execute("PRAGMA database_list").fetchone()[2]) else None
        self.is_alive = is_alive

    def schema_differences(self) -> list[SchemaDifference]:
        """Compare the schema with what the migrations make."""
        with translated(self._path):
            return schema_differences(self._db)

    def damages(self) -> Iterator[str]:
        """Run SQLite's own checks."""
        with translated(self._path):
            # FTS5 checks an index by the outline that the connection has kept of it, which other connections have
            # changed since; a query reads it anew.
            self._db.execute("SELECT rowid FROM search WHERE search MATCH 'x' LIMIT 1").fetchall()
            for (line,) in self._db.execute("PRAGMA integrity_check"):
                if line != "ok":
                    yield f"SQLite finds the file damaged: {line}."
            for table, row_id, parent, _ in self._db.execute("PRAGMA foreign_key_check"):
                row = f"Row {row_id}" if row_id is not None else "A row"
                yield f"{row} of {table} names a row of {parent} that is not there."
            yield from search_index.differences(self._db)
            yield from search_missing.differences(self._db)

    def conversations(self) -> Iterator[ConversationRow]:
        """All conversations, by id."""
        with translated(self._path):
            erased = erased_tickets(self._db)
            for conversation_id, agent, ticket, created_at, ticket_key in self._db.execute(
                "SELECT c.id, coalesce(a.name, '?'), coalesce(t.name, '?'), c.created_at, c.ticket_id"
                " FROM conversation c LEFT JOIN agent a ON a.id = c.agent_id LEFT JOIN ticket t ON t.id = c.ticket_id"
                " ORDER BY c.id"
            ):
                yield ConversationRow(conversation_id, agent, ticket, created_at, ticket_key in erased)

    def erasure(self, ticket: str) -> ErasureRow | None:
        """Who erased the words of a ticket, when and why."""
        with translated(self._path):
            row = self._db.execute(
                "SELECT a.name, e.erased_at, e.reason FROM erasure e JOIN ticket t ON t.id = e.ticket_id"
                " JOIN agent a ON a.id = e.agent_id WHERE t.name = ?",
                (ticket,),
            ).fetchone()
            return ErasureRow._make(row) if row else None

    def links(self, conversation_id: int | None = None) -> Iterator[Link]:
        """Interactions and ends, merged by conversation and link."""
        with translated(self._path):
            where, values = _only("i.conversation_id", conversation_id)
            entries = map(_entry, self._db.execute(_ENTRIES.format(where=where), values))
            ends = self._ends(conversation_id)
            end = next(ends, None)
            for entry in entries:
                at, link = entry.conversation_id, entry.link
                while end is not None and (end.conversation_id < at or (end.conversation_id == at and end.link < link)):
                    yield end
                    end = next(ends, None)
                yield entry
            if end is not None:
                yield end
                yield from ends

    def _ends(self, conversation_id: int | None) -> Iterator[EndRow]:
        where, values = _only("f.conversation_id", conversation_id)
        rows = map(_end, self._db.execute(_ENDS.format(where=where), values))
        end = next(rows, None)
        if end is None:
            return
        node_id = end.interaction_id
        more: list[Piece] = []
        for row in rows:
            if row.interaction_id == node_id and row.number is not None and row.data is not None:
                more.append((row.number, row.data))
                continue
            yield _with_pieces(end, more) if more else end
            end, node_id = row, row.interaction_id
        yield _with_pieces(end, more) if more else end

    def heads(self, conversation_id: int | None = None) -> Iterator[HeadRow]:
        """The newest link of each conversation."""
        where, values = _only("conversation_id", conversation_id)
        with translated(self._path):
            yield from map(HeadRow._make, self._db.execute(_HEADS.format(where=where), (*values, *values)))

    def loose(self) -> Iterator[LooseRow]:
        """Seals and gaps of interactions without an end, and copies that differ."""
        with translated(self._path):
            yield from map(LooseRow._make, self._db.execute(_LOOSE))

    def requests(self, conversation_id: int | None = None, *, bodies: bool = True) -> Iterator[RequestRow]:
        """All requests, by conversation and id."""
        where, values = _only("conversation_id", conversation_id)
        with translated(self._path):
            sql = _REQUESTS.format(where=where, body=_SENT if bodies else "NULL")
            yield from map(RequestRow._make, self._db.execute(sql, values))

    def snapshots(self, ticket: str | None = None) -> Iterator[SnapshotRow]:
        """All snapshots with their messages."""
        where, values = _only("t.name", ticket)
        with translated(self._path):
            erased = erased_tickets(self._db)
            rows = self._db.execute(_SNAPSHOTS.format(where=where), values)
            for head, group in groupby(rows, key=lambda row: row[:8]):
                key, name, number, added_at, subject, *said = head
                messages = [row[8:] for row in group if row[8] is not None]
                words = None if subject is None else _words((subject, *said), messages)
                yield SnapshotRow(name, number, added_at, words, key in erased)

    def sources(self) -> Iterator[SourceRow]:
        """All raw sources, under the first name that each was read by."""
        with translated(self._path):
            yield from map(
                SourceRow._make,
                self._db.execute(
                    "SELECT coalesce((SELECT name FROM ticket_source WHERE raw_source_id = r.id LIMIT 1), '?'),"
                    " r.digest, r.data FROM raw_source r ORDER BY r.id"
                ),
            )

    def pending_erasures(self) -> Iterator[str]:
        """Tickets whose erasure is not done yet, by its time."""
        with translated(self._path):
            for (name,) in self._db.execute(
                "SELECT coalesce(t.name, '?') FROM erasure e LEFT JOIN ticket t ON t.id = e.ticket_id"
                " WHERE e.id NOT IN (SELECT erasure_id FROM erasure_done) ORDER BY e.id"
            ):
                yield name


def erased_tickets(db: Database) -> frozenset[int]:
    """The keys of the tickets whose words were erased lawfully."""
    return frozenset(key for (key,) in db.execute("SELECT ticket_id FROM erasure"))


def _words(said: tuple[str, str, str, str], messages: Sequence[_MessageRow]) -> SnapshotWords:
    there = [message for message in messages if message[-1] is not None]
    subject, customer, language, digest = said
    return SnapshotWords(
        subject=subject,
        customer=customer,
        language=language,
        digest=digest,
        messages=_messages(there),
        message_digests=tuple(message[-1] for message in there),
        is_dense=[position for position, *_ in messages] == list(range(1, len(there) + 1)),
    )


def _with_pieces(end: EndRow, more: list[Piece]) -> EndRow:
    """Add the further pieces of its content to an end, and take them from the list."""
    whole = end._replace(more=tuple(more))
    more.clear()
    return whole


def _only(column: str, value: int | str | None) -> tuple[str, tuple[int | str, ...]]:
    return ("1", ()) if value is None else (f"{column} = ?", (value,))


def _messages(rows: Sequence[_MessageRow]) -> tuple[TicketMessage, ...] | None:
    """Make messages of rows; None where one is none any more."""
    try:
        return tuple(
            TicketMessage(
                author=author,
                role=Role(role),
                text=text,
                created_at=created_at,
                internal=bool(internal),
                attachments=tuple(TicketAttachment(*attachment) for attachment in json.loads(attachments)),
                hidden_count=hidden_count,
                source_id=source_id,
            )
            for _, author, role, text, created_at, internal, attachments, hidden_count, source_id, _ in rows
        )
    except (ValueError, TypeError):
        return None
