"""The tables of the end of life: erasures and when they were complete, and legal holds; all of them logs.

An erasure is one row. Inserting it deletes, in the same statement and by a trigger, every word of its ticket; a word
can be deleted in no other way, because an erased ticket has none left and takes none. So ordinary SQL can erase a
ticket whole and on record, but can take no single word out of it.
"""

from collections.abc import Iterator
from typing import Final

from storage.sqlite.schema.guards import log_triggers
from storage.sqlite.schema.words import is_erased, word_triggers

TABLES: Final = (
    # content: how much of each class was erased, as JSON.
    """
    CREATE TABLE erasure (
        id INTEGER PRIMARY KEY,
        ticket_id INTEGER NOT NULL UNIQUE REFERENCES ticket (id),
        agent_id INTEGER NOT NULL REFERENCES agent (id),
        reason TEXT NOT NULL CHECK (reason <> ''),
        content TEXT NOT NULL,
        erased_at INTEGER NOT NULL
    ) STRICT
    """,
    # erasure_done: from then on the files hold no trace of what was erased.
    """
    CREATE TABLE erasure_done (
        erasure_id INTEGER PRIMARY KEY REFERENCES erasure (id),
        done_at INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE legal_hold (
        id INTEGER PRIMARY KEY,
        ticket_id INTEGER NOT NULL REFERENCES ticket (id),
        agent_id INTEGER NOT NULL REFERENCES agent (id),
        held INTEGER NOT NULL CHECK (held IN (0, 1)),
        reason TEXT NOT NULL CHECK (reason <> ''),
        set_at INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX legal_hold_ticket ON legal_hold (ticket_id, id)",
    "CREATE INDEX ticket_source_raw ON ticket_source (raw_source_id)",
)

LOG_KEYS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "erasure": (("id",), ("ticket_id",)),
    "erasure_done": (("erasure_id",),),
    "legal_hold": (("id",),),
}
"""The logs with their unique keys."""

_HELD: Final = "coalesce((SELECT held FROM legal_hold WHERE ticket_id = NEW.ticket_id ORDER BY id DESC LIMIT 1), 0)"

_GUARDS: Final = {
    "erasure": {
        "held": _HELD,
        "running": "EXISTS (SELECT 1 FROM conversation c JOIN interaction i ON i.conversation_id = c.id"
        " WHERE c.ticket_id = NEW.ticket_id AND NOT EXISTS (SELECT 1 FROM final WHERE interaction_id = i.id))",
        "foreign": "NOT EXISTS (SELECT 1 FROM ticket WHERE id = NEW.ticket_id)",
    },
    "erasure_done": {"foreign": "NOT EXISTS (SELECT 1 FROM erasure WHERE id = NEW.erasure_id)"},
    "legal_hold": {
        "order": f"NEW.held = {_HELD}",
        "erased": is_erased("NEW", "ticket_id"),
        "foreign": "NOT EXISTS (SELECT 1 FROM ticket WHERE id = NEW.ticket_id)",
    },
}


def statements() -> Iterator[str]:
    """Yield what the migration executes."""
    yield from TABLES
    yield from log_triggers(LOG_KEYS, _GUARDS)
    yield from word_triggers(3)
