"""Foreign text in Markdown: it reads as the words that it is, and makes no heading, list, link, picture or HTML."""

import re
from typing import Final

from storage.exporters.printable import on_one_line, printable

_ANYWHERE: Final = re.compile(r"[\\`*_{}\[\]<>#&~|$]")
_AT_LINE_START: Final = re.compile(r"\d+(?=[.)])|(?=[-+=:])")
_INDENT: Final = re.compile(r"[ \t]*")
_NO_BREAK_SPACE: Final = "\u00a0"


def inline(text: str, longest: int = 100) -> str:
    """Return the text on one line, for headings and lists."""
    return _escaped(on_one_line(text, longest))


def quoted(text: str) -> str:
    """Return the text as a block quote, line for line; the quote ends where its lines end, whatever it holds."""
    lines = printable(text).strip("\n").split("\n")
    blank = [not line.strip() for line in lines]
    quote = []
    for line, is_blank, before_blank in zip(lines, blank, [*blank[1:], True], strict=True):
        # A backslash at the end of a line breaks it; a paragraph ends without one.
        quote.append(">" if is_blank else f"> {_line(line)}" + ("" if before_blank else "\\"))
    return "\n".join(quote)


def _line(line: str) -> str:
    """One line; its indent, which would be dropped or make code of it, by spaces that Markdown takes for words."""
    indent = _INDENT.match(line)
    assert indent is not None
    width = len(indent[0].expandtabs(4))
    return _NO_BREAK_SPACE * width + _escaped(line[indent.end() :].rstrip(" \t"))


def _escaped(line: str) -> str:
    line = _ANYWHERE.sub(r"\\\g<0>", line)
    begin = _AT_LINE_START.match(line)
    return line if begin is None else f"{line[: begin.end()]}\\{line[begin.end() :]}"
