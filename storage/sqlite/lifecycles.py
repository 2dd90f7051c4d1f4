"""Reading how tickets came to their statuses, and the legal holds on them."""

from collections import defaultdict
from typing import Final

from sqlite_utils import Database

from storage.closed_means import ClosedMeans
from storage.endings import Hold, Lifecycle, StatusChange

FROM_AGENT: Final = "agent"
"""The origin of a status that an agent set."""

FROM_CUSTOMER: Final = "customer"
"""The origin of a status that came of the customer's writing again; any other was named by a source."""

_CHANGES: Final = """
    SELECT t.id, t.name, s.status, s.origin, s.set_at FROM ticket_status s JOIN ticket t ON t.id = s.ticket_id
        WHERE {} ORDER BY t.name, s.id
"""

_HOLDS: Final = """
    SELECT t.name, a.name, h.reason, h.set_at FROM legal_hold h
        JOIN ticket t ON t.id = h.ticket_id JOIN agent a ON a.id = h.agent_id
    WHERE h.held = 1 AND h.id = (SELECT max(id) FROM legal_hold WHERE ticket_id = h.ticket_id) AND {} ORDER BY h.id
"""


def holds(db: Database) -> list[Hold]:
    """The holds that are not released, oldest first."""
    return [Hold(*row) for row in db.execute(_HOLDS.format("1")).fetchall()]


def lifecycles(db: Database, means: ClosedMeans) -> list[Lifecycle]:
    """How each ticket that is not erased came to its status, by id."""
    rows = db.execute(_CHANGES.format("t.id NOT IN (SELECT ticket_id FROM erasure)")).fetchall()
    return _lifecycles(rows, formats(db), {hold.ticket_id: hold for hold in holds(db)}, means)


def lifecycle(db: Database, key: int, means: ClosedMeans) -> Lifecycle:
    """How one ticket came to its status."""
    rows = db.execute(_CHANGES.format("t.id = ?"), (key,)).fetchall()
    name: str = db.execute("SELECT name FROM ticket WHERE id = ?", (key,)).fetchone()[0]
    held = {row[0]: Hold(*row) for row in db.execute(_HOLDS.format("h.ticket_id = ?"), (key,)).fetchall()}
    named = db.execute("SELECT DISTINCT format FROM ticket_source WHERE ticket_id = ?", (key,)).fetchall()
    formats_of = {key: frozenset(format_ for (format_,) in named)}
    found = _lifecycles(rows, formats_of, held, means)
    return found[0] if found else Lifecycle(name, formats_of[key], (), held.get(name))


def formats(db: Database) -> dict[int, frozenset[str]]:
    """What the sources of each ticket were, by the keys of the tickets."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for key, format_ in db.execute("SELECT DISTINCT ticket_id, format FROM ticket_source"):
        found[key].add(format_)
    return {key: frozenset(named) for key, named in found.items()}


def _lifecycles(
    rows: list[tuple[int, str, str, str, int]],
    formats_of: dict[int, frozenset[str]],
    held: dict[str, Hold],
    means: ClosedMeans,
) -> list[Lifecycle]:
    changes: defaultdict[tuple[int, str], list[StatusChange]] = defaultdict(list)
    for key, name, status, origin, set_at in rows:
        imported = origin not in (FROM_AGENT, FROM_CUSTOMER)
        closed = means.says_closed(status, formats_of.get(key, ()), imported=imported)
        changes[key, name].append(StatusChange(status, imported, set_at, closed))
    return [
        Lifecycle(name, formats_of.get(key, frozenset()), tuple(found), held.get(name))
        for (key, name), found in changes.items()
    ]
