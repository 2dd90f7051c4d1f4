"""Foreign text made safe to show; what is stored and sent is never changed by it.

Every text that came from outside (tickets, names, answers, file names, error messages) passes `display_safe` before it
reaches a widget or the terminal. Controls and bidi controls are shown as visible stand-ins, characters that show
nothing are dropped and counted, and what scripts and emoji need in order to be read is kept.
"""

from datetime import UTC, datetime, timedelta
from typing import Final

from storage.hidden_text import Hidden, hidden_pieces, number_of, picture, replace_hidden

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

_UNCOUNTED: Final = (Hidden.LINE, Hidden.SURROGATE)
"""What is only written in another way."""


def display_safe(text: str, *, newlines: bool = True) -> str:
    """Return the text as it may be shown; `newlines=False` puts line breaks and tabs on one line as spaces.

    Controls become control pictures (ESC is shown as ␛) or their number (‹U+009B›), bidi controls and tag characters
    their number or how many they are, lone surrogates U+FFFD. Characters that show nothing (zero-width spaces, soft
    hyphens) are dropped; `hidden_count` counts them. CRLF becomes a newline, tabs stay.
    """
    text = replace_hidden(text, _stand_in)
    if not newlines and ("\n" in text or "\t" in text):
        text = text.replace("\n", " ").replace("\t", " ")
    return text


def hidden_count(text: str) -> int:
    """Count the characters that a plain display would hide or obey: controls, bidi controls, tags, zero-width ones."""
    return sum(len(piece) for what, piece in hidden_pieces(text) if what not in _UNCOUNTED)


def editable(text: str) -> str:
    """Return a text as it may stand in an editor: any line break as a newline, hidden characters left out."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return replace_hidden(text, lambda what, piece: _stand_in(what, piece) if what in _UNCOUNTED else "")


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


def _stand_in(what: Hidden, piece: str) -> str:
    match what:
        case Hidden.LINE:
            return "\n"
        case Hidden.SURROGATE:
            return "\ufffd"
        case Hidden.CONTROL:
            return picture(piece)
        case Hidden.MARK:
            return number_of(piece) if len(piece) == 1 else f"‹{len(piece)} hidden›"
        case _:
            return ""
