"""Whether words still are what the chain commits to: who wrote an entry, what it says, and how lists show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from storage.audit.hashing import sealed
from storage.audit.rows import ConversationRow, EndRow, EntryRow
from storage.text import PREVIEW_LENGTH, preview_of

_LONGEST_PREVIEW_BYTES: Final = 4 * PREVIEW_LENGTH


@dataclass(frozen=True, slots=True)
class KnownSnapshot:
    """What the node of a snapshot must say.

    Attributes:
        meta: how its heading names the snapshot.
        preview: what lists show for it.
    """

    meta: bytes
    preview: bytes


Snapshots: TypeAlias = Mapping[tuple[str, int], KnownSnapshot]
"""By ticket and number; those whose words are there."""


def is_heading_gone(row: EntryRow) -> bool:
    """Nothing is left of who wrote an entry."""
    return row.salt is None


def is_seal_gone(row: EndRow) -> bool:
    """Nothing is left of what an entry said."""
    return row.salt is None and row.number is None


def heading_problem(row: EntryRow, conversation: ConversationRow, snapshots: Snapshots) -> str:
    """Say what is wrong with the heading of an entry; "" where nothing is."""
    if conversation.erased:
        return "Who wrote it is still there although the ticket was erased."
    if row.salt is None or row.author is None or row.meta is None:
        return "Who wrote it is gone although the ticket was not erased."
    if sealed(row.salt, row.meta, row.author) != row.commitment:
        return "Who wrote it, or what it was made for, does not fit its commitment: it was changed."
    if row.snapshot is not None:
        known = snapshots.get((conversation.ticket, row.snapshot))
        if known is None or known.meta != row.meta:
            return f"Snapshot {row.snapshot} of the ticket is gone, or is not the one that was taken in here."
    return ""


def content_problem(row: EndRow, entry: EntryRow, conversation: ConversationRow, snapshots: Snapshots) -> str:
    """Say what is wrong with the content of an entry; "" where nothing is."""
    if conversation.erased:
        return "Words of it are still there although the ticket was erased."
    content = _content(row)
    if content is None:
        return f"Its content has the pieces {_listed(row)} where its end counts {row.pieces}."
    if row.salt is None or row.detail is None or row.preview is None:
        return "The seal of its content is gone although the ticket was not erased."
    if sealed(row.salt, row.detail, content) != row.commitment:
        return "Its content, or how it ended, does not fit its commitment: it was changed."
    if not _is_preview(row.preview, content, entry, conversation, snapshots):
        return "Its preview, which lists show, is not what it says."
    return ""


def _content(row: EndRow) -> bytes | None:
    """Join the pieces; None where they are not all there."""
    if row.number is None or row.data is None:
        return b"" if row.pieces == 0 else None
    if not row.more:
        return row.data if row.number == row.pieces == 1 else None
    is_whole = [row.number, *(number for number, _ in row.more)] == list(range(1, row.pieces + 1))
    return b"".join((row.data, *(data for _, data in row.more))) if is_whole else None


def _is_preview(
    shown: bytes, content: bytes, entry: EntryRow, conversation: ConversationRow, snapshots: Snapshots
) -> bool:
    if entry.snapshot is not None:
        known = snapshots.get((conversation.ticket, entry.snapshot))
        return known is not None and shown == known.preview
    if len(content) <= PREVIEW_LENGTH:
        return shown == content
    if len(shown) == PREVIEW_LENGTH and shown.isascii():
        return content.startswith(shown)
    return shown == preview_of(content[:_LONGEST_PREVIEW_BYTES].decode("utf-8", "ignore")).encode()


def _listed(row: EndRow) -> str:
    numbers = [] if row.number is None else [row.number, *(number for number, _ in row.more)]
    return ", ".join(map(str, numbers[:8])) + (", …" if len(numbers) > 8 else "") if numbers else "none"
