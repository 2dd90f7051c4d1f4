"""The table of the labels that agents put on nodes: a log, of which the last row of a node counts."""

from collections.abc import Iterator
from typing import Final

from storage.sqlite.schema.guards import log_triggers
from storage.sqlite.schema.words import word_triggers

TABLES: Final = (
    # label: empty where it was taken off again.
    """
    CREATE TABLE node_label (
        id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL,
        interaction_id INTEGER NOT NULL,
        label TEXT NOT NULL,
        set_at INTEGER NOT NULL,
        FOREIGN KEY (conversation_id, interaction_id) REFERENCES interaction (conversation_id, id)
    ) STRICT
    """,
    "CREATE INDEX node_label_node ON node_label (conversation_id, interaction_id)",
)

LOG_KEYS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {"node_label": (("id",),)}
"""The logs with their unique keys."""

_GUARDS: Final = {
    "node_label": {
        "foreign": "NOT EXISTS (SELECT 1 FROM interaction WHERE conversation_id = NEW.conversation_id"
        " AND id = NEW.interaction_id AND external = 1)",
    },
}


def statements() -> Iterator[str]:
    """Yield what the migration executes."""
    yield from TABLES
    yield from log_triggers(LOG_KEYS, _GUARDS)
    yield from word_triggers(5)
