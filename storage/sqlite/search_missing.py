"""What the full-text index lacks: entries of the record's words that were lost, made anew where they stood.

The id of an entry says when it became findable, and a search lists the newest first. So a lost entry takes an id
between those of its neighbours in time where ids are free there, as they are where entries were lost; else one behind
all.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sqlite_utils import Database

from storage.sqlite.search_index import RENEW, TICKETS, indexed_words, ticket_text

# All that may have words, in the order in which it became findable. What was erased has no rows here.
_FINDABLE: Final = """
    WITH entry AS MATERIALIZED (SELECT id, ticket_id, interaction_id, snapshot, message_id, label_id FROM search_entry)
    SELECT v.added_at AS at, v.ticket_id AS ticket_id, 0 AS place, v.number AS own_id, e.id, NULL AS conversation_id,
        NULL AS interaction_id, v.number AS snapshot, NULL AS message_id, NULL AS label_id
    FROM ticket_snapshot v JOIN snapshot_words USING (ticket_id, number)
        LEFT JOIN entry e ON e.ticket_id = v.ticket_id AND e.snapshot = v.number
    UNION ALL
    SELECT (
            SELECT min(v.added_at) FROM snapshot_message j
            JOIN ticket_snapshot v ON v.ticket_id = j.ticket_id AND v.number = j.snapshot
            WHERE j.ticket_id = m.ticket_id AND j.message_id = m.id
        ), m.ticket_id, 1, m.id, e.id, NULL, NULL, NULL, m.id, NULL
    FROM ticket_message m LEFT JOIN entry e ON e.message_id = m.id
    UNION ALL
    SELECT f.ended_at, c.ticket_id, 2, f.interaction_id, e.id, c.id, f.interaction_id, NULL, NULL, NULL
    FROM final f JOIN interaction i ON i.id = f.interaction_id JOIN conversation c ON c.id = f.conversation_id
        LEFT JOIN entry e ON e.interaction_id = f.interaction_id AND e.label_id IS NULL
    WHERE f.pieces > 0 AND i.external = 1
    UNION ALL
    SELECT l.set_at, c.ticket_id, 3, l.id, e.id, c.id, l.interaction_id, NULL, NULL, l.id
    FROM node_label l JOIN conversation c ON c.id = l.conversation_id LEFT JOIN entry e ON e.label_id = l.id
    ORDER BY at, ticket_id, place, own_id
"""

# Where nothing is missing these take a fraction of the time of the statement above: the columns of an entry that they
# read stand before its words, and they put nothing in order.
_LACKING: Final = (
    """
    SELECT w.ticket_id, NULL, NULL, w.number, NULL, NULL FROM snapshot_words w
    LEFT JOIN snapshot_words b ON b.ticket_id = w.ticket_id AND b.number = w.number - 1
    WHERE (b.number IS NULL OR b.subject <> w.subject OR b.customer <> w.customer)
        AND (w.ticket_id, w.number) NOT IN (SELECT ticket_id, snapshot FROM search_entry WHERE snapshot IS NOT NULL)
    """,
    """
    SELECT ticket_id, NULL, NULL, NULL, id, NULL FROM ticket_message
    WHERE id NOT IN (SELECT message_id FROM search_entry WHERE message_id IS NOT NULL)
    """,
    """
    SELECT c.ticket_id, c.id, f.interaction_id, NULL, NULL, NULL FROM final f
    CROSS JOIN interaction i ON i.id = f.interaction_id CROSS JOIN conversation c ON c.id = f.conversation_id
    WHERE f.interaction_id NOT IN (
        SELECT interaction_id FROM search_entry
        WHERE interaction_id IS NOT NULL AND id NOT IN (SELECT id FROM search_entry WHERE label_id IS NOT NULL)
    ) AND f.pieces > 0 AND i.external = 1
    """,
    """
    SELECT c.ticket_id, c.id, l.interaction_id, NULL, NULL, l.id FROM node_label l
    JOIN conversation c ON c.id = l.conversation_id
    WHERE l.label <> '' AND l.id NOT IN (SELECT label_id FROM search_entry WHERE label_id IS NOT NULL)
    """,
)


class _Lost(NamedTuple):
    """Something without an entry; the keys of what it is are None for all else."""

    ticket_id: int
    conversation_id: int | None
    interaction_id: int | None
    snapshot: int | None
    message_id: int | None
    label_id: int | None


def differences(db: Database) -> Iterator[str]:
    """Say how many entries the record's words should have and have not."""
    found = (_Lost._make(row) for sql in _LACKING for row in db.execute(sql))
    if missing := sum(1 for lost in found if _words(db, lost)):
        yield f"The search has no entry for {missing:,} texts of the record, so they are not found. {RENEW}"


