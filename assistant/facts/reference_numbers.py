"""Order, invoice and tracking numbers, told from phone numbers, prices and dates by the word before them."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_MARK = (
    r"(?:\s{0,2}(?:n[°ºo.]\.?|no\.?|nr\.?|num(?:ber|éro|ero)?\.?|número|nummer|id|#|:|is|ist|est|es|lautet)"
    r"(?![^\W\d_]|-))"
)
_TOKEN = r"[A-Z]{0,4}[-/]?\d[\dA-Z]*(?:[-/]\d[\dA-Z]*)*"
_NOT_NUMBER = r"(?![\w-]|[.,/]\d|\s*(?:€|\$|£|EUR|USD|GBP|CHF|euros?|%))"


def _labelled(labels: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<!\w)(?:{labels})(?P<marks>{_MARK}{{0,3}})\s{{0,2}}#?\s{{0,2}}(?P<number>{_TOKEN}){_NOT_NUMBER}",
        re.IGNORECASE,
    )


_ORDER: Final = _labelled(
    r"purchase order|order ?numbers?|orders?|bestellnummer|bestellnr\.?|bestell-nr\.?|bestellung(?:en)?|auftragsnummer|"
    r"auftragsnr\.?|auftrag|num[ée]ros? de (?:ma |la )?commande|n[°ºo]\.? de (?:ma |la )?commande|commandes?|"
    r"n[úu]meros? de(?:l| mi)? pedido|n\.?[°ºo] de(?:l| mi)? pedido|pedidos?"
)
_INVOICE: Final = _labelled(
    r"invoice ?number|invoice|rechnungsnummer|rechnungsnr\.?|rechnung|num[ée]ro de (?:la )?facture|"
    r"n[°º]\.? de (?:la )?facture|facture|n[úu]mero de (?:la )?factura|factura"
)
_TRACKING: Final = _labelled(
    r"tracking ?(?:number|code|id)?|sendungsnummer|sendungsnr\.?|sendungsverfolgung|paketnummer|"
    r"(?:num[ée]ro|n[°º]|code) de suivi|suivi|(?:n[úu]mero|c[óo]digo) de seguimiento|seguimiento"
)
_NEXT: Final = re.compile(
    rf"\s{{0,2}}(?:,|&|/|and|or|und|oder|et|ou|y|o)\s{{1,2}}#?(?P<number>{_TOKEN}){_NOT_NUMBER}", re.IGNORECASE
)
"""A further number of the same kind: "orders 48213 and 48299"."""
_HASHED: Final = re.compile(rf"(?<![\w&/])(?P<marks>#)(?P<number>{_TOKEN}){_NOT_NUMBER}")
_POSTAL: Final = re.compile(r"(?<!\w)(1Z[0-9A-Z]{16}|[A-Z]{2}\d{9}[A-Z]{2})(?!\w)")
_DATE_LIKE: Final = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}[/-]\d{1,2}[/-]\d{2,4}")
_LEAST_MARKED: Final = 4
_LEAST_BARE: Final = 5
_LEAST_TRACKING: Final = 8


def marked_places(text: str) -> Iterator[tuple[int, int, str]]:
    """Every number that follows a word for an order, an invoice or tracking, or a #: (start, end, number)."""
    for pattern in (_ORDER, _INVOICE, _TRACKING, _HASHED):
        for first in pattern.finditer(text):
            match: re.Match[str] | None = first
            while match is not None and not _DATE_LIKE.fullmatch(match["number"]):
                yield match.start("number"), match.end("number"), match["number"]
                match = _NEXT.match(text, match.end())


def find_orders(text: str) -> list[str]:
    """Order numbers: after a word for an order, or any number that is written #12345."""
    return _unique([*_numbers(_ORDER, text), *_numbers(_HASHED, text)])


def find_invoices(text: str) -> list[str]:
    """Invoice numbers: after a word for an invoice."""
    return _numbers(_INVOICE, text)


def find_trackings(text: str) -> list[str]:
    """Tracking numbers: after a word for tracking, or in the form that UPS or a postal service gives them."""
    return _unique([*_numbers(_TRACKING, text, least=_LEAST_TRACKING), *_POSTAL.findall(text)])


def _numbers(pattern: re.Pattern[str], text: str, least: int = _LEAST_MARKED) -> list[str]:
    """Numbers with enough digits; more are asked of one that follows its word without "no.", "#" or letters in it."""
    found: list[str] = []
    for first in pattern.finditer(text):
        marked = "#" in first[0] or bool(first["marks"])
        match: re.Match[str] | None = first
        while match is not None and _is_number(match["number"], least, marked=marked):
            found.append(match["number"].upper())
            match = _NEXT.match(text, match.end())
    return _unique(found)


def _is_number(number: str, least: int, *, marked: bool) -> bool:
    digits = sum(character.isdigit() for character in number)
    bare = number.isdigit() and not marked
    return digits >= (max(least, _LEAST_BARE) if bare else least) and not _DATE_LIKE.fullmatch(number)


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))
