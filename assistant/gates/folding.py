"""A text with its digits, spaces, dashes and wide letters made plain, and the way back to where each stood."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from assistant.gates.results import Words

_PLAIN: Final = {
    "\u066b": ".", "\u066c": ",", "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-",
    "\u2212": "-", "\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2044": "/", "\u2215": "/", "\u3002": ".",
}  # fmt: skip
_FIRST_WIDE, _LAST_WIDE, _TO_ASCII = 0xFF01, 0xFF5E, 0xFEE0


@dataclass(frozen=True)
class Folded:
    """A text as the rules read it.

    Attributes:
        original: the text as it is.
        text: invisible characters are gone; digits of every script, spaces, dashes, quotes and wide signs are ASCII.
        places: for each character of `text`, where it stands in `original`.
    """

    original: str
    text: str
    places: tuple[int, ...] | range

    def words(self, start: int, end: int) -> Words:
        """The words of the original between two places of the folded text."""
        first, last = self.places[start], self.places[end - 1] + 1
        return Words(first, last, self.original[first:last])


def fold(original: str) -> Folded:
    """Make a text plain; a text that is ASCII already stays as it is."""
    if original.isascii():
        return Folded(original, original, range(len(original)))
    kept = [(place, plain) for place, character in enumerate(original) if (plain := _plain(character))]
    return Folded(original, "".join(plain for _, plain in kept), tuple(place for place, _ in kept))


@lru_cache(maxsize=4_096)
def _plain(character: str) -> str:
    """One character for another, "" for one that is not seen."""
    if character < "\x80":
        return character
    if (digit := unicodedata.decimal(character, None)) is not None:
        return str(digit)
    if (plain := _PLAIN.get(character)) is not None:
        return plain
    if _FIRST_WIDE <= (code := ord(character)) <= _LAST_WIDE:
        return chr(code - _TO_ASCII)
    match unicodedata.category(character):
        case "Zs":
            return " "
        case "Zl" | "Zp":
            return "\n"
        case "Cf":
            return ""
        case _:
            return character
