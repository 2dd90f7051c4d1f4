"""Whether words still are what the chain commits to: who wrote an entry, what it says, and how lists show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from storage.audit.hashing import sealed
from storage.audit.rows import ConversationRow, EndRow, EntryRow
from storage.chain import canonical_json
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
    _, _, _, commitment, _, _, _, _, _, _, _, parent_id, _, _, snapshot, _, salt, author, meta = row
    if conversation.erased:
        return "Who wrote it is still there although the ticket was erased."
    if salt is None or author is None or meta is None:
        return "Who wrote it is gone although the ticket was not erased."
    if sealed(salt, meta, author) != commitment:
        return "Who wrote it, or what it was made for, does not fit its commitment: it was changed."
    if snapshot is not None:
        known = snapshots.get((conversation.ticket, snapshot))
        if known is None or known.meta != meta:
            return f"Snapshot {snapshot} of the ticket is gone, or is not the one that was taken in here."
    if parent_id is None and meta != _root_meta(conversation):
        return "The conversation was opened by another agent, or on another ticket, than it is listed under."
    return ""


def _root_meta(conversation: ConversationRow) -> bytes:
    """How the heading of its root names a conversation."""
    named = canonical_json({"agent": conversation.agent, "ticket": conversation.ticket})
    return named.encode()


def content_problem(row: EndRow, entry: EntryRow, conversation: ConversationRow, snapshots: Snapshots) -> str:
    """Say what is wrong with the content of an entry; "" where nothing is."""
    _, _, _, commitment, _, _, _, pieces, _, salt, detail, preview, number, data, more = row
    if conversation.erased:
        return "Words of it are still there although the ticket was erased."
    content = data if number == pieces == 1 and not more else _joined(row)
    if content is None:
        return f"Its content has the pieces {_listed(row)} where its end counts {pieces}."
    if salt is None or detail is None or preview is None:
        return "The seal of its content is gone although the ticket was not erased."
    if sealed(salt, detail, content) != commitment:
        return "Its content, or how it ended, does not fit its commitment: it was changed."
    if not _is_preview(preview, content, entry, conversation, snapshots):
        return "Its preview, which lists show, is not what it says."
    return ""


def _joined(row: EndRow) -> bytes | None:
    """Join the pieces; None where they are not all there."""
    if row.number is None or row.data is None:
        return b"" if row.pieces == 0 else None
    pieces = ((row.number, row.data), *(row.more or ()))
    is_whole = [number for number, _ in pieces] == list(range(1, row.pieces + 1))
    return b"".join(data for _, data in pieces) if is_whole else None


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
    numbers = [] if row.number is None else [row.number, *(number for number, _ in row.more or ())]
    return ", ".join(map(str, numbers[:8])) + (", …" if len(numbers) > 8 else "") if numbers else "none"
