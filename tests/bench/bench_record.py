"""Reading, choosing and appending in a record of a million interactions.

Run with `uv run python tests/bench/bench_record.py [--rows N]`; filling the record takes some minutes. Next to each
time stands that of the processor, which does not grow with whatever else the machine does.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from large_record import OPENED, Growing, make
from limits import Limits

from storage.interactions import Draft
from storage.sqlite.driver import sqlite3
from storage.sqlite_store import open_store
from storage.store import Store
from tui.desk.page import read_page

ROWS: Final = 1_000_000
SMALL: Final = 1_000
TICKETS: Final = 200
COLLEAGUES: Final = 20
ROUNDS: Final = 31
APPENDS: Final = 300
TREE: Final = ("interaction", "heading", "payload", "seal", "final")
AGENT: Final = "camille"
LIMITS: Final = Limits()
TEXT: Final = "Could you make it shorter, and mention that the parcel left on Monday?"


def plan(rows: int) -> list[Growing]:
    """Return camille's conversations on all tickets, and those of colleagues who have all other rows."""
    short, forked = [Growing(AGENT, f"T-{number}", 18) for number in range(TICKETS)], 500 - OPENED
    short[1].size, short[2].size = 1_000 - OPENED, 10_000 - OPENED
    # Two branches of 500 messages, which part in the middle.
    short[3].size, short[3].fork = forked + 250, (forked, forked - 250)
    others = TICKETS * COLLEAGUES
    left = max(0, rows - sum(growing.size + OPENED for growing in short) - others * OPENED)
    colleagues = [f"colleague {number}" for number in range(COLLEAGUES)]
    each = [(agent, f"T-{number}") for agent in colleagues for number in range(TICKETS)]
    return short + [
        Growing(agent, ticket, left // others + (place < left % others)) for place, (agent, ticket) in enumerate(each)
    ]


def timed(step: Callable[[], object]) -> tuple[float, float]:
    """Return the milliseconds that a step takes, and those of the processor."""
    start, start_cpu = time.perf_counter(), time.process_time()
    step()
    return (time.perf_counter() - start) * 1e3, (time.process_time() - start_cpu) * 1e3


def report(what: str, times: list[tuple[float, float]], to_reach_ms: int) -> None:
    """Print the medians of a step."""
    wall, cpu = (median(column) for column in zip(*times, strict=True))
    LIMITS.at_most(f"{what} (processor {cpu:.2f} ms)", wall, to_reach_ms, " ms")


def paths(store: Store, growing: Growing, to_reach_ms: int) -> None:
    """Measure the path to the newest node of a conversation."""
    leaf = growing.added[-1]
    length = len(store.path(growing.id, leaf))
    times = [timed(lambda: store.path(growing.id, leaf)) for _ in range(ROUNDS)]
    report(f"path of {length:,} nodes", times, to_reach_ms)


def tree_rows(database: Path) -> list[tuple[int, int]]:
    """Return how many rows each table of the tree has, and where the last one stands."""
    with closing(sqlite3.connect(database)) as db:
        return [
            db.execute(f"SELECT count(*), max({'id' if table == 'interaction' else 'interaction_id'}) FROM {table}")
            .fetchone()
            for table in TREE
        ]  # fmt: skip


def switching(store: Store, database: Path, growing: Growing) -> None:
    """Measure going from one branch to the other, alone and with all that the app then reads."""
    assert growing.fork is not None
    ends = (growing.added[growing.fork[0] - 1], growing.added[-1])
    conversation = store.locate(AGENT, ends[0])
    assert [len(store.path(conversation.id, end)) for end in ends] == [500, 500]
    before = tree_rows(database)
    choosing, showing, whole = [], [], []
    for number in range(ROUNDS):
        leaf = ends[number % 2]
        choosing.append(timed(partial(store.select, conversation.id, leaf)))
        showing.append(timed(partial(store.path, conversation.id, leaf)))
        whole.append(timed(lambda: read_page(store, conversation, Draft(""))))
    report("choosing a branch of 500 messages, durably", choosing, 10)
    report("its path", showing, 10)
    both = [(a[0] + b[0], a[1] + b[1]) for a, b in zip(choosing, showing, strict=True)]
    report("switching: the choice and the path", both, 10)
    report(f"all that the app reads then, {len(growing.added) + OPENED} nodes in the outline", whole, 10)
    written = sum(now[0] - then[0] for now, then in zip(tree_rows(database), before, strict=True))
    LIMITS.at_most(f"rows of the tree written by {ROUNDS} switches", written, 0)


def lists(store: Store) -> None:
    """Measure the list of one agent's conversations."""
    found = store.tickets(AGENT)
    assert len(found) == TICKETS
    assert all(summary.nodes for summary in found)
    times = [timed(lambda: store.tickets(AGENT)) for _ in range(ROUNDS)]
    report(f"one agent's {TICKETS} conversations with counts", times, 10)


class Appending:
    """Messages one below the other in a conversation."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.id = store.open_conversation(AGENT, "T-0").id
        self.newest = store.selected(self.id)

    def append(self) -> None:
        """Add the next one, durably."""
        self.newest = self.store.add_message(self.id, self.newest, AGENT, TEXT).id


def appending(small: Store, large: Store, rows: int) -> None:
    """Measure appending to both records in turns, so that whatever else the machine does falls on both."""
    few, many = Appending(small), Appending(large)
    times = [(timed(few.append), timed(many.append)) for _ in range(APPENDS)]
    at_few, at_many = (list(column) for column in zip(*times, strict=True))
    (few_ms, few_cpu), (many_ms, many_cpu) = (
        (median(wall), median(cpu)) for wall, cpu in (zip(*column, strict=True) for column in (at_few, at_many))
    )
    print(f"append at {SMALL:>9,} interactions   {few_ms:.3f} ms   processor {few_cpu:.3f} ms")
    print(f"append at {rows:>9,} interactions   {many_ms:.3f} ms   processor {many_cpu:.3f} ms")
    LIMITS.at_most(f"growth (of the processor's time {many_cpu / few_cpu:.2f})", many_ms / few_ms, 1.2)


def main() -> None:
    """Fill the records, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS, help="how many interactions the record has (%(default)s)")
    rows: int = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        database, beside = Path(folder) / "large.db", Path(folder) / "small.db"
        start = time.perf_counter()
        planned = plan(rows)
        make(database, planned)
        make(beside, [Growing(AGENT, "T-0", SMALL - OPENED)])
        count = tree_rows(database)[0][0]
        took_s, size_mb = time.perf_counter() - start, database.stat().st_size >> 20
        print(f"{count:,} interactions in {len(planned):,} conversations, made in {took_s:.0f} s, {size_mb:,} MB")
        with closing(open_store(database)) as large, closing(open_store(beside)) as small:
            paths(large, planned[1], 10)
            paths(large, planned[2], 100)
            switching(large, database, planned[3])
            lists(large)
            appending(small, large, count)
    LIMITS.end()


if __name__ == "__main__":
    main()
