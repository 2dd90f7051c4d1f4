"""Amounts of money: every one in the reply is one of the ticket, the agent or the handbook, in the same currency."""

import re
from collections.abc import Callable
from typing import Final

from assistant.amounts import Amount, amount_places, cents
from assistant.gates.occurrence import Found, occurs_check
from assistant.gates.rule import Rule

_BARE: Final = re.compile(r"(?<![\w.,-])(?:\d{1,3}(?:[.,' ]\d{3})+|\d+)[.,]\d{2}(?!\w|[.,]\d)")


def find_amounts(text: str) -> list[Found[Amount]]:
    """The amounts of a folded text."""
    return [Found(place.start, place.end, place.amount) for place in amount_places(text)]


def _index(text: str) -> Callable[[Amount], bool]:
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
