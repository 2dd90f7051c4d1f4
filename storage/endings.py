"""The values of a ticket's end: closed, held, erased; what the record says of it, and nothing of its words."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def day_of(microseconds: int) -> str:
    """Return the UTC day of a time, "?" for one that no calendar reaches."""
    try:
        return (_EPOCH + timedelta(microseconds=microseconds)).date().isoformat()
    except OverflowError:
        return "?"


@dataclass(frozen=True, slots=True)
class Erasure:
    """What is kept of an erasure.

    Attributes:
        reason: as the agent gave it; it stays.
        erased_at: microseconds since 1970 UTC.
        content: how much of each class of content was erased.
        pending: why the files may still hold traces of the words, as a sentence; "" once they do not.
        shared_with: tickets that were read from the same bytes, which therefore stay.
    """

    ticket_id: str
    agent: str
    reason: str
    erased_at: int
    content: Mapping[str, int]
    pending: str = ""
    shared_with: tuple[str, ...] = ()

    @property
    def notice(self) -> str:
        """What stands in the place of everything that was erased."""
        return f"[erased on {day_of(self.erased_at)} by {self.agent}: {self.reason}]"


@dataclass(frozen=True, slots=True)
class Hold:
    """A legal hold: until it is released, nothing of the ticket is erased.

    Attributes:
        set_at: microseconds since 1970 UTC.
    """

    ticket_id: str
    agent: str
    reason: str
    set_at: int


@dataclass(frozen=True, slots=True)
class StatusChange:
    """One entry of a ticket's status log.

    Attributes:
        imported: a source named the status; else an agent closed or reopened the ticket here.
        set_at: when the record learned of it, microseconds since 1970 UTC.
        closed: it means that the ticket is closed.
    """

    status: str
    imported: bool
    set_at: int
    closed: bool


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """How a ticket came to its status.

    Attributes:
        formats: what its sources were: "eml", "csv", …
        changes: its status log, oldest first; once it is erased, without what its sources said.
        hold: the legal hold on it, None where there is none.
    """

    ticket_id: str
    formats: frozenset[str]
    changes: tuple[StatusChange, ...]
    hold: Hold | None = None

    @property
    def is_closed(self) -> bool:
        """The newest status means closed."""
        return bool(self.changes) and self.changes[-1].closed

    @property
    def named_by_source(self) -> StatusChange | None:
        """What a source said last, None where none did."""
        return next((change for change in reversed(self.changes) if change.imported), None)
