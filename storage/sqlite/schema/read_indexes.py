"""The indexes that kept together what is read of one conversation; `storage.sqlite.schema.reading` took their place."""

from collections.abc import Iterator
from typing import Final

_COLUMNS: Final = {
    "heading": "author, meta",
    "final": "status",
    "seal": "detail, preview",
}


def statements() -> Iterator[str]:
    """Yield what the migration executes."""
    for table, columns in _COLUMNS.items():
        yield f"CREATE INDEX {table}_read ON {table} (conversation_id, interaction_id, {columns})"
