"""The tables of where imported nodes come from: which chat of which program, and which node of it.

They hold digests instead of names, so no words: they stay when a ticket is erased, and a chat that is imported again
then is known, and refused, instead of coming back.
"""

from collections.abc import Iterator
from typing import Final

from storage.sqlite.schema.guards import log_triggers
from storage.sqlite.schema.words import is_erased

TABLES: Final = (
    # key: of the program and the chat's own id, see storage.chats.
    """
    CREATE TABLE imported_chat (
        id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL REFERENCES conversation (id),
        key BLOB NOT NULL,
        imported_at INTEGER NOT NULL,
        UNIQUE (conversation_id, key),
        UNIQUE (conversation_id, id)
    ) STRICT
    """,
    "CREATE INDEX imported_chat_key ON imported_chat (key)",
    # key: of the node's own id. version: 1, and one more for each changed text that came under the same id.
    """
    CREATE TABLE imported_node (
        conversation_id INTEGER NOT NULL,
        chat_id INTEGER NOT NULL,
        key BLOB NOT NULL,
        version INTEGER NOT NULL,
        interaction_id INTEGER NOT NULL,
        PRIMARY KEY (chat_id, key, version),
        FOREIGN KEY (conversation_id, chat_id) REFERENCES imported_chat (conversation_id, id),
        FOREIGN KEY (conversation_id, interaction_id) REFERENCES interaction (conversation_id, id)
    ) STRICT, WITHOUT ROWID
    """,
)

LOG_KEYS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "imported_chat": (("id",), ("conversation_id", "key")),
    "imported_node": (("chat_id", "key", "version"),),
}
"""The logs with their unique keys."""

_GUARDS: Final = {
    "imported_chat": {
        "foreign": "NOT EXISTS (SELECT 1 FROM conversation WHERE id = NEW.conversation_id)",
        "erased": is_erased("NEW", "conversation_id"),
    },
    "imported_node": {
        "foreign": "NOT EXISTS (SELECT 1 FROM imported_chat WHERE conversation_id = NEW.conversation_id"
        " AND id = NEW.chat_id) OR NOT EXISTS (SELECT 1 FROM interaction"
        " WHERE conversation_id = NEW.conversation_id AND id = NEW.interaction_id)",
        "order": "NEW.version <> 1 + coalesce("
        "(SELECT max(version) FROM imported_node WHERE chat_id = NEW.chat_id AND key = NEW.key), 0)",
        "erased": is_erased("NEW", "conversation_id"),
    },
}


def statements() -> Iterator[str]:
    """Yield what the migration executes."""
    yield from TABLES
    yield from log_triggers(LOG_KEYS, _GUARDS)
