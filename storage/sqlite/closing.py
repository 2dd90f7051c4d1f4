"""Closing and reopening tickets, and legal holds: logs beside the words."""

from sqlite_utils import Database

from storage.closed_means import ClosedMeans
from storage.errors import RefusedError
from storage.sqlite import tickets
from storage.sqlite.agents import agent_key
from storage.sqlite.erasing import lasting_reason, refuse_erased
from storage.sqlite.lifecycles import FROM_AGENT, holds, lifecycle
from storage.text import storable
from storage.tickets import CLOSED, OPEN


def set_closed(db: Database, ticket_id: str, who: str, now: int, means: ClosedMeans, *, closed: bool) -> bool:
    """Close or reopen a ticket, whoever closed it; tells whether that changed anything."""
    key = tickets.row_id(db, ticket_id)
    refuse_erased(db, key)
    if lifecycle(db, key, means).is_closed == closed:
        return False
    db.execute(
        "INSERT INTO ticket_status (ticket_id, status, origin, agent_id, set_at) VALUES (?, ?, ?, ?, ?)",
        (key, CLOSED if closed else OPEN, FROM_AGENT, agent_key(db, who, now), now),
    )
    return True


def set_hold(db: Database, ticket_id: str, who: str, reason: str, now: int, *, held: bool) -> None:
    """Put a hold on a ticket, or release it."""
    key = tickets.row_id(db, ticket_id)
    refuse_erased(db, key)
    is_held = any(hold.ticket_id == storable(ticket_id) for hold in holds(db))
    if held and is_held:
        raise RefusedError(f"A legal hold is on ticket {ticket_id} already.")
    if not held and not is_held:
        raise RefusedError(f"No legal hold is on ticket {ticket_id}.")
    db.execute(
        "INSERT INTO legal_hold (ticket_id, agent_id, held, reason, set_at) VALUES (?, ?, ?, ?, ?)",
        (key, agent_key(db, who, now), int(held), lasting_reason(db, key, reason), now),
    )
