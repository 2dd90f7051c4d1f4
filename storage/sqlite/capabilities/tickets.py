"""Tickets, and what they were read from."""

from storage.sqlite import saving, tickets
from storage.sqlite.capabilities.part import Part
from storage.tickets import IncomingTicket, SaveOutcome, Ticket, TicketSummary


class Tickets(Part):
    """Saving and reading tickets."""

    def save_ticket(self, ticket: IncomingTicket) -> SaveOutcome:
        """Add a ticket, a snapshot of it, or its new status."""
        return self._write(lambda db, now: saving.save(db, ticket, now, self.closed_means))

    def ticket(self, ticket_id: str, snapshot: int | None = None) -> Ticket:
        """Return one snapshot, by default the newest."""
        return self._read(lambda db: tickets.snapshot(db, ticket_id, snapshot))

    def tickets(self, agent: str, *, status: str | None = None) -> list[TicketSummary]:
        """List the tickets as this agent sees them."""
        return self._read(lambda db: tickets.summaries(db, agent, status, self.closed_means))

    def sources(self, ticket_id: str) -> list[tuple[str, str, bytes]]:
        """Return name, format and bytes of everything that the ticket was read from."""
        return self._read(lambda db: tickets.sources(db, ticket_id))
