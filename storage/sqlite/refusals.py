"""Turning what SQLite and the operating system say into the errors of the record."""

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from storage.errors import (
    DamagedError,
    ErasedError,
    LockedError,
    NotFoundError,
    RefusedError,
    ReplacedFileError,
    StorageError,
    TurnRunningError,
    UnreadableError,
    UnwritableError,
)
from storage.sqlite.driver import sqlite3
from storage.sqlite.header import is_record

GROWS_ONLY: Final = "The record only grows: what is in it can be neither changed nor deleted."
ENDED: Final = "This answer has ended; nothing can be added to it."

_REFUSALS: Final[dict[str, str]] = {
    "immutable": GROWS_ONLY,
    "ended": ENDED,
    "sibling": "Only a node below the same parent can be replaced.",
    "root": "A conversation has exactly one root, and it comes first.",
    "parent": "A new entry needs a node of the same conversation to stand below.",
    "foreign": "This belongs to another conversation.",
    "ticket": "A ticket node needs a snapshot of the ticket that the conversation is about.",
    "order": "Entries are numbered without gaps.",
    "count": "Nodes are counted without gaps.",
    "salt": "An entry cannot end before its content has a salt.",
    "link": "A new link comes right after the newest one of its conversation.",
    "hash": "A new link names the hash of the link before it.",
    "held": "A legal hold is on this ticket; release it before anything is erased.",
}

ERASED: Final = "The words of this ticket were erased; nothing can be added to it or to its conversations."
RUNNING: Final = "An answer is still being written in this conversation; wait for its end or stop it."

# SQLite's primary result codes (sqlite.org/rescode.html); the modules name them only from Python 3.11 on.
_BUSY, _LOCKED, _READONLY, _IOERR, _CORRUPT, _FULL, _CANTOPEN, _NOTADB = 5, 6, 8, 10, 11, 13, 14, 26
_CORRUPT_INDEX = 267
_CONSTRAINT, _AUTH, _READONLY_DBMOVED = 19, 23, 1032

_INDEX_DAMAGES: Final = ("invalid fts5 file format", "fts5: corruption")
"""How FTS5's errors begin where its own tables are not as it left them; not all have a code of their own."""

_PAGE_BYTES: Final = 64 * 1024
"""SQLite makes its shared memory in pieces of 32 KiB, and needs a page or two beside them."""


@contextmanager
def translated(path: Path | None) -> Iterator[None]:
    """Raise the record's errors in place of SQLite's and the operating system's; `path` is None in memory."""
    name = str(path) if path else "the record in memory"
    try:
        yield
    except sqlite3.Error as error:
        raise _from_sqlite(error, name, path) from error
    except OSError as error:
        raise _from_system(error, name) from error
    except OverflowError as error:
        raise NotFoundError("No number in the record is that large.") from error


def _from_sqlite(error: sqlite3.Error, name: str, path: Path | None) -> StorageError:
    code: int = getattr(error, "sqlite_errorcode", 0)
    if code == _READONLY_DBMOVED:
        return replaced(name)
    if code == _CORRUPT_INDEX or str(error).startswith(_INDEX_DAMAGES):
        return StorageError(f"The index of the search in {name} is damaged; `ticketree reindex` writes it anew.")
    match code & 0xFF:
        case primary if primary == _CONSTRAINT:
            return _refusal(str(error))
        case primary if primary in (_FULL, _IOERR, _CANTOPEN) and (primary == _FULL or _is_full(name)):
            return _full(name)
        case primary if primary in (_BUSY, _LOCKED):
            return busy(name)
        case primary if primary == _READONLY:
            return UnwritableError(f"{name} is read-only; make the file and its folder writable.")
        case primary if primary == _CANTOPEN:
            return UnwritableError(f"{name} cannot be opened; check that its folder exists and can be written.")
        case primary if primary == _IOERR:
            return UnwritableError(f"{name} could not be read or written ({error}); check the disk.")
        case primary if primary == _NOTADB:
            return not_a_database(name)
        case primary if primary == _AUTH:
            return RefusedError("The record's schema and its guards are not changed while it is in use.")
        case primary if primary == _CORRUPT:
            return damaged(path, error)
        case _:
            return StorageError(f"{name} cannot be used: {error}.")


def _is_full(name: str) -> bool:
    """Whether the disk has no room for a page; SQLite calls that an I/O error where it needs its shared memory."""
    try:
        return shutil.disk_usage(Path(name).parent).free < _PAGE_BYTES
    except OSError:
        return False


def _full(name: str) -> UnwritableError:
    return UnwritableError(f"The disk is full, so nothing more can be kept in {name}; free some space.")


def _refusal(message: str) -> RefusedError:
    _, found, code = message.partition("refused:")
    if code == "running":
        return TurnRunningError(RUNNING)
    if code == "erased":
        return ErasedError(ERASED)
    if found and code in _REFUSALS:
        return RefusedError(_REFUSALS[code])
    return RefusedError(f"A rule of the record forbids this ({message}).")


def _from_system(error: OSError, name: str) -> StorageError:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return _full(name)
        case errno.EACCES | errno.EPERM | errno.EROFS:
            where = error.filename or name
            return UnwritableError(f"{where} cannot be written; make the folder writable or choose another one.")
        case _:
            return UnwritableError(f"{name} cannot be used ({error.strerror or error}); choose another place.")


def busy(name: str) -> LockedError:
    """Return the error for a record that another process keeps busy."""
    return LockedError(f"Another window kept {name} busy for too long; try again.")


def damaged(path: Path | None, error: sqlite3.Error) -> UnreadableError:
    """Return the error for a file that SQLite cannot read, which may be no record of ours."""
    kind = DamagedError if path and is_record(path) else UnreadableError
    return kind(f"{path or 'The record in memory'} is damaged ({error}); restore it from a copy.")


def not_a_database(name: str) -> UnreadableError:
    """Return the error for a file that holds something else."""
    return UnreadableError(f"{name} is no database of Ticketree; choose another file for the record.")


def replaced(name: str) -> ReplacedFileError:
    """Return the error for a file that is no longer the one that was opened."""
    return ReplacedFileError(
        f"{name} was moved, deleted or replaced while it was in use, so writing has stopped; "
        "put it back and start again."
    )
