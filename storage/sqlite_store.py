"""The record in SQLite, on a file or in memory."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from storage.closed_means import UNCONFIGURED, ClosedMeans
from storage.sqlite.capabilities.audits import Audits
from storage.sqlite.capabilities.chosen import Chosen
from storage.sqlite.capabilities.conversations import Conversations
from storage.sqlite.capabilities.ends import Ends
from storage.sqlite.capabilities.finding import Finding
from storage.sqlite.capabilities.measures import Measures
from storage.sqlite.capabilities.requests import Requests
from storage.sqlite.capabilities.tasks import Tasks
from storage.sqlite.capabilities.tickets import Tickets
from storage.sqlite.capabilities.trees import Trees
from storage.sqlite.capabilities.turns import Turns
from storage.sqlite.engine import FileEngine, MemoryEngine

WAIT_SECONDS: Final = 15.0


def clock_us() -> int:
    """Return the time in microseconds since 1970 UTC."""
    return time.time_ns() // 1000


class SqliteStore(Tickets, Ends, Conversations, Trees, Turns, Chosen, Finding, Requests, Measures, Audits, Tasks):
    """The store of `storage.store.Store`; what each method promises stands there."""


def open_store(
    path: Path,
    *,
    wait_seconds: float = WAIT_SECONDS,
    clock: Callable[[], int] = clock_us,
    closed_means: ClosedMeans = UNCONFIGURED,
) -> SqliteStore:
    """Open the record in a file, made where there is none.

    `closed_means` tells which statuses of sources mean that a ticket is closed.

    Raises:
        UnreadableError: the file is no record, or from a newer Ticketree.
        UnwritableError: the file or its folder cannot be written.
        LockedError: another process kept it busy for `wait_seconds`.
    """
    return SqliteStore(FileEngine(path.resolve(), wait_seconds), clock, closed_means)


def memory_store(*, clock: Callable[[], int] = clock_us, closed_means: ClosedMeans = UNCONFIGURED) -> SqliteStore:
    """Return a new record in memory, gone when it is closed."""
    return SqliteStore(MemoryEngine(), clock, closed_means)
