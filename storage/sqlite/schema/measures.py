"""The tables of what was learned about models: numbers without words, which stay when a ticket is erased."""

from collections.abc import Iterator
from typing import Final

from storage.sqlite.schema.guards import log_triggers

TABLES: Final = (
    # number: dense for one encoding of one model at one server, so that the newest ones are found without counting.
    """
    CREATE TABLE prompt_count (
        request_id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL,
        base_url TEXT NOT NULL,
        model TEXT NOT NULL,
        encoding TEXT NOT NULL,
        number INTEGER NOT NULL,
        messages INTEGER NOT NULL CHECK (messages > 0),
        text_tokens INTEGER NOT NULL CHECK (text_tokens > 0),
        reported INTEGER NOT NULL CHECK (reported > 0),
        UNIQUE (base_url, model, encoding, number),
        FOREIGN KEY (conversation_id, request_id) REFERENCES request (conversation_id, id)
    ) STRICT
    """,
    # configured: the window that was configured then, 0 for none.
    """
    CREATE TABLE learned_window (
        request_id INTEGER PRIMARY KEY,
        conversation_id INTEGER NOT NULL,
        base_url TEXT NOT NULL,
        model TEXT NOT NULL,
        configured INTEGER NOT NULL CHECK (configured >= 0),
        tokens INTEGER NOT NULL CHECK (tokens > 0),
        is_bound INTEGER NOT NULL CHECK (is_bound IN (0, 1)),
        learned_at INTEGER NOT NULL,
        FOREIGN KEY (conversation_id, request_id) REFERENCES request (conversation_id, id)
    ) STRICT
    """,
    "CREATE INDEX learned_window_model ON learned_window (base_url, model, request_id)",
)

LOG_KEYS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "prompt_count": (("request_id",), ("base_url", "model", "encoding", "number")),
    "learned_window": (("request_id",),),
}
"""The logs with their unique keys."""

_FOREIGN: Final = (
    "NOT EXISTS (SELECT 1 FROM request WHERE conversation_id = NEW.conversation_id AND id = NEW.request_id"
    " AND base_url = NEW.base_url AND model = NEW.model)"
)
_GUARDS: Final = {
    "prompt_count": {
        "foreign": _FOREIGN,
        "order": "NEW.number <> 1 + coalesce((SELECT max(number) FROM prompt_count WHERE base_url = NEW.base_url"
        " AND model = NEW.model AND encoding = NEW.encoding), 0)",
    },
    "learned_window": {"foreign": _FOREIGN},
}


def statements() -> Iterator[str]:
    """Yield what the migration executes."""
    yield from TABLES
    yield from log_triggers(LOG_KEYS, _GUARDS)
