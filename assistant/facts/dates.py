"""Dates as customers write them, read in four languages and written in the language of a reply."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_MONTHS: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ),
    "de": (
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
        "Dezember",
    ),
    "fr": (
        "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
        "décembre",
    ),
    "es": (
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
        "noviembre", "diciembre",
    ),
}  # fmt: skip
_SPELLINGS: Final = {
    "jan": 1, "feb": 2, "fev": 2, "févr": 2, "mar": 3, "maerz": 3, "mär": 3, "apr": 4, "avr": 4, "abr": 4, "jun": 6,
    "jul": 7, "juil": 7, "aug": 8, "ago": 8, "aout": 8, "fevrier": 2, "sep": 9, "sept": 9, "setiembre": 9, "oct": 10,
    "okt": 10, "nov": 11, "dec": 12, "dez": 12, "déc": 12, "dic": 12, "decembre": 12, "jänner": 1, "ene": 1,
    "gennaio": 1, "febbraio": 2, "aprile": 4, "maggio": 5, "giugno": 6, "luglio": 7, "settembre": 9, "ottobre": 10,
    "dicembre": 12, "januari": 1, "februari": 2, "maart": 3, "mei": 5, "juni": 6, "juli": 7, "augustus": 8,
    "augusti": 8, "maj": 5, "janeiro": 1, "fevereiro": 2, "março": 3, "maio": 5, "junho": 6, "julho": 7, "setembro": 9,
    "outubro": 10, "novembro": 11, "dezembro": 12, "januar": 1, "marts": 3, "oktober": 10,
}  # fmt: skip
_NUMBERS: Final = {
    name.casefold(): number for names in _MONTHS.values() for number, name in enumerate(names, start=1)
} | _SPELLINGS
_ALSO_VERBS: Final = frozenset({"may", "march", "mar"})
"""Months that are other words where they are written small and without a year."""
_MONTH_NAMES: Final = "|".join(sorted(map(re.escape, _NUMBERS), key=len, reverse=True))

_ISO = re.compile(r"(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])")
_CJK = re.compile(r"(?<!\d)(?:(\d{4})\s?年\s?)?(\d{1,2})\s?月\s?(\d{1,2})\s?日")
_NUMERIC = re.compile(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?![\d/-]|\.\d)")
_SHORT_YEAR = re.compile(r"(?<![\d./-])(\d{1,2})([./])(\d{1,2})\2(\d{2})(?![\d/-]|\.\d)")
_NO_YEAR = re.compile(r"(?<![\d.,/-])(\d{1,2})\.\s?(\d{1,2})\.(?!\s?\d|\w)")
_DAY_FIRST = re.compile(
    rf"(?<![\d.,-])(\d{{1,2}})(?:st|nd|rd|th|er|º)?\.?(?:\s+(?:of|de))?\s+({_MONTH_NAMES})\b\.?"
    r"(?:,?\s+(?:de\s+|del\s+)?(\d{4}))?(?!\d)",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"\b({_MONTH_NAMES})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?!\.?\d)(?:,?\s+(\d{{4}})(?!\d))?", re.IGNORECASE
)
_RANGE_BEGIN = re.compile(
    r"(?<![\d.,])(\d{1,2})(?:st|nd|rd|th|er)?\.?\s{0,2}(?:[-\u2013]|to|and|or|bis|und|oder|au|et|ou|al|a|y|o)\s{0,2}"
    r"(?:the|zum|den|dem|le|el)?\s?$",
    re.IGNORECASE,
)
"""The first day of "5 to 7 May", right before the second."""


@dataclass(frozen=True, slots=True)
class MentionedDate:
    """A day that a text names; the year is None where the text names none."""

    day: int
    month: int
    year: int | None = None

    def written(self, language: str) -> str:
        """The date in words; English for a language that has no months here."""
        names = _MONTHS.get(language, _MONTHS["en"])
        month = names[self.month - 1]
        match language:
            case "de":
                text, year = f"{self.day}. {month}", f" {self.year}"
            case "fr":
                text, year = f"{'1er' if self.day == 1 else self.day} {month}", f" {self.year}"
            case "es":
                text, year = f"{self.day} de {month}", f" de {self.year}"
            case _:
                text, year = f"{self.day} {month}", f" {self.year}"
        return text if self.year is None else text + year


@dataclass(frozen=True, slots=True)
class DatePlace:
    """A date where a text names it.

    Attributes:
        readings: what it can mean, day before month first; two where a text such as 03/05/2025 leaves that open.
        is_short: it is written without a year or with two digits of one, in numbers alone (3.5., 03/05/25).
    """

    start: int
    end: int
    readings: tuple[MentionedDate, ...]
    is_short: bool = False


def find_dates(text: str, language: str) -> list[MentionedDate]:
    """The dates of a text in the order of their first mention.

    A date such as 03/05/2025 in an English text could be March or May: it is left out.
    """
    day_first = language in ("de", "fr", "es")
    found = [
        place.readings[0]
        for place in date_places(text)
        if not place.is_short and (len(place.readings) == 1 or day_first)
    ]
    return _without_repeats(list(dict.fromkeys(found)))


def date_places(text: str) -> list[DatePlace]:
    """Every date that a text names, in the order of the text, each with all that it can mean."""
    return sorted(_places(text), key=lambda place: place.start)


def _places(text: str) -> Iterator[DatePlace]:
    for match in _ISO.finditer(text):
        yield from _place(match, [(match[3], match[2], match[1])])
    for match in _CJK.finditer(text):
        yield from _place(match, [(match[3], match[2], match[1])])
    for match in _NUMERIC.finditer(text):
        yield from _place(match, _orders(match))
    for match in _SHORT_YEAR.finditer(text):
        yield from _place(match, _orders(match), is_short=True)
    for match in _NO_YEAR.finditer(text):
        yield from _place(match, [(match[1], match[2], None)], is_short=True)
    for match in _DAY_FIRST.finditer(text):
        if match[2] in _ALSO_VERBS and not match[3]:
            continue
        month = str(_NUMBERS[match[2].casefold()])
        yield from _place(match, [(match[1], month, match[3])])
        if begin := _RANGE_BEGIN.search(text, max(0, match.start() - 16), match.start()):
            yield from _place(begin, [(begin[1], month, match[3])], is_short=True)
    for match in _MONTH_FIRST.finditer(text):
        if match[1] in _ALSO_VERBS and not match[3]:
            continue
        yield from _place(match, [(match[2], str(_NUMBERS[match[1].casefold()]), match[3])])


def _orders(match: re.Match[str]) -> list[tuple[str, str, str | None]]:
    """Day before month, and month before day unless there are dots between them."""
    first, separator, second, year = match.groups()
    year = f"20{year}" if len(year) == 2 else year
    return [(first, second, year)] if separator == "." else [(first, second, year), (second, first, year)]


def _place(
    match: re.Match[str], readings: Sequence[tuple[str, str, str | None]], *, is_short: bool = False
) -> Iterator[DatePlace]:
    """The place of a match, with those of its readings that are days; nothing where none is."""
    days = [MentionedDate(int(day), int(month), int(year) if year else None) for day, month, year in readings]
    if real := tuple(dict.fromkeys(day for day in days if _is_day(day))):
        yield DatePlace(match.start(), match.end(), real, is_short)


def _is_day(date: MentionedDate) -> bool:
    longest = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    in_month = 1 <= date.month <= 12 and 1 <= date.day <= longest[date.month - 1]
    return in_month and (date.year is None or 1990 <= date.year <= 2100)


def _without_repeats(dates: list[MentionedDate]) -> list[MentionedDate]:
    """Drop "3 May" where "3 May 2025" is named as well."""
    dated = {(date.day, date.month) for date in dates if date.year is not None}
    return [date for date in dates if date.year is not None or (date.day, date.month) not in dated]
