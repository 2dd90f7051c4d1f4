"""The table of the versions of tasks: the words of the team that answers were made with."""

from collections.abc import Iterator
from typing import Final

from storage.sqlite.schema.guards import log_triggers

TABLES: Final = (
    """
    CREATE TABLE task_version (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        system TEXT NOT NULL,
        text TEXT NOT NULL,
        kept_at INTEGER NOT NULL,
        UNIQUE (name, version)
    ) STRICT
    """,
)

LOG_KEYS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {"task_version": (("id",), ("name", "version"))}
"""The logs with their unique keys."""


def statements() -> Iterator[str]:
    """Yield what the migration executes."""
    yield from TABLES
    yield from log_triggers(LOG_KEYS, {})
