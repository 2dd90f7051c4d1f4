"""Foreign text in formats for people: nothing in it can drive a terminal or turn the reading direction."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

_LINE_BREAKS: Final = re.compile("\r\n|[\u2028\u2029]")
_CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff"
    "\U000e0000-\U000e007f]"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def printable(text: str) -> str:
    """Return the text with controls, bidi controls and tags as visible stand-ins (␛, ‹U+202E›), line breaks as LF."""
    return _CONTROLS.sub(_stand_in, _LINE_BREAKS.sub("\n", text))


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


def _stand_in(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return "␡" if code == 0x7F else f"‹U+{code:04X}›"
