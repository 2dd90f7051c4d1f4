"""Foreign text made safe to show; what is stored and sent is never changed by it.

Every text that came from outside (tickets, names, answers, file names, error messages) passes `display_safe` before it
reaches a widget or the terminal. Controls and bidi controls are shown as visible stand-ins, characters that show
nothing are dropped and counted, and what scripts and emoji need in order to be read is kept.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final
from unicodedata import category

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

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


def display_safe(text: str, *, newlines: bool = True) -> str:
    """Return the text as it may be shown; `newlines=False` puts line breaks and tabs on one line as spaces.

    Controls become control pictures (ESC is shown as ␛) or their number (‹U+009B›), bidi controls and tag characters
    their number or how many they are, lone surrogates U+FFFD. Characters that show nothing (zero-width spaces, soft
    hyphens) are dropped; `hidden_count` counts them. CRLF becomes a newline, tabs stay.
    """
    if _SUSPECT.search(text) is not None:
        text = _KINDS.sub(_stand_in, text)
    if not newlines and ("\n" in text or "\t" in text):
        text = text.replace("\n", " ").replace("\t", " ")
    return text


def hidden_count(text: str) -> int:
    """Count the characters that a plain display would hide or obey: controls, bidi controls, tags, zero-width ones."""
    if _SUSPECT.search(text) is None:
        return 0
    return sum(_hidden_in(match) for match in _KINDS.finditer(text))


def editable(text: str) -> str:
    """Return a text as it may stand in an editor: any line break as a newline, hidden characters left out."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _SUSPECT.search(text) is None:
        return text
    return _KINDS.sub(lambda found: "" if _hidden_in(found) else _stand_in(found), text)


def one_line(text: str, width: int) -> str:
    """Return the text safe, on one line, runs of blanks as one space, at most `width` cells (… where it is cut)."""
    from rich.cells import cell_len, set_cell_size

    line = " ".join(display_safe(text, newlines=False).split())
    if cell_len(line) <= width:
        return line
    return set_cell_size(line, width - 1).rstrip() + "…" if width > 0 else ""


def local_now() -> datetime:
    """The time in the zone of this machine."""
    return datetime.now(UTC).astimezone()


def local_time(micros: int, now: datetime) -> str:
    """Return a time as people write it, as short as `now` (aware) and its time zone allow; "" when out of range.

    "14:05" today, "3 May 14:05" this year, "3 May 2024" before or after.
    """
    try:
        time = (_EPOCH + timedelta(microseconds=micros)).astimezone(now.tzinfo)
    except OverflowError:
        return ""
    day = f"{time.day} {_MONTHS[time.month - 1]}"
    if time.date() == now.date():
        return f"{time:%H:%M}"
    return f"{day} {time:%H:%M}" if time.year == now.year else f"{day} {time.year}"


def _stand_in(match: re.Match[str]) -> str:
    found = match[0]
    match match.lastgroup:
        case "line":
            return "\n"
        case "surrogate":
            return "\ufffd"
        case "control":
            return _picture(ord(found))
        case "mark":
            return f"‹U+{ord(found):04X}›" if len(found) == 1 else f"‹{len(found)} hidden›"
        case "blank":
            return ""
        case _:
            return "" if _hidden_in(match) else found


def _picture(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"‹U+{code:04X}›"


def _hidden_in(match: re.Match[str]) -> int:
    """How many characters of a match are hidden; a joiner or selector that does its proper work is not."""
    match match.lastgroup:
        case "control" | "mark" | "blank":
            return len(match[0])
        case "joiner":
            return 0 if _joins(match) else 1
        case "selector":
            return 0 if _selects(match[0], match.string[max(match.start() - 1, 0) : match.start()]) else 1
        case _:
            return 0


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
