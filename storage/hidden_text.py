"""Which characters of a text a plain display would hide or obey, and which of them do their proper work.

Decided here alone, for what is painted and for what is exported: controls, bidi controls, tags and characters that show
nothing are hidden; the joiners, selectors and tags that scripts, emoji and flags need in order to be read are not.
"""

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Final
from unicodedata import category


class Hidden(StrEnum):
    """What a hidden piece of a text is.

    LINE (a CRLF, or a line or paragraph separator) and SURROGATE only need to be written in another way. CONTROL is one
    control character, MARK a run of bidi controls and tags, BLANK a run of characters that show nothing, and JOINER and
    SELECTOR are one that has nothing to join or to select.
    """

    LINE = "line"
    SURROGATE = "surrogate"
    CONTROL = "control"
    MARK = "mark"
    JOINER = "joiner"
    SELECTOR = "selector"
    BLANK = "blank"


_BIDI: Final = "\u202a-\u202e\u2066-\u2069"
_TAGS: Final = "\U000e0000-\U000e007f"
_JOINERS: Final = "\u200c\u200d"
_SELECTORS: Final = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_BLANK: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u2065\u206a-\u206f"
    "\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0080-\U000e00ff\U000e01f0-\U000e0fff"
)
_ENGLAND_SCOTLAND_WALES: Final = "\U0001f3f4(?:\U000e0067\U000e0062(?:{})\U000e007f)".format(
    "|".join(("\U000e0065\U000e006e\U000e0067", "\U000e0073\U000e0063\U000e0074", "\U000e0077\U000e006c\U000e0073"))
)
_SUSPECT: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029" + _BIDI + _TAGS + _JOINERS + _SELECTORS + _BLANK + "]"
)
_KINDS: Final = re.compile(
    f"(?P<flag>{_ENGLAND_SCOTLAND_WALES})"
    r"|(?P<line>\r\n|[\u2028\u2029])"
    r"|(?P<surrogate>[\ud800-\udfff])"
    r"|(?P<control>[\x00-\x08\x0b-\x1f\x7f-\x9f])"
    f"|(?P<mark>[{_BIDI}{_TAGS}]+)"
    f"|(?P<joiner>[{_JOINERS}])"
    f"|(?P<selector>[{_SELECTORS}])"
    f"|(?P<blank>[{_BLANK}]+)"
)


def replace_hidden(text: str, stand_in: Callable[[Hidden, str], str]) -> str:
    """Return the text with `stand_in(what, piece)` in the place of each hidden piece."""
    if _SUSPECT.search(text) is None:
        return text

    def replaced(match: re.Match[str]) -> str:
        what = _what(match)
        return match[0] if what is None else stand_in(what, match[0])

    return _KINDS.sub(replaced, text)


def hidden_pieces(text: str) -> Iterator[tuple[Hidden, str]]:
    """Yield each hidden piece of a text with what it is."""
    if _SUSPECT.search(text) is None:
        return
    for match in _KINDS.finditer(text):
        what = _what(match)
        if what is not None:
            yield what, match[0]


def picture(control: str) -> str:
    """Return what stands for a control character: its picture (␛ for ESC), else its number (‹U+009B›)."""
    code = ord(control)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else number_of(control)


def number_of(character: str) -> str:
    """Return what stands for a character that cannot be shown: ‹U+202E›."""
    return f"‹U+{ord(character):04X}›"


def _what(match: re.Match[str]) -> Hidden | None:
    """What a match is; None where it does its proper work."""
    match match.lastgroup:
        case "flag" | None:
            return None
        case "joiner" if _joins(match):
            return None
        case "selector" if _selects(match[0], match.string[max(match.start() - 1, 0) : match.start()]):
            return None
        case name:
            return Hidden(name)


def _joins(match: re.Match[str]) -> bool:
    before = match.string[max(match.start() - 2, 0) : match.start()]
    after = match.string[match.end() : match.end() + 1]
    if match[0] == "\u200d" and _is_emoji(before.removesuffix("\ufe0f")[-1:]) and _is_emoji(after):
        return True
    return _is_joining_letter(before[-1:]) and _is_joining_letter(after)


def _is_joining_letter(character: str) -> bool:
    return "\u0600" <= character < "\u2000" and category(character)[0] in "LM"


def _selects(selector: str, before: str) -> bool:
    if before == "" or category(before)[0] in "MCZ":
        return False
    if selector >= "\U000e0100":
        return before >= "\u3400" and before.isalpha()
    return before in "#*0123456789" or before >= "\u00a9"


def _is_emoji(character: str) -> bool:
    return "\u2190" <= character <= "\u2bff" or "\U0001f000" <= character <= "\U0001faff"
