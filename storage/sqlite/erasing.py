"""Erasing the words of a ticket and of every agent's conversation on it, in one transaction."""

import json
from typing import Final

from sqlite_utils import Database

from storage.chain import canonical_json
from storage.endings import Erasure
from storage.errors import ErasedError, RefusedError
from storage.naming import named_in
from storage.sqlite import search_index, tickets
from storage.sqlite.agents import agent_key
from storage.sqlite.erasures import erasure_of, known_erasure
from storage.sqlite.schema.words import WORD_HOLDERS
from storage.text import storable
from storage.tickets import Role
from storage.values import JsonObject

LONGEST_REASON: Final = 500

_ADDRESS_FIELDS: Final = ("mail", "address", "adresse")
"""What the names of a source's further fields hold where they are the customer's address."""

_SHARED: Final = """
    SELECT DISTINCT t.name FROM ticket_source mine JOIN ticket_source theirs USING (raw_source_id)
        JOIN ticket t ON t.id = theirs.ticket_id
    WHERE mine.ticket_id = ? AND theirs.ticket_id <> mine.ticket_id ORDER BY t.name
"""


def erase(db: Database, ticket_id: str, who: str, reason: str, now: int, *, is_own: bool = False) -> Erasure:
    """Put the erasure on record; a trigger deletes the words with it.

    `is_own` says that the reason is in Ticketree's own words.

    Raises:
        NotFoundError: no such ticket.
        ErasedError: it is erased already.
        RefusedError: a hold is on it, an answer is being written, or the reason may not stay.
    """
    key = tickets.row_id(db, ticket_id)
    if earlier := erasure_of(db, key):
        raise ErasedError(f"Ticket {earlier.ticket_id} is erased already: {earlier.notice}")
    reason = lasting_reason(db, key, reason, is_own=is_own)
    shared_with = tuple(name for (name,) in db.execute(_SHARED, (key,)).fetchall())
    db.execute(
        "INSERT INTO erasure (ticket_id, agent_id, reason, content, erased_at) VALUES (?, ?, ?, ?, ?)",
        (key, agent_key(db, who, now), reason, canonical_json(_content(db, key)), now),
    )
    search_index.renew(db)
    made = known_erasure(db, key)
    return Erasure(
        made.ticket_id, made.agent, made.reason, made.erased_at, made.content, made.pending, shared_with=shared_with
    )


def mark_done(db: Database, keys: list[int], now: int) -> None:
    """Put on record that the files hold no traces of these erasures any more."""
    for key in keys:
        if not db.execute("SELECT 1 FROM erasure_done WHERE erasure_id = ?", (key,)).fetchone():
            db.execute("INSERT INTO erasure_done (erasure_id, done_at) VALUES (?, ?)", (key, now))


def refuse_erased(db: Database, key: int) -> None:
    """Raise ErasedError where the words of a ticket were erased."""
    if erased := erasure_of(db, key):
        raise ErasedError(f"Ticket {erased.ticket_id} takes nothing new: {erased.notice}")


def lasting_reason(db: Database, key: int, reason: str, *, is_own: bool = False) -> str:
    """Return a reason as it will stay in the record; one in Ticketree's own words names nobody.

    Raises:
        RefusedError: it is empty or very long, or names the customer, whose name would stay with it.
    """
    reason = " ".join(storable(reason).split())
    if not reason:
        raise RefusedError("Say why; the reason stays in the record.")
    if len(reason) > LONGEST_REASON:
        raise RefusedError(f"The reason is longer than {LONGEST_REASON} characters; say it in fewer.")
    if not is_own and (named := named_in(reason, _customers(db, key))):
        words = " and ".join(f'"{word}"' for word in named)
        raise RefusedError(f"The reason stays in the record, so leave the customer's name out of it: {words}.")
    return reason


def _customers(db: Database, key: int) -> set[str]:
    """The names and addresses by which the sources of a ticket call its customer."""
    found = {
        author
        for (author,) in db.execute(
            "SELECT DISTINCT author FROM ticket_message WHERE ticket_id = ? AND role = ?", (key, Role.CUSTOMER.value)
        )
    }
    for customer, extra in db.execute("SELECT customer, extra FROM snapshot_words WHERE ticket_id = ?", (key,)):
        found.add(customer)
        more: JsonObject = json.loads(extra)
        found.update(
            value
            for name, value in more.items()
            if isinstance(value, str) and "@" in value and any(part in name.lower() for part in _ADDRESS_FIELDS)
        )
    return found


def _content(db: Database, key: int) -> dict[str, int]:
    """How much of each class there is."""
    counts: dict[str, int] = {}
    for holder in WORD_HOLDERS:
        if holder.what:
            sql = f"SELECT count(*) FROM {holder.table} WHERE {holder.rows_of(':ticket')}"
            counts[holder.what] = db.execute(sql, {"ticket": key}).fetchone()[0]
    return {what: count for what, count in counts.items() if count}
