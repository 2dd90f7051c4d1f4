"""The table that lists, trees and paths are read from: all that is read of an interaction that has ended, in one row.

Ids count through the whole record, so where many people write, the rows of one conversation lie on as many pages as it
has nodes, in four tables. Here they lie beside each other, copied by the statement that ends an interaction; `audit
verify` compares them with what they were made from, and an erasure takes them away with it.
"""

from collections.abc import Iterator
from typing import Final

from storage.sqlite.schema.guards import log_triggers
from storage.sqlite.schema.words import word_triggers

_COPIED: Final = {
    "conversation_id": "i.conversation_id",
    "external": "i.external",
    "seq": "i.seq",
    "interaction_id": "i.id",
    "parent_id": "i.parent_id",
    "kind": "i.kind",
    "depth": "i.depth",
    "created_at": "i.created_at",
    "replaces_id": "i.replaces_id",
    "author": "h.author",
    "meta": "h.meta",
    "status": "f.status",
    "detail": "s.detail",
    "preview": "s.preview",
}
"""The columns, and what each is a copy of."""

_ENDED: Final = (
    "final f CROSS JOIN interaction i ON i.id = f.interaction_id CROSS JOIN heading h ON h.interaction_id = i.id"
    " CROSS JOIN seal s ON s.interaction_id = i.id"
)
COPY: Final = f"INSERT INTO reading ({', '.join(_COPIED)})\n    SELECT {', '.join(_COPIED.values())}\n    FROM {_ENDED}"
"""Copies all that has ended; a condition may follow."""

TABLES: Final = (
    """
    CREATE TABLE reading (
        conversation_id INTEGER NOT NULL,
        external INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        interaction_id INTEGER NOT NULL,
        parent_id INTEGER,
        kind TEXT NOT NULL,
        depth INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        replaces_id INTEGER,
        author TEXT NOT NULL,
        meta TEXT NOT NULL,
        status TEXT NOT NULL,
        detail TEXT NOT NULL,
        preview TEXT NOT NULL,
        PRIMARY KEY (conversation_id, external, seq)
    ) STRICT, WITHOUT ROWID
    """,
)

LOG_KEYS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {"reading": (("conversation_id", "external", "seq"),)}
"""The logs with their unique keys."""

# Whatever has ended has its row from that moment on, so no other can take its place and nothing else is let in.
_GUARDS: Final = {
    "reading": {
        "foreign": "NOT EXISTS (SELECT 1 FROM final WHERE interaction_id = NEW.interaction_id) OR NOT EXISTS (SELECT 1"
        " FROM interaction WHERE id = NEW.interaction_id AND conversation_id = NEW.conversation_id"
        " AND external = NEW.external AND seq = NEW.seq)",
    },
}

DIFFERENT: Final = f"""
    SELECT f.conversation_id, f.interaction_id FROM {_ENDED}
    LEFT JOIN reading r ON r.conversation_id = i.conversation_id AND r.external = i.external AND r.seq = i.seq
    WHERE {" OR ".join(f"r.{column} IS NOT {origin}" for column, origin in _COPIED.items())}
    UNION ALL
    SELECT r.conversation_id, r.interaction_id FROM reading r
    WHERE NOT EXISTS (SELECT 1 FROM {_ENDED} WHERE f.interaction_id = r.interaction_id
        AND i.conversation_id = r.conversation_id AND i.external = r.external AND i.seq = r.seq)
"""
"""The interactions whose row is missing, is not what it should be, or is that of none: conversation and interaction."""


def statements() -> Iterator[str]:
    """Yield what the migration executes."""
    yield from TABLES
    yield f"{COPY}\n    ORDER BY i.conversation_id, i.external, i.seq"
    yield from log_triggers(LOG_KEYS, _GUARDS)
    yield (
        "CREATE TRIGGER reading_follows AFTER INSERT ON final BEGIN\n"
        f"    {COPY}\n    WHERE f.interaction_id = NEW.interaction_id;\nEND"
    )
    yield from word_triggers(10)
    for table in ("heading", "final", "seal"):
        yield f"DROP INDEX {table}_read"
