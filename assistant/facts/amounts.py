"""Amounts of money as customers write them, and as the language of a reply writes them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_DASH = r"[-\u2013]"
_NUMBER = (
    rf"\d{{1,3}}(?:[.,' \u00a0\u202f]\d{{3}}){{1,4}}(?:[.,]\d{{2}}|[.,]\s?{_DASH})?"
    rf"|\d+(?:[.,]\d{{1,2}}|[.,]\s?{_DASH})?"
)
_SIGNS = r"[€$£¥]"
_CODES = r"EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF|JPY|CAD|AUD"
_NAMES = r"[Ee]uros?|[Dd]ollars?|[Dd]ólares|[Pp]ounds?|[Ll]ivres|[Ll]ibras|[Pp]fund|zł|[Kk]r|Fr"
_AMOUNT: Final = re.compile(
    rf"(?<![\w.,-])(?:(?P<before>{_SIGNS}|(?:{_CODES})(?![^\W\d_]))\s?(?P<first>{_NUMBER})"
    rf"|(?P<second>{_NUMBER})\s?(?P<after>{_SIGNS}|(?:{_CODES}|{_NAMES})\b))(?!\d)"
)
_CENTS: Final = re.compile(rf"[.,](\d{{1,2}}|\s?{_DASH})$")
_CURRENCIES: Final = {
    "EUR": "€", "EURO": "€", "EUROS": "€", "USD": "$", "DOLLAR": "$", "DOLLARS": "$", "DÓLARES": "$", "GBP": "£",
    "POUND": "£", "POUNDS": "£", "PFUND": "£", "LIVRES": "£", "LIBRAS": "£", "JPY": "¥", "ZŁ": "PLN", "FR": "CHF",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Amount:
    """A price in cents, with its currency's sign ("€") or code ("CHF")."""

    cents: int
    currency: str

    def written(self, language: str) -> str:
        """The amount as a reader of the language expects it."""
        whole, cents = divmod(self.cents, 100)
        if language == "en":
            number = f"{whole:,}.{cents:02}"
            return f"{self.currency}{' ' if self.currency.isalpha() else ''}{number}"
        thousands = {"fr": "\u202f"}.get(language, ".")
        return f"{whole:,}".replace(",", thousands) + f",{cents:02}\u00a0{self.currency}"


@dataclass(frozen=True, slots=True)
class AmountPlace:
    """An amount where a text names it."""

    start: int
    end: int
    amount: Amount


def find_amounts(text: str) -> list[Amount]:
    """The amounts of a text in the order of their first mention, without repeats."""
    return list(dict.fromkeys(place.amount for place in amount_places(text)))


def amount_places(text: str) -> Iterator[AmountPlace]:
    """Every amount that a text names, in the order of the text."""
    for match in _AMOUNT.finditer(text):
        sign = (match["before"] or match["after"]).upper()
        amount = Amount(cents(match["first"] or match["second"]), _CURRENCIES.get(sign, sign))
        yield AmountPlace(match.start(), match.end(), amount)


def cents(number: str) -> int:
    """The hundredths of a number as it is written, whatever parts its thousands and its fraction."""
    end = _CENTS.search(number)
    whole, part = (number[: end.start()], end[1]) if end else (number, "0")
    return int(re.sub(r"\D", "", whole)) * 100 + (int(part.ljust(2, "0")) if part.isdigit() else 0)
