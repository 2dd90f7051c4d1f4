"""Which tickets have been closed for so long that their words are to be erased: rules, and no clock of its own."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from storage.endings import Hold, Lifecycle

DAY_US: Final = 86_400_000_000


@dataclass(frozen=True, slots=True)
class RetentionRules:
    """How long words are kept.

    Attributes:
        days_after_closing: how long after a ticket's closing became final.
        grace_days_for_reopening: how long after it was closed a ticket may be reopened; then its closing is final.
    """

    days_after_closing: int
    grace_days_for_reopening: int = 0


@dataclass(frozen=True, slots=True)
class Due:
    """A ticket that has been closed for long enough.

    Attributes:
        closed_at, due_at: microseconds since 1970 UTC.
        hold: the legal hold that keeps it all the same.
    """

    ticket_id: str
    closed_at: int
    due_at: int
    hold: Hold | None


def due_tickets(lifecycles: Iterable[Lifecycle], rules: RetentionRules, now: int) -> list[Due]:
    """Return the tickets that are due at a time, the longest due first."""
    kept_us = (rules.grace_days_for_reopening + rules.days_after_closing) * DAY_US
    found = []
    for ticket in lifecycles:
        closed_at = closed_since(ticket)
        if closed_at is not None and closed_at + kept_us <= now:
            found.append(Due(ticket.ticket_id, closed_at, closed_at + kept_us, ticket.hold))
    return sorted(found, key=lambda due: (due.due_at, due.ticket_id))


def closed_since(ticket: Lifecycle) -> int | None:
    """Return when a ticket was closed for good, None while it is open.

    A clock that once went backwards makes no ticket older: each time counts as no earlier than the ones before it.
    """
    since: int | None = None
    latest: int | None = None
    for change in ticket.changes:
        latest = change.set_at if latest is None else max(latest, change.set_at)
        if not change.closed:
            since = None
        elif since is None:
            since = latest
    return since
