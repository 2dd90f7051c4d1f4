"""What stands in the schema of a database, and how it differs from what the migrations make."""

from typing import Final

from sqlite_utils import Database

from storage.audit.rows import SchemaDifference
from storage.sqlite.connection import connect_memory
from storage.sqlite.schema.versions import migrate

_OBJECTS: Final = r"""
    SELECT type, name, sql FROM sqlite_master
    WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE '\_sqlite\_%' ESCAPE '\'
    ORDER BY rowid
"""


def schema_differences(db: Database) -> list[SchemaDifference]:
    """Compare every table, index and trigger with those of a new record."""
    new = connect_memory()
    try:
        migrate(new)
        expected = _objects(new)
    finally:
        new.close()
    found = _objects(db)
    missing = [SchemaDifference(*key, "missing") for key in expected if key not in found]
    changed = [SchemaDifference(*key, "changed") for key, sql in expected.items() if found.get(key, sql) != sql]
    foreign = [SchemaDifference(*key, "foreign") for key in found if key not in expected]
    return missing + changed + foreign


def _objects(db: Database) -> dict[tuple[str, str], str]:
    return {(type_, name): sql for type_, name, sql in db.execute(_OBJECTS)}
