"""Which reader is for which format; one more format is its reader and a line here."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from storage.attachments.limits import MAX_TEXT_CHARACTERS
from storage.attachments.media import MediaType
from storage.attachments.readers.docx import read_docx
from storage.attachments.readers.mail import read_mail
from storage.attachments.readers.pdf import read_pdf
from storage.attachments.readers.read_text import ReadText
from storage.attachments.readers.texts import read_html, read_plain, refuse
from storage.errors import ReadingError
from storage.text import storable

Reader: TypeAlias = Callable[[bytes], ReadText]
"""Reads the bytes of one file; raises ReadingError where it says why not, and whatever a damaged file causes."""

READERS: Final[Mapping[MediaType, Reader]] = {
    MediaType.TEXT: read_plain,
    MediaType.MARKDOWN: read_plain,
    MediaType.CSV: read_plain,
    MediaType.HTML: read_html,
    MediaType.MAIL: read_mail,
    MediaType.PDF: read_pdf,
    MediaType.DOCX: read_docx,
    MediaType.OTHER: refuse,
}


def read_file(data: bytes, media_type: MediaType) -> ReadText:
    """Read a file, within what one attachment may hold.

    Raises:
        ReadingError: it holds no text or too much, or its reader says why not.
    """
    read = READERS[media_type](data)
    text = storable(read.text).strip()
    if not text:
        raise ReadingError("it holds no text")
    if len(text) > MAX_TEXT_CHARACTERS:
        raise ReadingError(f"it holds more than {MAX_TEXT_CHARACTERS:,} characters of text; attach a part of it")
    return ReadText(text, read.notes)
