"""Foreign text in formats for people: nothing in it can drive a terminal or turn the reading direction."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from storage.hidden_text import Hidden, number_of, picture, replace_hidden

_NO_CHARACTERS: Final = re.compile("[\ufffe\uffff]")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def printable(text: str) -> str:
    """Return the text with visible stand-ins for all that the app would hide or mark, and line breaks as LF.

    Controls become their pictures (␛); bidi controls, tags and characters that show nothing their numbers (‹U+202E›,
    ‹U+200B›), so that two texts that read the same are the same.
    """
    return _NO_CHARACTERS.sub(lambda match: number_of(match[0]), replace_hidden(text, _stand_in))


def on_one_line(text: str, longest: int = 100) -> str:
    """Return the text printable, on one line, runs of blanks as one space, cut to so many characters."""
    line = " ".join(printable(text).split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def utc(micros: int) -> str:
    """Return a time as people write it, in UTC; a number that is no time of a calendar as it is."""
    try:
        return f"{_EPOCH + timedelta(microseconds=micros):%Y-%m-%d %H:%M:%S} UTC"
    except OverflowError:
        return f"{micros} µs"


def _stand_in(what: Hidden, piece: str) -> str:
    match what:
        case Hidden.LINE:
            return "\n"
        case Hidden.SURROGATE:
            return "\ufffd"
        case Hidden.CONTROL:
            return picture(piece)
        case _:
            return "".join(map(number_of, piece))
