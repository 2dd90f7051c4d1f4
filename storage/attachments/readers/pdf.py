"""The text of a PDF document, by pypdf, which the extra `pdf` brings."""

import io
from typing import Final

from storage.attachments.limits import MAX_PAGES, MAX_TEXT_CHARACTERS
from storage.attachments.readers.read_text import ReadText
from storage.errors import ReadingError

NOT_INSTALLED: Final = (
    'reading PDF needs pypdf; install it with: pip install "ticketree[pdf]" (in a clone: uv tool install ".[pdf]"), '
    "then attach the file again"
)


def read_pdf(data: bytes) -> ReadText:
    """Read the text of all pages.

    Raises:
        ReadingError: it has a password, too many pages, or no text, or it is damaged.
    """
    try:
        from pypdf import PdfReader
        from pypdf.errors import DependencyError, PyPdfError
    except ModuleNotFoundError:
        raise ReadingError(NOT_INSTALLED) from None
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise ReadingError("it has a password; save a copy without one")
        pages = len(reader.pages)
        if pages > MAX_PAGES:
            raise ReadingError(f"it has {pages:,} pages, and at most {MAX_PAGES} are read; attach a part of it")
        texts: list[str] = []
        characters = 0
        for page in reader.pages:
            texts.append(page.extract_text().strip())
            characters += len(texts[-1])
            if characters > MAX_TEXT_CHARACTERS:
                break
    except DependencyError:
        raise ReadingError("its encryption cannot be undone here; save a copy without one") from None
    except PyPdfError as error:
        raise ReadingError(f"the PDF is damaged ({error})") from error
    empty = texts.count("")
    if pages and empty == len(texts):
        raise ReadingError("its pages hold no text, only pictures perhaps; run text recognition (OCR) on it first")
    note = f"pages without text: {empty} of {len(texts)}" if empty else ""
    return ReadText("\n\n".join(filter(None, texts)), (note,) if note else ())
