"""The text of a Word document (.docx): paragraphs and tables of its body, in order."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree

from storage.attachments.limits import MAX_XML_BYTES
from storage.attachments.readers.read_text import ReadText
from storage.errors import ReadingError
from storage.importers.limits import mebibytes

_BODY: Final = "word/document.xml"
_WORD: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_OFF: Final = frozenset({"0", "false", "off"})
_FALLBACK: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, RuntimeError)


def read_docx(data: bytes) -> ReadText:
    """Read a document; text that Word does not show is left out and counted.

    Raises:
        ReadingError: it is no Word document, has a password, unpacks to too much, or is damaged.
    """
    page = _Page()
    try:
        for event, element in ElementTree.iterparse(io.BytesIO(_body(data)), ("start", "end")):
            (page.start if event == "start" else page.end)(element)
    except ElementTree.ParseError as error:
        raise ReadingError(f"the Word document is damaged ({error})") from error
    note = f"hidden pieces of text left out: {page.hidden_count}" if page.hidden_count else ""
    return ReadText("\n".join(page.lines), (note,) if note else ())


def _body(data: bytes) -> bytes:
    """Unpack the body in memory, no more than is bearable."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(_BODY) as member:
            xml = member.read(MAX_XML_BYTES + 1)
    except KeyError:
        raise ReadingError("it is an archive; unpack it and attach the files inside") from None
    except _BROKEN as error:
        raise ReadingError(f"the Word document is damaged ({error})") from error
    if len(xml) > MAX_XML_BYTES:
        raise ReadingError(f"it unpacks to more than {mebibytes(MAX_XML_BYTES)}; attach a part of it")
    if b"<!DOCTYPE" in xml:
        raise ReadingError("it declares XML entities, as no Word document does")
    return xml


class _Page:
    """Lines as they are met; a cell of a table is open while its paragraphs are read."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.hidden_count = 0
        self._rows: list[list[str]] = []
        self._cells: list[list[str]] = []
        self._fallbacks = 0

    def start(self, element: ElementTree.Element) -> None:
        """Begin a row, a cell, or what stands in for a drawing that was read already."""
        match element.tag.removeprefix(_WORD):
            case "tr":
                self._rows.append([])
            case "tc":
                self._cells.append([])
            case tag if tag == _FALLBACK:
                self._fallbacks += 1

    def end(self, element: ElementTree.Element) -> None:
        """Take over what has ended."""
        match element.tag.removeprefix(_WORD):
            case "p":
                if not self._fallbacks:
                    self._add("".join(self._runs(element)))
                element.clear()
            case "tc" if self._rows:
                self._rows[-1].append(" ".join(filter(None, self._cells.pop())))
            case "tr":
                self._add(" | ".join(self._rows.pop()))
                element.clear()
            case tag if tag == _FALLBACK:
                self._fallbacks -= 1

    def _add(self, line: str) -> None:
        (self._cells[-1] if self._cells else self.lines).append(line)

    def _runs(self, paragraph: ElementTree.Element) -> Iterator[str]:
        for run in paragraph.iter(f"{_WORD}r"):
            text = "".join(map(_text, run))
            if _is_hidden(run):
                self.hidden_count += bool(text.strip())
            else:
                yield text


def _text(element: ElementTree.Element) -> str:
    match element.tag.removeprefix(_WORD):
        case "t":
            return element.text or ""
        case "tab":
            return "\t"
        case "br" | "cr":
            return "\n"
        case "noBreakHyphen":
            return "-"
        case _:
            return ""


def _is_hidden(run: ElementTree.Element) -> bool:
    mark = run.find(f"{_WORD}rPr/{_WORD}vanish")
    return mark is not None and mark.get(f"{_WORD}val", "1") not in _OFF
