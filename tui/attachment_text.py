"""Attachments in words, the same in the app and on the command line; names and reasons are foreign text."""

from collections.abc import Mapping
from typing import Final

from assistant.plan.files import FileForm
from assistant.plan.plan import Fate, PlannedItem
from storage.attachments.attachment import AttachedFile, Attachment, AttachmentState

FORM_WORDS: Final[Mapping[FileForm, str]] = {
    FileForm.TEXT: "sent whole",
    FileForm.DESCRIPTION: "sent as a description",
    FileForm.PLACEHOLDER: "sent as a placeholder",
}


def state_words(attachment: Attachment) -> str:
    """How far it has come, as a clause."""
    match attachment.state:
        case AttachmentState.PENDING:
            return "being read"
        case AttachmentState.PROCESSED:
            notes = f" ({'; '.join(attachment.notes)})" if attachment.notes else ""
            return f"{attachment.words:,} {'word' if attachment.words == 1 else 'words'}{notes}"
        case AttachmentState.FAILED:
            return f"failed: {attachment.reason}"
        case AttachmentState.WITHDRAWN:
            return "withdrawn, not sent any more"


def state_line(attachment: Attachment) -> str:
    """The file and how far it has come, on one line."""
    return f"{attachment.file.name} · {attachment.file.size} · {state_words(attachment)} · {attachment.id}"


def outcome(attachment: Attachment) -> str:
    """What became of attaching it, as a sentence."""
    if attachment.reason:
        return f"{attachment.file.name} could not be read: {attachment.reason}."
    return f"{attachment.file.name} is attached: {state_words(attachment)}."


def repeated(file: AttachedFile, known: Attachment) -> str:
    """Why a file was not added, as a sentence."""
    name = "" if known.file.name == file.name else f" as {known.file.name}"
    return f"{file.name} is attached here already{name}, with the same content; nothing was added."


def plan_words(item: PlannedItem) -> str:
    """What the next request does with it: the form in which it is sent, or why it is not."""
    if item.form is None:
        return ""
    match item.fate:
        case Fate.SENT:
            return FORM_WORDS[item.form]
        case Fate.CUT:
            return "cut with its turn"
        case Fate.SUMMARISED:
            return "summarised with its turn"
