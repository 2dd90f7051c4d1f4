"""Speed of `audit verify` and of an anchor, in a small and in a large record.

Run with `uv run python tests/bench/bench_verify.py [INTERACTIONS]`; it fills a record with 100,000 interactions first.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import TypeVar

from sqlite_utils import Database

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from limits import Limits

from storage.audit.anchor import anchor_record
from storage.audit.verification import verify
from storage.kinds import AGENT_MESSAGE
from storage.sqlite.appending import Entry, append_whole
from storage.sqlite.engine import FileEngine
from storage.sqlite_store import SqliteStore, clock_us
from storage.tickets import IncomingTicket, Role, TicketMessage

SMALL, LARGE = 10_000, 100_000
CONVERSATIONS = 100
BATCH = 2_000
ROUNDS = 3
TEXT = "Could you make it shorter, and mention that the parcel left on Monday? " * 6

T = TypeVar("T")


def filled(path: Path, size: int) -> SqliteStore:
    """Return a record with so many interactions in several conversations, appended in turns."""
    engine = FileEngine(path, 60.0)
    store = SqliteStore(engine, clock_us)
    newest: dict[int, int] = {}
    for number in range(CONVERSATIONS):
        message = TicketMessage("Sophie", Role.CUSTOMER, f"Where is hammock {number}?")
        store.save_ticket(IncomingTicket(f"T-{number}", "Hammock", "Sophie", (message,)))
        conversation = store.open_conversation("camille", f"T-{number}").id
        newest[conversation] = store.selected(conversation)

    def add(db: Database) -> None:
        for conversation in list(newest) * (BATCH // CONVERSATIONS):
            entry = Entry(AGENT_MESSAGE, newest[conversation], "camille", {})
            newest[conversation] = append_whole(db, conversation, entry, TEXT, clock_us())

    for _ in range(size // BATCH):
        engine.write(add)
    return store


def seconds(step: Callable[[], T]) -> tuple[float, T]:
    """Return how long a step takes, and its result."""
    start = time.perf_counter()
    result = step()
    return time.perf_counter() - start, result


def measured(store: SqliteStore) -> tuple[float, float, float]:
    """Return interactions a second for a verification, by the clock and in its own thread, and seconds for an anchor.

    The second is what the clock would say on a machine that has nothing else to do: SQLite's check runs beside it.
    """
    rates, own_rates, anchors = [], [], []
    for _ in range(ROUNDS):
        own_s = time.thread_time()
        took_s, found = seconds(lambda: verify(store))
        own_s = time.thread_time() - own_s
        assert found.holds, found.breaks
        rates.append(found.interactions / took_s)
        own_rates.append(found.interactions / own_s)
        anchors.append(seconds(lambda: anchor_record(store, clock_us()))[0])
    return median(rates), median(own_rates), median(anchors)


def main() -> None:
    """Measure a small and a large record."""
    large = int(sys.argv[1]) if len(sys.argv) > 1 else LARGE
    rates, limits = {}, Limits()
    with tempfile.TemporaryDirectory() as folder:
        for size in (SMALL, large):
            with closing(filled(Path(folder) / f"{size}.db", size)) as store:
                rates[size], own_rate, anchor_s = measured(store)
            print(f"verify {size:>9,} interactions   {own_rate:>9,.0f} a second of its thread's processor time")
            limits.at_least(f"verify {size:,} interactions, a second", rates[size], 30_000)
            print(f"anchor {size:>9,} interactions   {anchor_s:>9.2f} s")
    print(f"growth of the time for one interaction  {rates[SMALL] / rates[large]:.2f}")
    limits.end()


if __name__ == "__main__":
    main()
