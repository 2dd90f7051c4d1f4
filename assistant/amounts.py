"""Amounts of money as customers write them, and as the language of a reply writes them."""

import re
from dataclasses import dataclass
from typing import Final

_DASH = r"[-\u2013]"
_NUMBER = rf"\d{{1,3}}(?:[.,' \u00a0\u202f]\d{{3}}){{0,4}}(?:[.,]\d{{2}}|[.,]\s?{_DASH})?|\d+(?:[.,]\d{{2}})?"
_AMOUNT: Final = re.compile(
    rf"(?<![\w.,-])(?:(?P<before>€|\$|£|EUR|USD|GBP|CHF)\s?(?P<first>{_NUMBER})"
    rf"|(?P<second>{_NUMBER})\s?(?P<after>€|\$|£|EUR\b|USD\b|GBP\b|CHF\b|euros?\b))(?!\d)"
)
_CENTS: Final = re.compile(rf"[.,](\d{{2}}|\s?{_DASH})$")
_CURRENCIES: Final = {"EUR": "€", "EURO": "€", "EUROS": "€", "USD": "$", "GBP": "£"}


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


def find_amounts(text: str) -> list[Amount]:
    """The amounts of a text in the order of their first mention, without repeats."""
    found: dict[Amount, None] = {}
    for match in _AMOUNT.finditer(text):
        sign = (match["before"] or match["after"]).upper()
        found[Amount(_cents(match["first"] or match["second"]), _CURRENCIES.get(sign, sign))] = None
    return list(found)


def _cents(number: str) -> int:
    end = _CENTS.search(number)
    whole, cents = (number[: end.start()], end[1]) if end else (number, "0")
    return int(re.sub(r"\D", "", whole)) * 100 + (int(cents) if cents.isdigit() else 0)
