"""The column by which an entry of the full-text index stands for a label of a node, not for what the node says."""

from collections.abc import Iterator
from typing import Final

from storage.sqlite.schema.guards import trigger

# The index serves erasures: for each label that goes, SQLite looks for an entry that still refers to it.
CHANGES: Final = (
    "ALTER TABLE search_entry ADD COLUMN label_id INTEGER REFERENCES node_label (id)",
    "CREATE INDEX search_entry_label ON search_entry (label_id) WHERE label_id IS NOT NULL",
)

_FOREIGN: Final = (
    "NEW.label_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM node_label WHERE id = NEW.label_id"
    " AND conversation_id = NEW.conversation_id AND interaction_id = NEW.interaction_id)"
)


def statements() -> Iterator[str]:
    """Yield what the migration executes."""
    yield from CHANGES
    yield trigger("search_entry_label_guard", "BEFORE INSERT ON search_entry", {"foreign": _FOREIGN})
