"""Opening connections: the pragmas that the record relies on, and the file's first creation."""

import os
import time
from pathlib import Path
from typing import Final

from sqlite_utils import Database

from storage.sqlite.authorizer import guard, unguarded
from storage.sqlite.driver import sqlite3
from storage.sqlite.schema.versions import migrate

_BUSY_SECONDS: Final = 5.0
_WAL_TRIES: Final = 50
_EMPTYING_MS: Final = 1_000
"""How long to wait for readers before the log is left as it is."""

# One transaction uses some 30 statements; preparing those with triggers anew would take half of its time.
_CACHED_STATEMENTS: Final = 256
# temp_store: what SQLite keeps to undo half a statement holds words, and would go into a file outside the record.
_PRAGMAS: Final = (
    "foreign_keys = ON",
    "synchronous = FULL",
    "trusted_schema = OFF",
    "secure_delete = ON",
    "temp_store = MEMORY",
)


def connect(path: Path) -> Database:
    """Open an existing database file; it is never made by opening it."""
    return _open(f"{path.as_uri()}?mode=rw")


def connect_memory() -> Database:
    """Open a new database in memory."""
    return _open(":memory:")


def create(path: Path) -> None:
    """Make the database file with its schema; it appears under its name whole or not at all.

    The caller holds the lock file.
    """
    new = path.with_name(f"{path.name}.new")
    for left_over in ("", "-wal", "-shm"):
        Path(f"{new}{left_over}").unlink(missing_ok=True)
    os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    db = connect(new)
    try:
        use_wal(db)
        migrate(db)
    finally:
        db.close()
    new.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def use_wal(db: Database) -> None:
    """Switch to the write-ahead log; while another connection is busy SQLite refuses that at once, so try again."""
    for left in reversed(range(_WAL_TRIES)):
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if not left:
                raise
            time.sleep(0.02)
        else:
            return


def rewrite(db: Database) -> None:
    """Write the whole database anew, without the copies that SQLite left in pages when it moved rows.

    The copy that is made on the way goes into an unnamed file, since it may be too large for the memory.
    """
    with unguarded(db):
        db.execute("PRAGMA temp_store = FILE")
        try:
            db.execute("VACUUM")
        finally:
            db.execute("PRAGMA temp_store = MEMORY")


def empty_log(db: Database) -> bool:
    """Move the write-ahead log into the database and cut it to nothing; False where a reader still needs it.

    The caller holds the lock file.
    """
    db.execute(f"PRAGMA busy_timeout = {_EMPTYING_MS}")
    try:
        is_busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        db.execute(f"PRAGMA busy_timeout = {round(_BUSY_SECONDS * 1000)}")
    return not is_busy


def _open(name: str) -> Database:
    connection = sqlite3.connect(
        name, uri=True, timeout=_BUSY_SECONDS, check_same_thread=False, cached_statements=_CACHED_STATEMENTS
    )
    try:
        db = Database(connection, recursive_triggers=True, execute_plugins=False)
        for pragma in _PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        guard(db)
    except BaseException:
        connection.close()
        raise
    return db
