"""What was learned about models: how their servers count, and how much they take."""

from typing import Final

from sqlite_utils import Database

from storage.errors import NotFoundError, RefusedError
from storage.measures import LearnedWindow, PromptCount

_NEWEST: Final = """
    SELECT number, messages, text_tokens, reported FROM prompt_count
    WHERE base_url = ? AND model = ? AND encoding = ? ORDER BY number DESC LIMIT ?
"""


def add_prompt_count(db: Database, conversation_id: int, request_id: int, encoding: str, count: PromptCount) -> None:
    """Record how a request was counted, once."""
    base_url, model = _asked(db, conversation_id, request_id, "prompt_count")
    (last,) = db.execute(
        "SELECT max(number) FROM prompt_count WHERE base_url = ? AND model = ? AND encoding = ?",
        (base_url, model, encoding),
    ).fetchone()
    db.execute(
        "INSERT INTO prompt_count (request_id, conversation_id, base_url, model, encoding, number, messages,"
        " text_tokens, reported) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (request_id, conversation_id, base_url, model, encoding, (last or 0) + 1, count.messages, count.text_tokens,
         count.reported),
    )  # fmt: skip


def prompt_counts(db: Database, base_url: str, model: str, encoding: str, limit: int) -> tuple[int, list[PromptCount]]:
    """The number of the newest one (0 for none), and the newest so many, oldest first."""
    rows = db.execute(_NEWEST, (base_url, model, encoding, limit)).fetchall()
    counts = [PromptCount(messages, text_tokens, reported) for _, messages, text_tokens, reported in reversed(rows)]
    return (rows[0][0] if rows else 0), counts


def learn_window(db: Database, conversation_id: int, request_id: int, now: int, window: LearnedWindow) -> None:
    """Record what a refused request has taught, once."""
    base_url, model = _asked(db, conversation_id, request_id, "learned_window")
    db.execute(
        "INSERT INTO learned_window (request_id, conversation_id, base_url, model, configured, tokens, is_bound,"
        " learned_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (request_id, conversation_id, base_url, model, window.configured or 0, window.tokens, window.is_bound, now),
    )


def learned_windows(db: Database, base_url: str, model: str) -> list[LearnedWindow]:
    """What was learned of a model, oldest first."""
    rows = db.execute(
        "SELECT tokens, is_bound, configured FROM learned_window WHERE base_url = ? AND model = ? ORDER BY request_id",
        (base_url, model),
    ).fetchall()
    return [LearnedWindow(tokens, bool(is_bound), configured or None) for tokens, is_bound, configured in rows]


def _asked(db: Database, conversation_id: int, request_id: int, table: str) -> tuple[str, str]:
    """The server and model of a request of which the table knows nothing yet."""
    asked: tuple[str, str] | None = db.execute(
        "SELECT base_url, model FROM request WHERE conversation_id = ? AND id = ?", (conversation_id, request_id)
    ).fetchone()
    if asked is None:
        raise NotFoundError(f"There is no request {request_id} in this conversation.")
    if db.execute(f"SELECT 1 FROM {table} WHERE request_id = ?", (request_id,)).fetchone():
        raise RefusedError("What this request has taught is recorded already.")
    return asked
