"""The end of a ticket's life: closing, holds and erasure."""

from dataclasses import replace

from sqlite_utils import Database

from storage.endings import Erasure, Hold, Lifecycle
from storage.errors import StorageError
from storage.sqlite import closing, conversations, erasing, erasures, lifecycles, tickets
from storage.sqlite.capabilities.part import Part


class Ends(Part):
    """Closing, holding and erasing tickets."""

    def close_ticket(self, ticket_id: str, who: str) -> bool:
        """Close a ticket."""
        return self._set_closed(ticket_id, who, closed=True)

    def reopen_ticket(self, ticket_id: str, who: str) -> bool:
        """Open a closed ticket again."""
        return self._set_closed(ticket_id, who, closed=False)

    def _set_closed(self, ticket_id: str, who: str, *, closed: bool) -> bool:
        means = self.closed_means
        return self._write(lambda db, now: closing.set_closed(db, ticket_id, who, now, means, closed=closed))

    def hold_ticket(self, ticket_id: str, who: str, reason: str) -> None:
        """Put a legal hold on a ticket."""
        self._write(lambda db, now: closing.set_hold(db, ticket_id, who, reason, now, held=True))

    def release_ticket(self, ticket_id: str, who: str, reason: str) -> None:
        """Release the legal hold on a ticket."""
        self._write(lambda db, now: closing.set_hold(db, ticket_id, who, reason, now, held=False))

    def holds(self) -> list[Hold]:
        """Return the legal holds that are not released."""
        return self._read(lifecycles.holds)

    def lifecycles(self) -> list[Lifecycle]:
        """Return how each ticket that is not erased came to its status."""
        return self._read(lambda db: lifecycles.lifecycles(db, self.closed_means))

    def lifecycle(self, ticket_id: str) -> Lifecycle:
        """Return how one ticket came to its status."""
        return self._read(lambda db: lifecycles.lifecycle(db, tickets.row_id(db, ticket_id), self.closed_means))

    def erase(self, ticket_id: str, who: str, reason: str, *, is_own: bool = False) -> Erasure:
        """Erase the words of a ticket and of every agent's conversation on it."""

        def work(db: Database, now: int) -> Erasure:
            conversations.close_crashed(db, self._engine.is_alive, now)
            return erasing.erase(db, ticket_id, who, reason, now, is_own=is_own)

        erasure = self._write(work)
        return replace(erasure, pending=self._finish())

    def erasures(self) -> list[Erasure]:
        """Return all erasures."""
        return self._read(erasures.erasures)

    def finish_erasures(self) -> list[Erasure]:
        """Remove the traces that pending erasures left in the files."""
        pending = self._read(erasures.pending)
        if not pending:
            return []
        left = self._finish()
        return [replace(erasure, pending=left) for erasure in pending.values()]

    def _finish(self) -> str:
        """Scrub the files for all pending erasures; return why traces may be left, "" where none are."""
        keys = list(self._read(erasures.pending))
        try:
            if not self._engine.scrub():
                return erasures.READ_ELSEWHERE
        except StorageError as error:
            return f"{error} {erasures.PENDING}"
        self._write(lambda db, now: erasing.mark_done(db, keys, now))
        return ""
