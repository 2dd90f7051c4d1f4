"""Writes to the record, one after another, away from the event loop."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Recorder:
    """One thread that writes in the order in which it was asked to.

    A write may wait while another process holds the database; the screen does not.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="recorder")

    def submit(self, write: Callable[[], T]) -> Future[T]:
        """Queue a write; the future holds its result or its error."""
        return self._thread.submit(write)

    def close(self) -> None:
        """Return when everything queued is written; nothing more is taken."""
        self._thread.shutdown(wait=True)
