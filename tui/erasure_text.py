"""What is said about an erasure: that it is done or pending, and what it cannot reach."""

from pathlib import Path

from storage.endings import Erasure


def done(erasure: Erasure) -> str:
    """Say how an erasure stands."""
    if erasure.pending:
        return f"Erasure pending: the words of {erasure.ticket_id} are gone from the record. {erasure.pending}"
    return f"The words of {erasure.ticket_id} are erased, in the record and in its files."


def finished(erasure: Erasure) -> str:
    """Say at a start what became of an erasure that was pending."""
    if erasure.pending:
        return f"The erasure of {erasure.ticket_id} is still pending. {erasure.pending}"
    return f"The erasure of {erasure.ticket_id}, which was pending, is complete."


def pending(ticket_id: str) -> str:
    """Say that an erasure is not done yet."""
    return (
        f"The erasure of {ticket_id} is pending: its words may still be in the files of the record, until Ticketree "
        "starts again while no other program reads them."
    )


def shared(erasure: Erasure) -> str:
    """Say which tickets keep bytes that this one was read from too; "" where none does."""
    if not erasure.shared_with:
        return ""
    return f"It was read from the same bytes as {', '.join(erasure.shared_with)}; there they stay."


def outside_reach(copies: Path) -> tuple[str, ...]:
    """Name what an erasure cannot reach; `copies` is where copied texts are written without a clipboard."""
    return (
        "backups and other copies of the database",
        "the scroll-back of terminals and the clipboard",
        "the logs of the model's provider, and of servers in between",
        f"files that were exported or imported, and copies in {copies}",
        "the free space of the disk, where deleted files may be found",
        "the reason of the erasure, the ticket's id and the agents' names, which stay in the record",
    )
