"""What the record keeps of the end of a ticket's life: closing, holds and erasures."""

from typing import Protocol

from storage.endings import Erasure, Hold, Lifecycle


class Lifecycles(Protocol):
    """The part of the store that ends tickets. Errors are those of `storage.errors`."""

    def close_ticket(self, ticket_id: str, who: str) -> bool:
        """Close a ticket; tells whether it was not closed already."""

    def reopen_ticket(self, ticket_id: str, who: str) -> bool:
        """Open a closed ticket again; tells whether it was closed."""

    def hold_ticket(self, ticket_id: str, who: str, reason: str) -> None:
        """Put a legal hold on a ticket: nothing of it is erased until the hold is released."""

    def release_ticket(self, ticket_id: str, who: str, reason: str) -> None:
        """Release the legal hold on a ticket."""

    def holds(self) -> list[Hold]:
        """The legal holds that are not released, oldest first."""

    def lifecycle(self, ticket_id: str) -> Lifecycle:
        """How one ticket came to its status, and whether that means closed."""

    def lifecycles(self) -> list[Lifecycle]:
        """How each ticket that is not erased came to its status, by id; `storage.retention` says which are due."""

    def erase(self, ticket_id: str, who: str, reason: str, *, is_own: bool = False) -> Erasure:
        """Erase the words of a ticket and of every agent's conversation on it, all or nothing.

        Trees, edges, times and hashes stay, and say in the place of the words when, by whom and why. The ticket and its
        conversations take nothing new afterwards. `pending` says where traces may be left in the files for now.

        Raises:
            ErasedError: it is erased already.
            TurnRunningError: an answer is still being written in one of the conversations.
            RefusedError: a legal hold is on it, or the reason is empty or names the customer, which `is_own` rules out:
                it is in Ticketree's own words then.
        """

    def erasures(self) -> list[Erasure]:
        """All erasures, oldest first."""

    def finish_erasures(self) -> list[Erasure]:
        """Remove the traces that pending erasures left in the files; returns those, finished or still pending.

        Called at start.
        """
