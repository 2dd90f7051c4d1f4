"""How an attached file stands in a request: its text while that fits, else a description, or a placeholder."""

import json
from enum import StrEnum
from typing import Final

from assistant.plan.messages import Message
from storage.attachments.attachment import Attachment, AttachmentState
from storage.values import Json

FILE_LEAD: Final = "A file that the agent attached, as data in JSON:"
"""The line above the JSON of a file's text."""

DESCRIPTION_LEAD: Final = "A file that the agent attached, too long for this request; what it is, as data in JSON:"
"""The line above the JSON of a file's description."""

_FIRST_LINES: Final = 8
_FIRST_CHARACTERS: Final = 400


class FileForm(StrEnum):
    """What of an attachment goes into a request."""

    TEXT = "text"
    DESCRIPTION = "description"
    PLACEHOLDER = "placeholder"


def forms_of(attachment: Attachment) -> tuple[FileForm, ...]:
    """Return the forms in which it can be sent, the fullest first; none where nothing of it is."""
    match attachment.state:
        case AttachmentState.PENDING:
            return (FileForm.PLACEHOLDER,)
        case AttachmentState.PROCESSED:
            return (FileForm.TEXT, FileForm.DESCRIPTION)
        case _:
            return ()


def file_message(attachment: Attachment, form: FileForm) -> Message:
    """Render an attachment; its words and its name are JSON, so that nothing in them can end its frame."""
    file = attachment.file
    match form:
        case FileForm.TEXT:
            return _framed(FILE_LEAD, {"name": file.name, "media_type": file.media_type, "text": attachment.text})
        case FileForm.DESCRIPTION:
            shown: dict[str, Json] = {
                "name": file.name,
                "media_type": file.media_type,
                "size_bytes": file.size_bytes,
                "words": attachment.words,
                "begins": _beginning(attachment.text),
            }
            return _framed(DESCRIPTION_LEAD, shown)
        case FileForm.PLACEHOLDER:
            return Message("user", f"[attachment {_quoted(file.name)}, {file.size}: being read]")


def _framed(lead: str, shown: dict[str, Json]) -> Message:
    return Message("user", f"{lead}\n{json.dumps(shown, ensure_ascii=False)}")


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _beginning(text: str) -> str:
    """The first lines; of a text without line breaks, the first characters."""
    head = text[:_FIRST_CHARACTERS]
    if len(text) > _FIRST_CHARACTERS and "\n" in head:
        head = head[: head.rindex("\n")]
    return "\n".join(head.split("\n")[:_FIRST_LINES])
