"""What every capability stands on: the engine that runs transactions, the clock, and what closed means."""

from collections.abc import Callable
from typing import TypeVar

from sqlite_utils import Database

from storage.closed_means import UNCONFIGURED, ClosedMeans
from storage.interactions import Node
from storage.sqlite import conversations, nodes
from storage.sqlite.engine import Engine

T = TypeVar("T")


class Part:
    """A store's engine and clock. Whatever is read or written in one call is one transaction.

    Attributes:
        closed_means: which statuses of sources mean that a ticket is closed.
    """

    def __init__(self, engine: Engine, clock: Callable[[], int], closed_means: ClosedMeans = UNCONFIGURED) -> None:
        self._engine = engine
        self._clock = clock
        self.closed_means = closed_means

    def close(self) -> None:
        """Finish pending writes and release the file."""
        self._engine.close()

    def _read(self, work: Callable[[Database], T]) -> T:
        return self._engine.read(work)

    def _write(self, work: Callable[[Database, int], T]) -> T:
        """Run work, which is given the time in microseconds."""
        return self._engine.write(lambda db: work(db, self._clock()))

    def _add_node(self, conversation_id: int, add: Callable[[Database, int], int]) -> Node:
        """Run work that adds a node to a conversation in which no answer is being written, and return the node."""

        def work(db: Database, now: int) -> Node:
            conversations.settle(db, conversation_id, self._engine.is_alive, now)
            return nodes.one_node(db, conversation_id, add(db, now))

        return self._write(work)
