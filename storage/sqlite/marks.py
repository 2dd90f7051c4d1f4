"""The marks of living writers: a locked file for each store that streams an answer.

The system frees the lock when the process ends, however it ends; so an answer without an end is known to be
abandoned, and never taken for one that another window is still writing.
"""

import os
from pathlib import Path
from uuid import UUID, uuid4

from storage.sqlite.lock import try_lock


class WriterMark:
    """This store's own mark, held until it is released.

    Made, tested and swept only while the record's lock file is held, so that no one sees it before it is locked.
    """

    def __init__(self, database: Path) -> None:
        self.writer = uuid4().hex
        self._path = _path(database, self.writer)
        self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try_lock(self._fd)

    def release(self) -> None:
        """Remove the mark."""
        self._path.unlink(missing_ok=True)
        os.close(self._fd)


def is_alive(database: Path, writer: str) -> bool:
    """Tell whether the store of this mark still runs; the file of one that does not is removed."""
    try:
        path = _path(database, writer)
    except ValueError:  # no mark of any store, as what was read from elsewhere may hold
        return False
    return _is_held(path)


def sweep(database: Path) -> None:
    """Remove the marks of writers that are gone."""
    for path in database.parent.glob(f"{_escaped(database.name)}.writer-*"):
        _is_held(path)


def _path(database: Path, writer: str) -> Path:
    return database.with_name(f"{database.name}.writer-{UUID(writer).hex}")


def _escaped(name: str) -> str:
    return "".join(f"[{character}]" if character in "*?[" else character for character in name)


def _is_held(path: Path) -> bool:
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        if not try_lock(fd):
            return True
        path.unlink(missing_ok=True)
        return False
    finally:
        os.close(fd)
