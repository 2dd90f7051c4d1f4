"""Filling the full-text index, in the transaction that brings the words into the record.

Each word is indexed with its scope in front, the agent's key or 0 for tickets: the conversations of one agent are other
words than those of all others. So a search reads the entries of its own agent only, however many there are, and no
query whatever can find another agent's. After the words of each entry stands a word for its ticket.
"""

from collections.abc import Iterator
from typing import Final

from sqlite_utils import Database

from storage.search.words import keys

TICKETS: Final = 0
"""The scope of what every agent sees."""


_INDEXED: Final = "SELECT doc FROM search_vocabulary WHERE term >= 't:' AND term < 't;'"
RENEW: Final = (
    "The record itself is not touched by that; `ticketree reindex` writes the index anew, with what it lacks."
)
_FORMAT: Final = 4
"""Of FTS5's tables, as it makes them itself where it is given no other options than ours."""


def scoped(scope: int, key: str) -> str:
    """Return a word as it stands in the index; a key holds no colon."""
    return f"{scope}:{key}"


def of_ticket(ticket_key: int) -> str:
    """Return the word that stands in each entry of a ticket and of the conversations on it."""
    return f"t:{ticket_key}"


def indexed_words(scope: int, ticket_key: int, text: str) -> str:
    """Return what is indexed of a text, "" where it holds no word."""
    found = keys(text)
    if not found:
        return ""
    before = scoped(scope, "")
    return f"{before}{f' {before}'.join(found)} {of_ticket(ticket_key)}"


def ticket_text(name: str, subject: str, customer: str) -> str:
    """Return what a version of a ticket is found by, besides its messages."""
    return f"{name}\n{subject}\n{customer}"


def index_interaction(db: Database, conversation_id: int, interaction_id: int, content: str) -> None:
    """Make the content of an interaction that has ended findable for the agent whose conversation it is."""
    if not content:
        return
    seen = db.execute(
        "SELECT c.agent_id, c.ticket_id FROM interaction i JOIN conversation c ON c.id = i.conversation_id"
        " WHERE i.id = ? AND i.conversation_id = ? AND i.external = 1",
        (interaction_id, conversation_id),
    ).fetchone()
    if seen:
        agent_key, ticket_key = seen
        _add(
            db, ticket_key, indexed_words(agent_key, ticket_key, content), interaction=(conversation_id, interaction_id)
        )


def index_label(db: Database, conversation_id: int, interaction_id: int, label_id: int | None, label: str) -> None:
    """Make a node findable by a label, for the agent whose conversation it is.

    A label that is replaced stays in the index, as in the record; `storage.sqlite.searching` passes over it.
    """
    agent_key, ticket_key = db.execute(
        "SELECT agent_id, ticket_id FROM conversation WHERE id = ?", (conversation_id,)
    ).fetchone()
    if words := indexed_words(agent_key, ticket_key, label):
        entry = db.execute(
            "INSERT INTO search_entry (ticket_id, conversation_id, interaction_id, label_id, words)"
            " VALUES (?, ?, ?, ?, ?)",
            (ticket_key, conversation_id, interaction_id, label_id, words),
        ).lastrowid
        db.execute("INSERT INTO search (rowid, words) VALUES (?, ?)", (entry, words))


def index_snapshot(db: Database, ticket_key: int, number: int, text: str) -> None:
    """Make a version of a ticket findable by its `ticket_text`, unless the version before is by the same."""
    words = indexed_words(TICKETS, ticket_key, text)
    before = db.execute(
        "SELECT words FROM search_entry WHERE ticket_id = ? AND snapshot IS NOT NULL ORDER BY snapshot DESC LIMIT 1",
        (ticket_key,),
    ).fetchone()
    if before != (words,):
        _add(db, ticket_key, words, snapshot=number)


def index_message(db: Database, ticket_key: int, message_id: int, text: str) -> None:
    """Make a message of a ticket findable."""
    _add(db, ticket_key, indexed_words(TICKETS, ticket_key, text), message_id=message_id)


def renew(db: Database) -> int:
    """Write the index anew from its entries, and tell how many those are. Nothing is left in it of those that are gone.

    Taking entries out and optimizing would not do: FTS5 marks what was taken out by its words, and drops the marks only
    where it merges to its topmost level, which it does not always do. With its option secure-delete, the words that
    divide one page of the index from the next stay.
    """
    # Without its format SQLite opens no index, not even to write it anew.
    db.execute("INSERT INTO search_config (k, v) VALUES ('version', ?) ON CONFLICT DO NOTHING", (_FORMAT,))
    db.execute("INSERT INTO search (search) VALUES ('rebuild')")
    entries: int = db.execute("SELECT count(*) FROM search_entry").fetchone()[0]
    return entries


def differences(db: Database) -> Iterator[str]:
    """Say where the index is not that of its entries; each entry ends with the word of its ticket."""
    (missing,) = db.execute(f"SELECT count(*) FROM search_entry WHERE id NOT IN ({_INDEXED})").fetchone()
    if missing:
        yield f"The index of the search lacks {missing:,} entries, so what is there is not found. {RENEW}"
    (foreign,) = db.execute(
        f"SELECT count(*) FROM ({_INDEXED}) WHERE doc NOT IN (SELECT id FROM search_entry)"
    ).fetchone()
    if foreign:
        yield f"The index of the search has {foreign:,} entries too many. {RENEW}"


def fill(db: Database) -> None:
    """Index what is in the record, oldest first."""
    for _, key, number, name, subject, customer in db.execute(
        "SELECT v.added_at, t.id, v.number, t.name, w.subject, w.customer FROM ticket_snapshot v"
        " JOIN ticket t ON t.id = v.ticket_id"
        " JOIN snapshot_words w ON w.ticket_id = v.ticket_id AND w.number = v.number"
        " ORDER BY v.added_at, t.id, v.number"
    ).fetchall():
        index_snapshot(db, key, number, ticket_text(name, subject, customer))
    for key, message_id in db.execute("SELECT ticket_id, id FROM ticket_message ORDER BY id").fetchall():
        (text,) = db.execute("SELECT text FROM ticket_message WHERE id = ?", (message_id,)).fetchone()
        index_message(db, key, message_id, text)
    for conversation_id, interaction_id in db.execute(
        "SELECT conversation_id, interaction_id FROM final ORDER BY ended_at, interaction_id"
    ).fetchall():
        pieces = db.execute("SELECT text FROM payload WHERE interaction_id = ? ORDER BY piece", (interaction_id,))
        index_interaction(db, conversation_id, interaction_id, "".join(text for (text,) in pieces))


def fill_labels(db: Database) -> None:
    """Index the labels that are in the record, oldest first."""
    for label in db.execute("SELECT conversation_id, interaction_id, id, label FROM node_label ORDER BY id").fetchall():
        index_label(db, *label)


def _add(
    db: Database,
    ticket_key: int,
    words: str,
    *,
    interaction: tuple[int, int] | tuple[None, None] = (None, None),
    snapshot: int | None = None,
    message_id: int | None = None,
) -> None:
    if words:
        entry = db.execute(
            "INSERT INTO search_entry (ticket_id, conversation_id, interaction_id, snapshot, message_id, words)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (ticket_key, *interaction, snapshot, message_id, words),
        ).lastrowid
        db.execute("INSERT INTO search (rowid, words) VALUES (?, ?)", (entry, words))
