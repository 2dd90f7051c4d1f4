"""Where an import puts its tickets: the record, or with `--check` a scratch copy of the tickets it touches."""

from collections.abc import Iterable
from dataclasses import replace
from types import TracebackType
from typing import Final, Self

from storage.errors import ErasedError, NotFoundError
from storage.sqlite_store import memory_store
from storage.store import Store
from storage.tickets import IncomingTicket, RawSource, SaveOutcome, Ticket

_SOMEBODY: Final = "agent"
"""Who closed or reopened a ticket does not matter to a check."""


class Shelf:
    """Saves tickets; what a check counts is found by really saving, only elsewhere."""

    def __init__(self, store: Store, *, check: bool) -> None:
        self._store = store
        self._scratch = memory_store(closed_means=store.closed_means) if check else None
        self._copied: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._scratch:
            self._scratch.close()

    def known(self, ticket_id: str) -> Ticket | None:
        """Return the newest snapshot of a ticket, those of this import among them."""
        self._copy(ticket_id)
        return _ticket(self._scratch or self._store, ticket_id)

    def save(self, ticket: IncomingTicket) -> SaveOutcome:
        """Save a ticket; a scratch copy keeps of its sources what they are, not what they say."""
        self._copy(ticket.id)
        if self._scratch:
            if (stored := _ticket(self._store, ticket.id)) and stored.erased:
                raise ErasedError(f"Ticket {ticket.id} takes nothing new: {stored.subject}")
            return self._scratch.save_ticket(
                replace(ticket, sources=_emptied(source.format for source in ticket.sources))
            )
        return self._store.save_ticket(ticket)

    def _copy(self, ticket_id: str) -> None:
        """Bring a ticket's snapshots to the scratch copy, once."""
        if self._scratch is None or ticket_id in self._copied:
            return
        self._copied.add(ticket_id)
        newest = _ticket(self._store, ticket_id)
        if newest is None:
            return
        life = self._store.lifecycle(ticket_id)
        said = life.named_by_source
        for number in range(1, newest.snapshots + 1):
            stored = self._store.ticket(ticket_id, number)
            self._scratch.save_ticket(
                IncomingTicket(
                    id=stored.id,
                    subject=stored.subject,
                    customer=stored.customer,
                    messages=stored.messages,
                    language=stored.language,
                    status=said.status if said else "",
                    created_at=stored.created_at,
                    extra=stored.extra,
                    sources=_emptied(life.formats),
                )
            )
        if life.changes and not life.changes[-1].imported:
            set_closed = self._scratch.close_ticket if life.is_closed else self._scratch.reopen_ticket
            set_closed(ticket_id, _SOMEBODY)


def _emptied(formats: Iterable[str]) -> tuple[RawSource, ...]:
    """Sources that say what they are and nothing else."""
    return tuple(RawSource(each, each, each.encode()) for each in dict.fromkeys(formats))


def _ticket(store: Store, ticket_id: str) -> Ticket | None:
    try:
        return store.ticket(ticket_id)
    except NotFoundError:
        return None
