"""Dates as customers write them, read in four languages and written in the language of a reply."""

import re
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
}  # fmt: skip
_NUMBERS: Final = {
    name.casefold(): number for names in _MONTHS.values() for number, name in enumerate(names, start=1)
} | _SPELLINGS
_MONTH_NAMES: Final = "|".join(sorted(map(re.escape, _NUMBERS), key=len, reverse=True))

_ISO = re.compile(r"(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])")
_NUMERIC = re.compile(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?![\d/-]|\.\d)")
_DAY_FIRST = re.compile(
    rf"(?<![\d.,-])(\d{{1,2}})(?:st|nd|rd|th|er|º)?\.?(?:\s+(?:of|de))?\s+({_MONTH_NAMES})\b\.?"
    r"(?:,?\s+(?:de\s+|del\s+)?(\d{4}))?(?!\d)",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"\b({_MONTH_NAMES})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?!\.?\d)(?:,?\s+(\d{{4}})(?!\d))?", re.IGNORECASE
)


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


def find_dates(text: str, language: str) -> list[MentionedDate]:
    """The dates of a text in the order of their first mention.

    A date such as 03/05/2025 in an English text could be March or May: it is left out.
    """
    found: dict[MentionedDate, int] = {}
    for match in _ISO.finditer(text):
        _note(found, match.start(), int(match[3]), int(match[2]), int(match[1]))
    for match in _NUMERIC.finditer(text):
        first, second = int(match[1]), int(match[3])
        day_first = language in ("de", "fr", "es") or match[2] == "." or first > 12 or first == second
        if day_first:
            _note(found, match.start(), first, second, int(match[4]))
        elif second > 12:
            _note(found, match.start(), second, first, int(match[4]))
    for match in _DAY_FIRST.finditer(text):
        year = int(match[3]) if match[3] else None
        _note(found, match.start(), int(match[1]), _NUMBERS[match[2].casefold()], year)
    for match in _MONTH_FIRST.finditer(text):
        year = int(match[3]) if match[3] else None
        _note(found, match.start(), int(match[2]), _NUMBERS[match[1].casefold()], year)
    return _without_repeats(sorted(found, key=lambda date: found[date]))


def _note(found: dict[MentionedDate, int], place: int, day: int, month: int, year: int | None) -> None:
    longest = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if 1 <= month <= 12 and 1 <= day <= longest[month - 1] and (year is None or 1990 <= year <= 2100):
        found.setdefault(MentionedDate(day, month, year), place)


def _without_repeats(dates: list[MentionedDate]) -> list[MentionedDate]:
    """Drop "3 May" where "3 May 2025" is named as well."""
    dated = {(date.day, date.month) for date in dates if date.year is not None}
    return [date for date in dates if date.year is not None or (date.day, date.month) not in dated]
