"""What a file is: by its content where that says so, else by the ending of its name."""

import re
from enum import StrEnum
from pathlib import PurePath
from typing import Final

from storage.importers.eml import is_header_block
from storage.importers.limits import HEAD_BYTES


class MediaType(StrEnum):
    """The formats that are read, and everything else."""

    TEXT = "text/plain"
    MARKDOWN = "text/markdown"
    HTML = "text/html"
    CSV = "text/csv"
    MAIL = "message/rfc822"
    PDF = "application/pdf"
    DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    OTHER = "application/octet-stream"


_ENDINGS: Final = {
    ".md": MediaType.MARKDOWN,
    ".markdown": MediaType.MARKDOWN,
    ".html": MediaType.HTML,
    ".htm": MediaType.HTML,
    ".xhtml": MediaType.HTML,
    ".csv": MediaType.CSV,
    ".tsv": MediaType.CSV,
    ".eml": MediaType.MAIL,
    ".docx": MediaType.DOCX,
}
_PDF_WITHIN: Final = 1_024
_ZIP: Final = b"PK\x03\x04"
_HTML: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html[\s>])", re.I | re.S)
_UNREADABLE: Final = (
    (_ZIP, "it is an archive; unpack it and attach the files inside"),
    (b"\x1f\x8b", "it is an archive; unpack it and attach the files inside"),
    (b"7z\xbc\xaf\x27\x1c", "it is an archive; unpack it and attach the files inside"),
    (b"Rar!", "it is an archive; unpack it and attach the files inside"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "it is an old Office document, or one with a password; save it as PDF"),
    (b"\x89PNG", "it is a picture, and only files with text are read; write what it shows into a message"),
    (b"GIF8", "it is a picture, and only files with text are read; write what it shows into a message"),
    (b"\xff\xd8\xff", "it is a picture, and only files with text are read; write what it shows into a message"),
    (b"SQLite format 3\0", "it is a database; export what you need of it as CSV"),
)
_BINARY: Final = "it is a binary file; text, Markdown, HTML, CSV, PDF, mails (.eml) and Word documents (.docx) are read"
_CONTROLS: Final = bytes({*range(0x09), *range(0x0E, 0x20)} - {0x1B})
_MOST_CONTROLS: Final = 0.005
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")


def recognise(name: str, data: bytes) -> MediaType:
    """Return what a file is; `OTHER` where nothing here reads it."""
    head = data[:HEAD_BYTES]
    ending = PurePath(name).suffix.lower()
    if b"%PDF-" in head[:_PDF_WITHIN]:
        return MediaType.PDF
    if head.startswith(_ZIP):
        return MediaType.DOCX if ending == ".docx" or b"word/" in head else MediaType.OTHER
    if why_unreadable(data):
        return MediaType.OTHER
    by_name = _ENDINGS.get(ending, MediaType.TEXT)
    if by_name is MediaType.DOCX or (by_name is MediaType.MAIL and not is_header_block(head)):
        return MediaType.TEXT
    if by_name is MediaType.TEXT and _HTML.match(head):
        return MediaType.HTML
    return by_name


def why_unreadable(data: bytes) -> str:
    """Say what a file is that holds no text, as a clause; empty for a text."""
    for begin, reason in _UNREADABLE:
        if data.startswith(begin):
            return reason
    head = data[:HEAD_BYTES]
    if head.startswith(_WIDE):
        return ""
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return _BINARY if b"\0" in head or controls > _MOST_CONTROLS * len(head) else ""
