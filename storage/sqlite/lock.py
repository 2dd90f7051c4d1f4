"""The advisory lock file that queues all writers of one record, in this process and in others.

SQLite's own lock is polled, so a busy record starves some writers; and before 3.51.3 concurrent checkpoints can corrupt
the file. One file lock around each transaction (a checkpoint included) ends both.
"""

import fcntl
import os
import time
from pathlib import Path
from typing import Final

_POLL_SECONDS: Final = 0.02


class FileLock:
    """One handle on a lock file; of several handles on it, anywhere on this machine, one is held at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd = self._open()

    def acquire(self) -> None:
        """Wait as long as it takes; the system serves those who wait in turn."""
        fcntl.flock(self._fd, fcntl.LOCK_EX)
        while not self._is_current():
            self._reopen()
            fcntl.flock(self._fd, fcntl.LOCK_EX)

    def acquire_within(self, seconds: float) -> bool:
        """Wait at most so long; tell whether the lock is held."""
        deadline = time.monotonic() + seconds
        while not try_lock(self._fd):
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL_SECONDS)
        return True

    def release(self) -> None:
        """Let the next one in."""
        fcntl.flock(self._fd, fcntl.LOCK_UN)

    def close(self) -> None:
        """Give the handle up, and the lock with it."""
        os.close(self._fd)

    def _open(self) -> int:
        return os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def _reopen(self) -> None:
        os.close(self._fd)
        self._fd = self._open()

    def _is_current(self) -> bool:
        """Tell whether the path still leads to this handle's file, so that all who open it share the lock."""
        try:
            return os.path.samestat(os.fstat(self._fd), self._path.stat())
        except FileNotFoundError:
            return False


def try_lock(fd: int) -> bool:
    """Take the exclusive lock of an open file if it is free."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
