"""Reading the full-text index: the newest entries that match come first, so a page costs the same in any record."""

from collections.abc import Iterable
from heapq import nlargest
from typing import Final

from sqlite_utils import Database

from storage.errors import QueryError
from storage.kinds import TICKET
from storage.search.hit import Hit
from storage.search.query import Phrase, Query, expression_query, not_understood, plain_query
from storage.search.snippet import snippet
from storage.sqlite import tickets
from storage.sqlite.driver import sqlite3
from storage.sqlite.search_index import TICKETS, of_ticket, scoped, ticket_text
from storage.text import storable

MOST_CONTINUED: Final = 200
"""Up to so many words that begin alike are looked up one by one, newest first; of more, the index reads every entry."""

_SQL_ERROR: Final = 1
_LAST_ID: Final = 2**63 - 1
# Of the labels of a node the last one counts, and a node whose label matches is not listed by its words as well.
# The cross join keeps the index in the lead, which knows the order.
_NEWEST: Final = """
    SELECT search.rowid FROM search CROSS JOIN search_entry e ON e.id = search.rowid
    LEFT JOIN search_entry called ON called.label_id = (
        SELECT max(id) FROM node_label WHERE conversation_id = e.conversation_id AND interaction_id = e.interaction_id
    )
    WHERE search MATCH :match AND search.rowid < :before AND (
        e.id = called.id OR e.label_id IS NULL AND (
            called.id IS NULL OR NOT EXISTS (SELECT 1 FROM search s WHERE s.search MATCH :match AND s.rowid = called.id)
        )
    )
    ORDER BY search.rowid DESC LIMIT :limit
"""
# The agent is asked for once more: a hit of another one's would be worse than none.
_NODE: Final = """
    SELECT t.name, i.id, i.kind, h.author, i.created_at, l.label FROM search_entry e
        JOIN interaction i ON i.id = e.interaction_id JOIN conversation c ON c.id = i.conversation_id
        JOIN heading h ON h.interaction_id = i.id JOIN agent a ON a.id = c.agent_id JOIN ticket t ON t.id = c.ticket_id
        LEFT JOIN node_label l ON l.id = e.label_id
    WHERE e.id = ? AND a.name = ?
"""
_MESSAGE: Final = """
    SELECT t.name, j.snapshot, j.position, m.author, m.created_at, m.text FROM search_entry e
        JOIN ticket t ON t.id = e.ticket_id JOIN ticket_message m ON m.id = e.message_id
        JOIN snapshot_message j ON j.ticket_id = e.ticket_id AND j.message_id = e.message_id
    WHERE e.id = ? ORDER BY j.snapshot DESC LIMIT 1
"""
_SNAPSHOT: Final = """
    SELECT t.name, w.number, w.subject, w.customer, w.created_at FROM search_entry e
        JOIN ticket t ON t.id = e.ticket_id JOIN snapshot_words w ON w.ticket_id = e.ticket_id AND w.number = e.snapshot
    WHERE e.id = ?
"""


def search(
    db: Database,
    agent: str,
    text: str,
    *,
    ticket_id: str | None,
    fts: bool,
    unfinished: bool,
    limit: int,
    before: int | None,
) -> list[Hit]:
    """Find what matches in an agent's conversations and in the tickets, newest first.

    Raises:
        QueryError: the query asks for nothing, for very much, or cannot be read.
        NotFoundError: no such ticket.
    """
    query = expression_query(text) if fts else plain_query(text, unfinished=unfinished)
    only = "" if ticket_id is None else f'"{of_ticket(tickets.row_id(db, ticket_id))}" AND '
    agent, end = storable(agent), _LAST_ID if before is None else before
    known = db.execute("SELECT id FROM agent WHERE name = ?", (agent,)).fetchone() or ()
    found: list[int] = []
    try:
        for scope in (TICKETS, *known):
            match = f"{only}({_match(db, query, scope)})"
            found += (entry for (entry,) in db.execute(_NEWEST, {"match": match, "before": end, "limit": limit}))
    except sqlite3.OperationalError as error:
        if query.expression is not None and getattr(error, "sqlite_errorcode", _SQL_ERROR) == _SQL_ERROR:
            raise QueryError(not_understood(text)) from error
        raise
    hits = (_hit(db, agent, entry, query) for entry in nlargest(limit, found))
    return [hit for hit in hits if hit is not None]


def _match(db: Database, query: Query, scope: int) -> str:
    """The query as FTS5 reads it, for the words of one scope."""
    if query.expression is not None:
        return "".join(part if isinstance(part, str) else _quoted(scope, part.keys) for part in query.expression)
    return " AND ".join(_alternatives(db, scope, phrase) for phrase in query.phrases)


def _alternatives(db: Database, scope: int, phrase: Phrase) -> str:
    """What a phrase may be: itself, or, where it is a beginning, any phrase that goes on like it."""
    if not phrase.is_beginning:
        return _quoted(scope, phrase.keys)
    *others, last = phrase.keys
    known = _continued(db, scope, last)
    if len(known) > MOST_CONTINUED:
        return f"{_quoted(scope, phrase.keys)} *"
    return f"({' OR '.join(_quoted(scope, (*others, key)) for key in known or [last])})"


def _continued(db: Database, scope: int, beginning: str) -> list[str]:
    """The words of a scope that begin like this, at most one more than are looked up one by one."""
    first, found = scoped(scope, beginning), list[str]()
    at = first
    while len(found) <= MOST_CONTINUED:
        row = db.execute("SELECT term FROM search_vocabulary WHERE term >= ? LIMIT 1", (at,)).fetchone()
        if row is None or not row[0].startswith(first):
            break
        found.append(row[0].removeprefix(scoped(scope, "")))
        # Sorts right after the word; the entries of a word are skipped so, however many they are.
        at = f"{row[0]}\x01"
    return found


def _quoted(scope: int, keys: Iterable[str]) -> str:
    """A phrase as FTS5 reads it; a key holds neither quotes nor blanks."""
    return f'"{" ".join(scoped(scope, key) for key in keys)}"'


def _hit(db: Database, agent: str, entry: int, query: Query) -> Hit | None:
    if row := db.execute(_NODE, (entry, agent)).fetchone():
        ticket_id, node_id, kind, author, created_at, label = row
        pieces = db.execute("SELECT text FROM payload WHERE interaction_id = ? ORDER BY piece", (node_id,))
        found = "".join(text for (text,) in pieces) if label is None else label
        shown, matches = snippet(found, query.phrases)
        is_label = label is not None
        return Hit(entry, ticket_id, node_id, None, None, kind, author, created_at, shown, matches, is_label)
    if row := db.execute(_MESSAGE, (entry,)).fetchone():
        ticket_id, number, position, author, created_at, text = row
        shown, matches = snippet(text, query.phrases)
        return Hit(entry, ticket_id, None, number, position, TICKET.name, author, created_at, shown, matches)
    if row := db.execute(_SNAPSHOT, (entry,)).fetchone():
        ticket_id, number, subject, customer, created_at = row
        shown, matches = snippet(ticket_text(ticket_id, subject, customer), query.phrases)
        return Hit(entry, ticket_id, None, number, None, TICKET.name, customer, created_at, shown, matches)
    return None
