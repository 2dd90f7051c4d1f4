"""Times as sources write them, to microseconds since 1970 UTC."""

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_tz
from typing import Final

_MICROSECONDS: Final = 1_000_000
_LATEST: Final = 7_258_118_400 * _MICROSECONDS
"""The year 2200: later times are mistakes."""

_NUMBER: Final = re.compile(r"[+-]?\d{1,20}(\.\d{1,20})?")
_ISO: Final = re.compile(r"\d{4}-?\d\d-?\d\d")


@dataclass(frozen=True, slots=True)
class ReadTime:
    """A time, or None, and the repair made or ""."""

    at: int | None
    repair: str = ""


def read_time(value: str | float | None) -> ReadTime:
    """Read ISO 8601, or seconds, milliseconds or microseconds since 1970; without a zone it is UTC."""
    if value is None or value == "":
        return ReadTime(None)
    if isinstance(value, str):
        text = value.strip()[:100]
        if not _NUMBER.fullmatch(text):
            return _from_text(text)
        value = float(text)
    return _plausible(_from_number(value), str(value))


def read_mail_date(value: str) -> ReadTime:
    """Read a mail's Date header."""
    text = " ".join(value[:200].split())
    if not text:
        return ReadTime(None, "it has no date")
    try:
        parts = parsedate_tz(text)
        if parts is None:
            raise ValueError
        year, month, day, hour, minute, second = parts[:6]
        valid = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=UTC)
        at = (calendar.timegm(valid.timetuple()) - (parts[9] or 0)) * _MICROSECONDS
    except (ValueError, TypeError, IndexError, OverflowError):
        return ReadTime(None, f"its date {text[:60]!r} cannot be read")
    return _plausible(at, text)


def _from_number(value: float) -> int:
    """Tell seconds, milliseconds and microseconds apart by size: each reaches a date far beyond this century."""
    size = abs(value)
    if size != size or size == float("inf"):
        return -1
    for unit, below in ((_MICROSECONDS, 1e11), (1_000, 1e14), (1, 1e17)):
        if size < below:
            return round(value * unit)
    return -1


def _from_text(text: str) -> ReadTime:
    if not _ISO.match(text):
        return read_mail_date(text)
    try:
        moment = datetime.fromisoformat(text.removesuffix(" UTC"))
    except ValueError:
        return ReadTime(None, f"the time {text[:60]!r} cannot be read")
    repair = "" if moment.tzinfo else "times without a zone are read as UTC"
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        at = calendar.timegm(moment.utctimetuple()) * _MICROSECONDS + moment.microsecond
    except OverflowError:
        return ReadTime(None, f"the time {text[:60]!r} cannot be right")
    result = _plausible(at, text)
    return result if result.at is None else ReadTime(at, repair)


def _plausible(at: int, shown: str) -> ReadTime:
    if 0 <= at < _LATEST:
        return ReadTime(at)
    return ReadTime(None, f"the time {shown[:60]!r} cannot be right")
