"""Reading what calls took in a record of a million calls, and putting it together.

Run with `uv run python tests/bench/bench_usage.py [--rows N]`; filling the record takes a minute. Rows are written as
the store writes them, past its guards and without the bytes that were sent, which are never read here.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from large_record import Growing, make

from assistant.money.price_file import load_prices
from assistant.money.prices import PriceList
from assistant.money.spending import By, grouped, key_by
from storage.sqlite.driver import sqlite3
from storage.sqlite.schema.usage import INSERT
from storage.sqlite_store import clock_us, open_store
from storage.usage import Call

ROWS: Final = 1_000_000
AGENTS: Final = 20
TICKETS: Final = 100
DAYS: Final = 365
DAY_US: Final = 86_400_000_000
ROUNDS: Final = 5
BATCH: Final = 50_000
PLAN: Final = '{"interactions":[' + ",".join(['{"fate":"sent","id":17,"tokens":80}'] * 40) + "]}"
REQUEST: Final = (
    "INSERT INTO request VALUES (?, ?, ?, ?, 'draft-reply', '0123456789ab', 'openai', 'https://api.openai.com/v1',"
    " 'gpt-4.1-mini', '{}', ?, '', ?)"
)


def fill(path: Path, rows: int) -> None:
    """Write so many calls of a year, in the conversations of all agents in turn."""
    growing = [Growing(f"agent {n % AGENTS}", f"T-{n // AGENTS}", 1) for n in range(AGENTS * TICKETS)]
    make(path, growing)
    chance, first = Random(7), clock_us() - DAYS * DAY_US
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = OFF")
        guards = db.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('request', 'call_figures')"
        ).fetchall()
        for name, _ in guards:
            db.execute(f"DROP TRIGGER {name}")
        for start in range(0, rows, BATCH):
            numbers = range(start + 1, min(start + BATCH, rows) + 1)
            where = [growing[number * 7919 % len(growing)] for number in numbers]
            db.execute("BEGIN")
            db.executemany(
                REQUEST,
                [
                    (number, at.id, at.added[0], number, PLAN, first + number * DAYS * DAY_US // (rows + 1))
                    for number, at in zip(numbers, where, strict=True)
                ],
            )
            db.executemany(
                INSERT,
                [
                    (number, at.id, chance.randrange(3_000), 0, 0, chance.randrange(500), 0, 900, 0)
                    for number, at in zip(numbers, where, strict=True)
                ],
            )
            db.execute("COMMIT")
        for _, sql in guards:
            db.execute(sql)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def report(what: str, step: Callable[[], int]) -> None:
    """Print how long a step takes, and how many calls it read."""
    times, count = [], 0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        count = step()
        times.append((time.perf_counter() - start) * 1e3)
    print(f"{what:<52} {count:>9,} calls {median(times):9.1f} ms", flush=True)


def together(calls: Sequence[Call], by: By, prices: PriceList) -> int:
    """Put calls together, and return how many they were."""
    return sum(spending.calls for spending in grouped(calls, key_by(by), prices).values())


def main() -> None:
    """Fill the record, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS, help="how many calls the record has (%(default)s)")
    rows = parser.parse_args().rows
    prices = load_prices()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "desk.db"
        fill(path, rows)
        with closing(open_store(path)) as store:
            now = clock_us()
            report("one conversation", lambda: len(store.calls("agent 3", ticket_id="T-5")))
            report("one agent, today", lambda: len(store.calls("agent 3", since=now - DAY_US)))
            month = store.calls("agent 3", since=now - 30 * DAY_US)
            report("one agent, 30 days", lambda: len(store.calls("agent 3", since=now - 30 * DAY_US)))
            report("the same, put together by day", lambda: together(month, By.DAY, prices))
            year = store.calls("agent 3")
            report("one agent, a year", lambda: len(store.calls("agent 3")))
            report("the same, put together by model", lambda: together(year, By.MODEL, prices))


main()