def add_missing(db: Database) -> int:
    """Add the entries that the record's words should have and have not, and tell how many those were.

    The index itself follows when it is written anew (`storage.sqlite.search_index.renew`).
    """
    added = 0
    for lost, after, before in list(_gaps(db)):
        entries = [(thing, words) for thing in lost if (words := _words(db, thing))]
        first = _first_id(db, after, before, len(entries))
        for entry_id, (thing, words) in enumerate(entries, first):
            db.execute(
                "INSERT INTO search_entry (id, ticket_id, conversation_id, interaction_id, snapshot, message_id,"
                " label_id, words) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (entry_id, *thing, words),
            )
        added += len(entries)
    return added


def _gaps(db: Database) -> Iterator[tuple[Sequence[_Lost], int, int | None]]:
    """Yield what has no entry, with the entries that stand before and behind it in time."""
    lost: list[_Lost] = []
    after = 0
    for _, ticket_id, _, _, entry_id, *which in db.execute(_FINDABLE):
        if entry_id is None:
            lost.append(_Lost(ticket_id, *which))
            continue
        if lost:
            yield lost, after, entry_id
            lost = []
        after = entry_id
    if lost:
        yield lost, after, None


def _first_id(db: Database, after: int, before: int | None, count: int) -> int:
    """The first of so many ids that are free in a gap, or behind all entries."""
    if before is not None and before - after > count:
        between = "SELECT 1 FROM search_entry WHERE id > ? AND id < ? LIMIT 1"
        if not db.execute(between, (after, before)).fetchone():
            return after + 1
    (newest,) = db.execute("SELECT coalesce(max(id), 0) FROM search_entry").fetchone()
    return int(newest) + 1


def _words(db: Database, thing: _Lost) -> str:
    """What is indexed of it, "" where it holds no word or is a version of a ticket that only says the same again.

    Words that stand where an erasure took all away are no part of the record either.
    """
    ticket_id, conversation_id, node_id, number, message_id, label_id = thing
    if db.execute("SELECT 1 FROM erasure WHERE ticket_id = ?", (ticket_id,)).fetchone():
        return ""
    if number is not None:
        words = _snapshot_words(db, ticket_id, number)
        return "" if words == _snapshot_words(db, ticket_id, number - 1) else words
    if message_id is not None:
        (text,) = db.execute("SELECT text FROM ticket_message WHERE id = ?", (message_id,)).fetchone()
        return indexed_words(TICKETS, ticket_id, text)
    (agent_id,) = db.execute("SELECT agent_id FROM conversation WHERE id = ?", (conversation_id,)).fetchone()
    if label_id is not None:
        (text,) = db.execute("SELECT label FROM node_label WHERE id = ?", (label_id,)).fetchone()
    else:
        pieces = db.execute("SELECT text FROM payload WHERE interaction_id = ? ORDER BY piece", (node_id,))
        text = "".join(piece for (piece,) in pieces)
    return indexed_words(agent_id, ticket_id, text)


def _snapshot_words(db: Database, ticket_id: int, number: int) -> str:
    row = db.execute(
        "SELECT t.name, w.subject, w.customer FROM snapshot_words w JOIN ticket t ON t.id = w.ticket_id"
        " WHERE w.ticket_id = ? AND w.number = ?",
        (ticket_id, number),
    ).fetchone()
    return indexed_words(TICKETS, ticket_id, ticket_text(*row)) if row else ""
