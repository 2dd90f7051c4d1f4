"""Time until the first page of a search is there, in a record where one agent has a million messages.

Run with `uv run python tests/bench/bench_search.py [MESSAGES]`; making the record takes a few minutes.
"""

import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import accumulate, islice
from pathlib import Path
from statistics import median
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from limits import Limits

from storage.sqlite.driver import sqlite3
from storage.sqlite.search_index import indexed_words
from storage.sqlite_store import open_store
from storage.store import Store
from storage.tickets import IncomingTicket, Role, TicketMessage

CONVERSATIONS: Final = 200
ROUNDS: Final = 15
BATCH: Final = 10_000
WORDS_A_TEXT: Final = 40
RARE_EVERY: Final = 50_000
TO_REACH_MS: Final = 50

_LETTERS: Final = ("bdfglmnprst", "aeiou", "bdklmnrst", "aeiou", "nrst")
VOCABULARY: Final = [
    a + b + c + d + e
    for a in _LETTERS[0] for b in _LETTERS[1] for c in _LETTERS[2] for d in _LETTERS[3] for e in _LETTERS[4]
]  # fmt: skip
_WEIGHTS: Final = list(accumulate(1 / rank for rank in range(1, len(VOCABULARY) + 1)))
COMMON, SECOND, MIDDLE = VOCABULARY[0], VOCABULARY[1], VOCABULARY[500]
SEARCHES: Final = {
    "a word in nearly all messages": COMMON,
    "a word in some": MIDDLE,
    "a word in 20": "rarity",
    "a word in none": "nowhere",
    "two common words": f"{COMMON} {SECOND}",
    "a common and a rare one": f"{COMMON} rarity",
    "two common ones side by side": f"{COMMON}-{SECOND}",
    "two signs of Chinese": "配送",
}
UNFINISHED: Final = {
    "the beginning of common words": COMMON[:3],
    "the beginning of a rare one": "rari",
    "a common word and a beginning": f"{COMMON} {SECOND[:4]}",
}


def texts(count: int) -> Iterator[str]:
    """Yield messages whose words are as unevenly spread as those of people."""
    for number in range(1, count + 1):
        chosen = random.choices(VOCABULARY, cum_weights=_WEIGHTS, k=WORDS_A_TEXT)
        rare = ["rarity"] if number % RARE_EVERY == 0 else []
        yield " ".join([*chosen, *rare, "配送が遅れています" if number % 100 == 0 else ""])


def fill(database: Path, agent: str, count: int) -> None:
    """Write messages past the store and its guards, in rows that a search reads."""
    with closing(sqlite3.connect(database, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = OFF")
        # A search does not go up or down the tree, so these rows need be none.
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("DROP INDEX IF EXISTS interaction_root")
        (agent_key,) = db.execute("SELECT id FROM agent WHERE name = ?", (agent,)).fetchone()
        pairs = db.execute("SELECT id, ticket_id FROM conversation WHERE agent_id = ?", (agent_key,)).fetchall()
        (last,) = db.execute("SELECT max(id) FROM interaction").fetchone()
        (entry,) = db.execute("SELECT max(id) FROM search_entry").fetchone()
        made = enumerate(texts(count), 1)
        while batch := list(islice(made, BATCH)):
            rows = [(last + number, entry + number, pairs[number % len(pairs)], text) for number, text in batch]
            indexed = [(at, indexed_words(agent_key, ticket, text)) for _, at, (_, ticket), text in rows]
            db.execute("BEGIN")
            db.executemany(
                "INSERT INTO interaction (id, conversation_id, seq, kind, external, node_count, parent_id, depth,"
                " created_at, commitment, link, prev_hash, hash)"
                " VALUES (?1, ?2, ?1, 'agent_message', 1, ?1, NULL, 0, ?1, x'', ?1, x'', x'')",
                [(node, conversation) for node, _, (conversation, _), _ in rows],
            )
            db.executemany(
                "INSERT INTO heading (conversation_id, interaction_id, salt, author, meta) VALUES (?, ?, x'', ?, '{}')",
                [(conversation, node, agent) for node, _, (conversation, _), _ in rows],
            )
            db.executemany(
                "INSERT INTO payload (conversation_id, interaction_id, piece, text) VALUES (?, ?, 1, ?)",
                [(conversation, node, text) for node, _, (conversation, _), text in rows],
            )
            db.executemany(
                "INSERT INTO search_entry (id, ticket_id, conversation_id, interaction_id, words)"
                " VALUES (?, ?, ?, ?, ?)",
                [
                    (at, ticket, conversation, node, words)
                    for (node, at, (conversation, ticket), _), (_, words) in zip(rows, indexed, strict=True)
                ],
            )
            db.executemany("INSERT INTO search (rowid, words) VALUES (?, ?)", indexed)
            db.execute("COMMIT")


def make(database: Path, messages: int) -> None:
    """Make a record where camille has that many messages, and noah a tenth of it."""
    with closing(open_store(database)) as store:
        for number in range(CONVERSATIONS):
            message = TicketMessage("Sophie", Role.CUSTOMER, f"Where is my hammock? {COMMON}")
            store.save_ticket(IncomingTicket(f"T-{number}", "Hammock", "Sophie", (message,)))
            for agent in ("camille", "noah"):
                store.open_conversation(agent, f"T-{number}")
    fill(database, "camille", messages)
    fill(database, "noah", messages // 10)


def first_page(store: Store, query: str, *, unfinished: bool, ticket_id: str | None) -> float:
    """Return the milliseconds until the first page is there."""
    start = time.perf_counter()
    store.search("camille", query, unfinished=unfinished, ticket_id=ticket_id)
    return (time.perf_counter() - start) * 1e3


def main(messages: int) -> None:
    """Measure in turns, so that whatever else the machine does falls on all alike."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "record.db"
        started = time.perf_counter()
        make(database, messages)
        print(
            f"{messages:,} messages made in {time.perf_counter() - started:.0f} s, {database.stat().st_size >> 20:,} MB"
        )
        with closing(open_store(database)) as store:
            asked: list[tuple[str, str, bool, str | None]]
            asked = [(name, query, False, None) for name, query in SEARCHES.items()]
            asked += [(name, query, True, None) for name, query in UNFINISHED.items()]
            asked += [("a common word on one ticket", COMMON, True, "T-7"), ("a rare one", "rarity", True, "T-7")]
            times: dict[str, list[float]] = {name: [] for name, *_ in asked}
            for _ in range(ROUNDS):
                for name, query, unfinished, ticket_id in asked:
                    times[name].append(first_page(store, query, unfinished=unfinished, ticket_id=ticket_id))
        limits = Limits()
        for name, taken in times.items():
            limits.at_most(f"{name} (slowest {max(taken):.2f} ms)", median(taken), TO_REACH_MS, " ms")
    limits.end()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
