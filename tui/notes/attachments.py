"""Notes of attached files: how far each has come, and the beginning of what was read."""

from collections.abc import Iterable, Sequence
from typing import Final

from storage.attachments.attachment import Attachment, AttachmentState, attachments_of
from storage.interactions import Interaction
from tui.attachment_text import state_words
from tui.notes.note import Note
from tui.signs import FILE
from tui.tones import MUTED, WARNING

_SHOWN_CHARACTERS: Final = 2_000


def attachment_notes(entries: Sequence[Interaction]) -> Iterable[Note]:
    """One note for each file, with what the next request holds of it."""
    for attachment in attachments_of(entries):
        file = attachment.file
        yield Note(
            FILE,
            f"{file.name} · {file.size} · {state_words(attachment)}",
            WARNING if attachment.state is AttachmentState.FAILED else MUTED,
            _details(attachment),
            attachment.entry_id if attachment.is_sent else None,
        )


def _details(attachment: Attachment) -> tuple[str, ...]:
    text = attachment.text
    if len(text) <= _SHOWN_CHARACTERS:
        return (text,) if text else ()
    rest = len(text) - _SHOWN_CHARACTERS
    more = f"… {rest:,} more characters; `ticketree attachments TICKET --show {attachment.id}` prints them."
    return (text[:_SHOWN_CHARACTERS], more)
