"""What SQL on our own connections may not do, whatever it is: change the schema, attach a file, lift the guards."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlite_utils import Database

from storage.sqlite.driver import sqlite3

_FORBIDDEN: Final = frozenset(
    {
        sqlite3.SQLITE_CREATE_INDEX,
        sqlite3.SQLITE_CREATE_TABLE,
        sqlite3.SQLITE_CREATE_TEMP_INDEX,
        sqlite3.SQLITE_CREATE_TEMP_TABLE,
        sqlite3.SQLITE_CREATE_TEMP_TRIGGER,
        sqlite3.SQLITE_CREATE_TEMP_VIEW,
        sqlite3.SQLITE_CREATE_TRIGGER,
        sqlite3.SQLITE_CREATE_VIEW,
        sqlite3.SQLITE_CREATE_VTABLE,
        sqlite3.SQLITE_DROP_INDEX,
        sqlite3.SQLITE_DROP_TABLE,
        sqlite3.SQLITE_DROP_TEMP_INDEX,
        sqlite3.SQLITE_DROP_TEMP_TABLE,
        sqlite3.SQLITE_DROP_TEMP_TRIGGER,
        sqlite3.SQLITE_DROP_TEMP_VIEW,
        sqlite3.SQLITE_DROP_TRIGGER,
        sqlite3.SQLITE_DROP_VIEW,
        sqlite3.SQLITE_DROP_VTABLE,
        sqlite3.SQLITE_ALTER_TABLE,
        sqlite3.SQLITE_REINDEX,
        sqlite3.SQLITE_ANALYZE,
        sqlite3.SQLITE_ATTACH,
        sqlite3.SQLITE_DETACH,
    }
)
_PRAGMAS: Final = frozenset(
    {"writable_schema", "foreign_keys", "recursive_triggers", "trusted_schema", "ignore_check_constraints",
     "secure_delete", "synchronous", "application_id", "user_version", "schema_version", "legacy_alter_table"}
)  # fmt: skip
"""Settings that nothing may change; they can be read."""


def guard(db: Database) -> None:
    """Refuse, on this connection, whatever would change the schema or lift its guards."""
    db.conn.set_authorizer(_decide)


@contextmanager
def unguarded(db: Database) -> Iterator[None]:
    """Allow everything for a while: migrations, and rewriting the file."""
    db.conn.set_authorizer(None)
    try:
        yield
    finally:
        guard(db)


def _decide(action: int, one: str | None, two: str | None, database: str | None, inner: str | None) -> int:
    del database, inner
    if action in _FORBIDDEN:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_PRAGMA and one is not None and two is not None:
        return sqlite3.SQLITE_OK if _may_set(one.lower(), two.lower()) else sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _may_set(name: str, value: str) -> bool:
    return value == "wal" if name == "journal_mode" else name not in _PRAGMAS
