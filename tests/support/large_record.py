"""A record of any size, quickly: the rows that a store writes, past its guards, with hashes that are only made up.

Each row is as the store reads and continues it, the full-text index included; `audit verify` would not agree.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from sqlite_utils import Database

from storage.sqlite.conversations import open_pair
from storage.sqlite.driver import sqlite3
from storage.sqlite.engine import FileEngine
from storage.sqlite.search_index import indexed_words
from storage.sqlite_store import SqliteStore, clock_us
from storage.text import preview_of
from storage.tickets import IncomingTicket, Role, TicketMessage

OPENED: Final = 2
"""The nodes that a conversation has from the start: its root and its ticket."""

_BATCH: Final = 20_000
_WORDS: Final = [a + b + c for a in "bdfglmnprst" for b in ("a", "e", "io", "u") for c in "bdklmnrst"]
_INSERTS: Final = {
    "interaction": "INSERT INTO interaction (id, conversation_id, seq, kind, external, node_count, parent_id, depth,"
    " created_at, commitment, link, prev_hash, hash) VALUES (?1, ?2, ?3, ?4, 1, ?3, ?5, ?6, ?1, ?7, ?8, ?9, ?10)",
    "heading": "INSERT INTO heading (interaction_id, conversation_id, salt, author, meta) VALUES (?, ?, ?, ?, ?)",
    "payload": "INSERT INTO payload (conversation_id, interaction_id, piece, text) VALUES (?, ?, 1, ?)",
    "seal": "INSERT INTO seal (interaction_id, conversation_id, salt, detail, preview) VALUES (?, ?, ?, ?, ?)",
    "final": "INSERT INTO final (interaction_id, conversation_id, status, pieces, commitment, ended_at, link,"
    " prev_hash, hash) VALUES (?1, ?2, 'complete', 1, ?3, ?1, ?4, ?5, ?6)",
    "reading": "INSERT INTO reading (conversation_id, external, seq, interaction_id, parent_id, kind, depth,"
    " created_at, author, meta, status, detail, preview) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, 'complete', ?, ?)",
    "search_entry": "INSERT INTO search_entry (id, ticket_id, conversation_id, interaction_id, words)"
    " VALUES (?, ?, ?, ?, ?)",
    "search": "INSERT INTO search (rowid, words) VALUES (?, ?)",
}


@dataclass
class Growing:
    """A conversation that is being filled.

    Attributes:
        size: how many nodes to add to those from the start, in a chain.
        fork: (when so many were added, go back to the node after so many).
        added: their ids, in order.
    """

    agent: str
    ticket: str
    size: int
    fork: tuple[int, int] | None = None
    id: int = 0
    agent_key: int = 0
    ticket_key: int = 0
    added: list[int] = field(default_factory=list)
    top: int = 0
    parent: int = 0
    depth: int = OPENED - 1
    link: int = 2 * OPENED
    hash: bytes = b""

    def step(self) -> None:
        """Go to the place where the next node is added."""
        count = len(self.added)
        if self.fork is not None and count == self.fork[0]:
            back = self.fork[1]
            self.parent, self.depth = self.added[back - 1], OPENED - 1 + back
        self.depth += 1


def make(path: Path, planned: Sequence[Growing]) -> None:
    """Make a record with these conversations, which grow in turns as they do where many people work."""
    engine = FileEngine(path, 60.0)
    with closing(SqliteStore(engine, clock_us)) as store:
        for ticket in dict.fromkeys(growing.ticket for growing in planned):
            message = TicketMessage("Sophie", Role.CUSTOMER, "Where is my hammock? It was to come on Monday.")
            store.save_ticket(IncomingTicket(ticket, "Hammock", "Sophie", (message,)))

        def start(db: Database) -> None:
            for growing in planned:
                growing.id = open_pair(db, growing.agent, growing.ticket, clock_us()).id

        engine.write(start)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for pragma in ("synchronous = OFF", "cache_size = -400000", "foreign_keys = OFF"):
            db.execute(f"PRAGMA {pragma}")
        for growing in planned:
            growing.agent_key, growing.ticket_key = db.execute(
                "SELECT agent_id, ticket_id FROM conversation WHERE id = ?", (growing.id,)
            ).fetchone()
            growing.top, growing.hash = db.execute(
                "SELECT interaction_id, hash FROM final WHERE conversation_id = ? ORDER BY link DESC", (growing.id,)
            ).fetchone()
            growing.parent = growing.top
        guards = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND sql <> ''").fetchall()
        for name, _ in guards:
            db.execute(f"DROP TRIGGER {name}")
        _fill(db, planned)
        for _, sql in guards:
            db.execute(sql)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _fill(db: sqlite3.Connection, planned: Sequence[Growing]) -> None:
    (last,) = db.execute("SELECT max(id) FROM interaction").fetchone()
    (entry,) = db.execute("SELECT max(id) FROM search_entry").fetchone()
    chance = Random(7)
    turns = [growing for growing in planned for _ in range(growing.size)]
    chance.shuffle(turns)
    rows = _rows(turns, last, entry, chance)
    while batch := list(islice(rows, _BATCH)):
        db.execute("BEGIN")
        for sql, values in zip(_INSERTS.values(), zip(*batch, strict=True), strict=True):
            db.executemany(sql, values)
        db.execute("COMMIT")


def _rows(turns: Sequence[Growing], last: int, entry: int, chance: Random) -> Iterator[tuple[tuple[object, ...], ...]]:
    """Yield what goes into each table for one node after the other."""
    for number, growing in enumerate(turns, 1):
        growing.step()
        node, at, seq = last + number, growing.id, OPENED + 1 + len(growing.added)
        asks = len(growing.added) % 2 == 0
        kind, author = ("agent_message", growing.agent) if asks else ("assistant_response", "gpt-4.1-mini")
        text = " ".join(chance.choices(_WORDS, k=10))
        noise = chance.randbytes(96)
        salt, begun, ended = noise[:16], noise[16:48], noise[48:80]
        meta = "{}" if asks else '{"model":"gpt-4.1-mini","task":"reply","task_version":"1"}'
        detail, preview = "{}" if asks else '{"finish_reason":"stop"}', preview_of(text)
        words = indexed_words(growing.agent_key, growing.ticket_key, text)
        yield (
            (node, at, seq, kind, growing.parent, growing.depth, begun, growing.link + 1, growing.hash, begun),
            (node, at, salt, author, meta),
            (at, node, text),
            (node, at, salt, detail, preview),
            (node, at, ended, growing.link + 2, begun, ended),
            (at, seq, node, growing.parent, kind, growing.depth, node, author, meta, detail, preview),
            (entry + number, growing.ticket_key, at, node, words),
            (entry + number, words),
        )
        growing.added.append(node)
        growing.parent, growing.link, growing.hash = node, growing.link + 2, ended
