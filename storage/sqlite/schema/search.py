"""The tables of the full-text index: an entry for all that can be found, and the index that follows the entries.

An entry holds the words of one thing as they are indexed, so that they can be taken out of the index again exactly,
and the index be made anew from the entries. `storage.sqlite.search_index` writes both.
"""

from collections.abc import Iterator
from typing import Final

from storage.sqlite.schema.guards import log_triggers

# Entries are numbered in the order in which they became findable, so the newest have the largest numbers.
TABLES: Final = (
    """
    CREATE TABLE search_entry (
        id INTEGER PRIMARY KEY,
        ticket_id INTEGER NOT NULL REFERENCES ticket (id),
        conversation_id INTEGER,
        interaction_id INTEGER,
        snapshot INTEGER,
        message_id INTEGER,
        words TEXT NOT NULL,
        CHECK ((conversation_id IS NULL) = (interaction_id IS NULL)),
        CHECK ((interaction_id IS NOT NULL) + (snapshot IS NOT NULL) + (message_id IS NOT NULL) = 1),
        FOREIGN KEY (conversation_id, interaction_id) REFERENCES interaction (conversation_id, id),
        FOREIGN KEY (ticket_id, snapshot) REFERENCES ticket_snapshot (ticket_id, number),
        FOREIGN KEY (ticket_id, message_id) REFERENCES ticket_message (ticket_id, id)
    ) STRICT
    """,
    "CREATE INDEX search_entry_ticket ON search_entry (ticket_id)",
    # ascii parts words where they are parted already, at the spaces; it changes nothing beyond ASCII.
    """
    CREATE VIRTUAL TABLE search USING fts5 (
        words, content = 'search_entry', content_rowid = 'id', columnsize = 0, tokenize = "ascii tokenchars ':'"
    )
    """,
    "CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab ('search', 'instance')",
)

LOG_KEYS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {"search_entry": (("id",),)}
"""The logs with their unique keys."""

INDEX: Final = frozenset({"search", "search_config", "search_data", "search_idx", "search_vocabulary"})
"""The index's own tables: no log, as SQLite merges them while it grows."""


def statements() -> Iterator[str]:
    """Yield what the migration executes."""
    yield from TABLES
    yield from log_triggers(LOG_KEYS, {})
