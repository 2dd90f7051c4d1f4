"""The table of what each call took: numbers without words, which stay when a ticket is erased."""

import json
from collections.abc import Iterator
from typing import Final

from sqlite_utils import Database

from storage.sqlite.schema.guards import log_triggers
from storage.sqlite.schema.words import is_erased
from storage.usage import usage_of

TABLES: Final = (
    # call_figures: what `storage.usage.usage_of` read from a response; failed: it ended with an error.
    """
    CREATE TABLE call_figures (
        request_id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL,
        prompt INTEGER NOT NULL CHECK (prompt >= 0),
        cached INTEGER NOT NULL CHECK (cached >= 0),
        cache_write INTEGER NOT NULL CHECK (cache_write >= 0),
        completion INTEGER NOT NULL CHECK (completion >= 0),
        reasoning INTEGER NOT NULL CHECK (reasoning >= 0),
        latency_ms INTEGER NOT NULL,
        failed INTEGER NOT NULL CHECK (failed IN (0, 1)),
        FOREIGN KEY (conversation_id, request_id) REFERENCES request (conversation_id, id)
    ) STRICT
    """,
    # Holds all that is read of a request, so that plans, which are long, need not be passed over.
    "CREATE INDEX request_usage ON request"
    " (conversation_id, sent_at, interaction_id, task, task_version, provider, base_url, model)",
)

LOG_KEYS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {"call_figures": (("request_id",),)}
"""The logs with their unique keys."""

INSERT: Final = (
    "INSERT INTO call_figures (request_id, conversation_id, prompt, cached, cache_write, completion, reasoning,"
    " latency_ms, failed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

_GUARDS: Final = {
    "call_figures": {
        "foreign": "NOT EXISTS (SELECT 1 FROM request WHERE conversation_id = NEW.conversation_id"
        " AND id = NEW.request_id)",
        "erased": is_erased("NEW", "conversation_id"),
    },
}


def statements() -> Iterator[str]:
    """Yield what the migration executes."""
    yield from TABLES
    yield from log_triggers(LOG_KEYS, _GUARDS)


def fill(db: Database) -> None:
    """Take over the figures of the responses that are in the record."""
    found = db.conn.execute("SELECT request_id, conversation_id, usage, latency_ms, error <> '' FROM response")
    for request_id, conversation_id, said, latency_ms, failed in found:
        usage = usage_of(json.loads(said))
        numbers = (usage.prompt, usage.cached, usage.cache_write, usage.completion, usage.reasoning)
        db.execute(INSERT, (request_id, conversation_id, *numbers, latency_ms, failed))
