"""Lines of text as they are laid out from HTML."""

import re
from typing import Final

_SPACE: Final = re.compile(r"[ \t\n\r\f]+")


class Page:
    """The text written so far, line by line."""

    def __init__(self) -> None:
        self.quotes = 0
        self.written = 0
        self.space_wanted = False
        self._blank_quotes = -1
        self._lines: list[str] = []
        self._line: list[str] = []

    def write(self, data: str) -> None:
        """Add words, with white space collapsed as HTML wants it."""
        words = _SPACE.sub(" ", data)
        if words.startswith(" "):
            self.space_wanted = True
        self._put(words.strip(" "))
        if words.endswith(" "):
            self.space_wanted = True

    def write_exactly(self, data: str) -> None:
        """Add text as it is laid out."""
        first, *rest = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._put(first)
        for line in rest:
            self.end_line(always=True)
            self._put(line)

    def _put(self, words: str) -> None:
        if not words:
            return
        if self._blank_quotes >= 0:
            if self._lines and self._lines[-1].strip("> "):
                self._lines.append("> " * min(self._blank_quotes, self.quotes))
            self._blank_quotes = -1
        if self.space_wanted and self._line:
            self._line.append(" ")
        self._line.append(words)
        self.space_wanted = False
        self.written += len(words)

    @property
    def mid_line(self) -> bool:
        """Whether something stands in the line already."""
        return bool(self._line)

    def last_words(self) -> str:
        """Return what was written last in this line."""
        return "".join(self._line[-8:])

    def end_line(self, *, always: bool = False) -> None:
        """Begin a new line, unless this one is empty (`always`: also then)."""
        if self._line or always:
            self._lines.append("> " * self.quotes + "".join(self._line))
        self._line, self.space_wanted = [], False

    def end_paragraph(self) -> None:
        """Begin a new line and let a blank one stand before whatever comes next."""
        self.end_line()
        self._blank_quotes = self.quotes if self._blank_quotes < 0 else min(self._blank_quotes, self.quotes)

    def text(self) -> str:
        """Return everything."""
        self.end_line()
        text = "\n".join(line.rstrip(" ") for line in self._lines)
        return re.sub(r"\n{3,}", "\n\n", text).strip("\n")
