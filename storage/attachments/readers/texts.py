"""Text, Markdown and CSV, which stay as they are, and HTML as its reader sees it."""

from storage.attachments.media import why_unreadable
from storage.attachments.readers.read_text import ReadText
from storage.errors import ReadingError
from storage.importers.html_text import html_to_text
from storage.importers.texts import byte_order_mark, decode_file, decode_text, html_charset, unified_lines


def read_plain(data: bytes) -> ReadText:
    """Decode a text.

    Raises:
        ReadingError: it is none.
    """
    if reason := why_unreadable(data):
        raise ReadingError(reason)
    text, _, repair = decode_file(data)
    return ReadText(unified_lines(text), (repair,) if repair else ())


def read_html(data: bytes) -> ReadText:
    """Lay a page out as text; what its reader would not see is left out and counted."""
    mark, _ = byte_order_mark(data)
    if mark:
        source, _, repair = decode_file(data)
    else:
        decoded = decode_text(data, html_charset(data))
        source, repair = decoded.text, decoded.repair
    page = html_to_text(source)
    notes = [
        repair,
        f"hidden elements left out: {page.hidden_count}" if page.hidden_count else "",
        "it is very long; only the beginning was read" if page.is_cut else "",
    ]
    return ReadText(page.text, tuple(filter(None, notes)))


def refuse(data: bytes) -> ReadText:
    """Say what a file is that no reader is for.

    Raises:
        ReadingError: always.
    """
    raise ReadingError(why_unreadable(data) or "its format is not known")
