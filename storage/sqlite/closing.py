"""Closing and reopening tickets, and legal holds: logs beside the words."""

from collections import defaultdict
from typing import Final

from sqlite_utils import Database

from storage.endings import Hold, Lifecycle, StatusChange
from storage.errors import RefusedError
from storage.sqlite import tickets
from storage.sqlite.agents import agent_key
from storage.sqlite.erasing import lasting_reason, refuse_erased
from storage.text import storable
from storage.tickets import CLOSED, OPEN

_AGENT: Final = "agent"
"""The origin of a status that an agent set."""

_HOLDS: Final = """
    SELECT t.name, a.name, h.reason, h.set_at FROM legal_hold h
        JOIN ticket t ON t.id = h.ticket_id JOIN agent a ON a.id = h.agent_id
    WHERE h.held = 1 AND h.id = (SELECT max(id) FROM legal_hold WHERE ticket_id = h.ticket_id) ORDER BY h.id
"""


def set_closed(db: Database, ticket_id: str, who: str, now: int, *, closed: bool) -> bool:
    """Close or reopen a ticket; tells whether that changed anything."""
    key = tickets.row_id(db, ticket_id)
    refuse_erased(db, key)
    is_closed = tickets.status_of(db, key) == CLOSED
    if is_closed == closed:
        return False
    db.execute(
        "INSERT INTO ticket_status (ticket_id, status, origin, agent_id, set_at) VALUES (?, ?, ?, ?, ?)",
        (key, CLOSED if closed else OPEN, _AGENT, agent_key(db, who, now), now),
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


def holds(db: Database) -> list[Hold]:
    """The holds that are not released, oldest first."""
    return [Hold(*row) for row in db.execute(_HOLDS).fetchall()]


def lifecycles(db: Database) -> list[Lifecycle]:
    """How each ticket that is not erased came to its status, by id."""
    changes: defaultdict[str, list[StatusChange]] = defaultdict(list)
    for name, status, origin, set_at in db.execute(
        "SELECT t.name, s.status, s.origin, s.set_at FROM ticket_status s JOIN ticket t ON t.id = s.ticket_id"
        " WHERE t.id NOT IN (SELECT ticket_id FROM erasure) ORDER BY t.name, s.id"
    ):
        changes[name].append(StatusChange(status, origin != _AGENT, set_at))
    formats: defaultdict[str, set[str]] = defaultdict(set)
    for name, format_ in db.execute(
        "SELECT DISTINCT t.name, s.format FROM ticket_source s JOIN ticket t ON t.id = s.ticket_id"
    ):
        formats[name].add(format_)
    held = {hold.ticket_id: hold for hold in holds(db)}
    return [Lifecycle(name, frozenset(formats[name]), tuple(found), held.get(name)) for name, found in changes.items()]
