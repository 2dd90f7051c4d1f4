"""Amounts of money: every one in the reply is one of the ticket, the agent or the handbook, in the same currency."""

import re
from collections.abc import Callable
from typing import Final

from assistant.facts.amounts import Amount, amount_places, cents
from assistant.gates.case import GateCase
from assistant.gates.occurrence import Found, occurs_check
from assistant.gates.rule import Rule

_BARE: Final = re.compile(r"(?<![\w.,-])(?:\d{1,3}(?:[.,' ]\d{3})+|\d+)[.,]\d{2}(?!\w|[.,]\d)")

_LIKE: Final = re.compile(r"[€$£¥] ?\d[\d.,']*\d|(?<![\d.,])\d[\d.,']*\d ?(?:[€$£¥]|(?:EUR|USD|GBP|CHF|[Ee]uros?)\b)")
_BROKEN: Final = Amount(-1, "")


def find_amounts(text: str) -> list[Found[Amount]]:
    """The amounts of a folded text; one that is written as no amount is, such as "1.34,00 €", is `_BROKEN`."""
    places = list(amount_places(text))
    found = [Found(place.start, place.end, place.amount) for place in places]
    rest = _blanked(text, [(place.start, place.end) for place in places])
    found += [Found(*match.span(), _BROKEN) for match in _LIKE.finditer(rest)]
    return sorted(found, key=lambda amount: amount.start)


def _index(text: str, _: GateCase) -> Callable[[Amount], bool]:
    """An amount that stands there without any currency, such as in a table, is one of every currency."""
    places = list(amount_places(text))
    named = {place.amount for place in places}
    rest = _blanked(text, [(place.start, place.end) for place in places])
    bare = {cents(match[0]) for match in _BARE.finditer(rest)}
    return lambda amount: amount in named or amount.cents in bare


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


RULE: Final = Rule(
    name="amounts",
    version=1,
    about="Amounts of money stand in the ticket, your messages, the handbook or the allow-list, in their currency.",
    check=occurs_check("amount", "amounts", find_amounts, _index),
    parameters={"allow": "amounts that may always be named, such as the price of a shipment"},
)
