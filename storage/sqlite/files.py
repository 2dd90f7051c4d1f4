"""The files of a record: made once, watched while in use, and warned about where they would not be safe."""

import os
import re
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from storage.errors import UnreadableError
from storage.sqlite.connection import connect, create, use_wal
from storage.sqlite.driver import sqlite3
from storage.sqlite.refusals import damaged, not_a_database, replaced
from storage.sqlite.schema.versions import is_current, migrate

# SQLite takes a shorter file for an empty database, and would overwrite it.
_SMALLEST_DATABASE_BYTES: Final = 512
_ERROR: Final = 1
"""SQLite's code for SQL that does not fit the schema (sqlite.org/rescode.html)."""
_MOUNTS: Final = Path("/proc/self/mountinfo")
_OCTAL: Final = re.compile(r"\\([0-7]{3})")
_NETWORK: Final = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "afpfs", "ceph", "glusterfs", "lustre", "vboxsf", "webdav"}
)


def prepare(path: Path) -> Database:
    """Make the database where there is none, or bring its schema up to date; return a connection that is in use.

    The caller holds the lock file.

    Raises:
        UnreadableError: the file is empty, is no database, is not ours, is damaged, or is from a newer Ticketree.
    """
    if not path.exists():
        create(path)
    if not path.is_file():
        raise UnreadableError(f"{path} is no file; choose another place for the record.")
    size = path.stat().st_size
    if size == 0:
        raise UnreadableError(f"{path} is empty, so it is no record; restore it from a copy or remove it.")
    if size < _SMALLEST_DATABASE_BYTES:
        raise not_a_database(str(path))
    db = connect(path)
    try:
        _update(db, path)
        use_wal(db)
        # From its first read on, a connection keeps the log in place.
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def _update(db: Database, path: Path) -> None:
    try:
        if not is_current(db, str(path)):
            migrate(db)
    except sqlite3.OperationalError as error:
        # What a version makes is there already, or what it is made of is not: no version left the schema like this.
        if getattr(error, "sqlite_errorcode", 0) == _ERROR:
            raise damaged(path, error) from error
        raise


class FileIdentity:
    """Notices that the database or its log is no longer the file that was opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._watched = (str(path), f"{path}-wal")
        self._opened = self._now()

    def check(self) -> None:
        """Compare both with what they were.

        Raises:
            ReplacedFileError: one of them was moved, deleted or replaced; what is written now would be lost.
        """
        if self._now() != self._opened:
            raise replaced(str(self._path))

    def _now(self) -> tuple[tuple[int, int] | None, ...]:
        return tuple(_identity(path) for path in self._watched)


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def filesystem_warning(path: Path) -> str:
    """Say why a record is not safe at this place, or "" where nothing is known against it.

    SQLite's write-ahead log needs memory shared by all processes, which file systems over a network do not give.
    Only Linux tells which one it is.
    """
    if not _MOUNTS.exists():
        return ""
    kind = filesystem_of(path.resolve(), _MOUNTS.read_text("utf-8", "surrogateescape"))
    if kind not in _NETWORK and not kind.startswith("fuse"):
        return ""
    return f"{path} is on {kind}, where a database shared by several windows can be damaged; choose a local folder."


def filesystem_of(path: Path, mountinfo: str) -> str:
    """Return the type of the file system that holds a path, from the text of Linux's mountinfo."""
    best, kind = "", ""
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        point = _OCTAL.sub(lambda escape: chr(int(escape[1], 8)), before.split(" ")[4])
        if path.is_relative_to(point) and len(point) >= len(best):
            best, kind = point, after.split(" ")[0]
    return kind
