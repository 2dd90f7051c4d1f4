"""Reading what was erased, and what is still pending in the files."""

import json
from typing import Final

from sqlite_utils import Database

from storage.endings import Erasure
from storage.errors import UnreadableError
from storage.tickets import ERASED, Role, Ticket, TicketMessage

PENDING: Final = "The files may still hold traces of it; the next start removes them."
READ_ELSEWHERE: Final = f"Another process is reading an older state of the record. {PENDING}"

_SQL: Final = """
    SELECT t.name, a.name, e.reason, e.content, e.erased_at,
        EXISTS (SELECT 1 FROM erasure_done WHERE erasure_id = e.id)
    FROM erasure e JOIN ticket t ON t.id = e.ticket_id JOIN agent a ON a.id = e.agent_id
"""


def erasures(db: Database) -> list[Erasure]:
    """All erasures, oldest first."""
    return [_erasure(row) for row in db.execute(f"{_SQL} ORDER BY e.id").fetchall()]


def erasure_of(db: Database, key: int) -> Erasure | None:
    """The erasure of a ticket, None where its words are there."""
    row = db.execute(f"{_SQL} WHERE e.ticket_id = ?", (key,)).fetchone()
    return _erasure(row) if row else None


def known_erasure(db: Database, key: int) -> Erasure:
    """The erasure of a ticket whose words are not there.

    Raises:
        UnreadableError: it was never erased, so they went in some other way.
    """
    found = erasure_of(db, key)
    if found is None:
        raise UnreadableError(
            "Words are missing from the record that were never erased; `ticketree audit verify` says which."
        )
    return found


def pending(db: Database) -> dict[int, Erasure]:
    """Erasures after which the files may still hold traces, by their keys."""
    keys = db.execute(
        "SELECT id, ticket_id FROM erasure WHERE id NOT IN (SELECT erasure_id FROM erasure_done) ORDER BY id"
    ).fetchall()
    return {key: known_erasure(db, ticket_key) for key, ticket_key in keys}


def erased_ticket(ticket_id: str, number: int, newest: int, erasure: Erasure) -> Ticket:
    """What is shown of an erased snapshot."""
    return Ticket(
        id=ticket_id,
        snapshot=number,
        snapshots=newest,
        subject=erasure.notice,
        customer="",
        language="",
        status=ERASED,
        created_at=None,
        messages=(TicketMessage("", Role.SYSTEM, erasure.notice),),
        digest="",
        erased=True,
    )


def _erasure(row: tuple[str, str, str, str, int, int]) -> Erasure:
    ticket_id, agent, reason, content, erased_at, is_done = row
    return Erasure(ticket_id, agent, reason, erased_at, json.loads(content), "" if is_done else PENDING)
