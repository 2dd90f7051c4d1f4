"""Time of one durable append, in a small and in a large record, beside the same rows in bare SQLite.

The rows of the full-text index are among them; how much of the time they take is told apart.

Run with `uv run python tests/bench/bench_append.py`; it fills a conversation with 100,000 interactions first.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import cycle
from pathlib import Path
from statistics import median

from sqlite_utils import Database

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from limits import Limits

from storage.kinds import AGENT_MESSAGE
from storage.sqlite.appending import Entry, append_whole
from storage.sqlite.driver import sqlite3
from storage.sqlite.engine import FileEngine
from storage.sqlite.schema import reading, search
from storage.sqlite.schema.record import TABLES
from storage.sqlite_store import SqliteStore, clock_us
from storage.tickets import IncomingTicket, Role, TicketMessage

SMALL, LARGE = 100, 100_000
ROUNDS = 400
BATCH = 2_000
WORDS_A_TEXT = 75
VOCABULARY = [f"{first}{second}{third}" for first in "bdfglmnprst" for second in "aeiou" for third in "bdklmnrst"]
LABEL_ENTRIES = "ALTER TABLE search_entry ADD COLUMN label_id INTEGER"
TOUCHED = ("interaction", "heading", "payload", "seal", "final", "reading", "selection", "search_entry")


class Record:
    """A record with one conversation of some size."""

    def __init__(self, path: Path, size: int) -> None:
        self.path = path
        self.engine = FileEngine(path, 60.0)
        self.store = SqliteStore(self.engine, clock_us)
        message = TicketMessage("Sophie", Role.CUSTOMER, "Where is my hammock?")
        self.store.save_ticket(IncomingTicket("T-1", "Hammock", "Sophie", (message,)))
        self.conversation_id = self.store.open_conversation("camille", "T-1").id
        self.newest = self.store.selected(self.conversation_id)
        while (missing := size - self.store.head(self.conversation_id)) > 0:
            self._fill(min(missing, BATCH))

    def append(self) -> None:
        """Add one message, durably."""
        self.newest = self.store.add_message(self.conversation_id, self.newest, "camille", next(TEXTS)).id

    def _fill(self, count: int) -> None:
        def work(db: Database) -> None:
            for _ in range(count):
                entry = Entry(AGENT_MESSAGE, self.newest, "camille", {})
                self.newest = append_whole(db, self.conversation_id, entry, next(TEXTS), clock_us())

        self.engine.write(work)


class Bare:
    """The same tables, indexes and rows without guards, chain, lock file or writer thread."""

    def __init__(self, path: Path, record: Record, touched: Sequence[str] = TOUCHED) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None, cached_statements=256)
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = OFF"):
            self.connection.execute(f"PRAGMA {pragma}")
        for statement in (*TABLES, *search.TABLES, *reading.TABLES, LABEL_ENTRIES):
            self.connection.execute(statement)
        self.rows = [self._rows(record, table) for table in touched]
        self.inserts = [
            f"INSERT INTO {table} VALUES ({', '.join('?' for _ in rows[0])})"
            for table, rows in zip(touched, self.rows, strict=True)
        ]
        if "search_entry" in touched:
            self.rows.append([(row[0], row[6]) for row in self.rows[-1]])
            self.inserts.append("INSERT INTO search (rowid, words) VALUES (?, ?)")
        self.next = 0

    def append(self) -> None:
        """Add the next rows, durably."""
        self.connection.execute("BEGIN IMMEDIATE")
        for sql, rows in zip(self.inserts, self.rows, strict=True):
            self.connection.execute(sql, rows[self.next])
        self.connection.execute("COMMIT")
        self.next += 1

    @staticmethod
    def _rows(record: Record, table: str) -> Sequence[tuple[object, ...]]:
        order = "id" if table in ("interaction", "selection", "search_entry") else "interaction_id"
        sql = f"SELECT * FROM {table} ORDER BY {order} DESC LIMIT {ROUNDS}"
        return record.engine.read(lambda db: db.execute(sql).fetchall()[::-1])


def _texts(count: int) -> Iterator[str]:
    """Yield texts of some 400 characters, their words as unevenly spread as those of people."""
    for _ in range(count):
        yield " ".join(VOCABULARY[int(len(VOCABULARY) * random.random() ** 3)] for _ in range(WORDS_A_TEXT))


# Made before, as what is measured is the writing alone.
TEXTS = cycle(list(_texts(5_000)))


def milliseconds(step: Callable[[], None]) -> float:
    """Return how long one step takes."""
    start = time.perf_counter()
    step()
    return (time.perf_counter() - start) * 1e3


def main() -> None:
    """Measure in turns, so that whatever else the machine does falls on all alike."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        small = Record(Path(folder) / "small.db", SMALL)
        stack.enter_context(closing(small.store))
        large = Record(Path(folder) / "large.db", LARGE)
        stack.enter_context(closing(large.store))
        times = [(milliseconds(small.append), milliseconds(large.append)) for _ in range(ROUNDS)]
        bare = Bare(Path(folder) / "bare.db", small)
        stack.enter_context(closing(bare.connection))
        unindexed = Bare(Path(folder) / "unindexed.db", small, TOUCHED[:-1])
        stack.enter_context(closing(unindexed.connection))
        again = Record(Path(folder) / "again.db", SMALL)
        stack.enter_context(closing(again.store))
        steps = (again.append, bare.append, unindexed.append)
        beside = [[milliseconds(step) for step in steps] for _ in range(ROUNDS)]
    at_small, at_large = (median(column) for column in zip(*times, strict=True))
    ours, plain, without = (median(column) for column in zip(*beside, strict=True))
    print(f"append at {SMALL:>7,} interactions   {at_small:.3f} ms")
    print(f"append at {LARGE:>7,} interactions   {at_large:.3f} ms")
    print(f"the same rows in bare SQLite     {plain:.3f} ms   ours beside them {ours:.3f} ms")
    print(f"without those of the index       {without:.3f} ms   ratio {ours / without:.2f}")
    limits = Limits()
    limits.at_most("growth", at_large / at_small, 1.2)
    limits.at_most("ours by the same rows in bare SQLite", ours / plain, 2)
    limits.end()


if __name__ == "__main__":
    main()
