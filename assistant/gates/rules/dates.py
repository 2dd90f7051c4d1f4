"""Dates: every day that the reply names is one of the ticket, the agent or the handbook, however it is written."""

from collections.abc import Callable
from typing import Final, TypeAlias

from assistant.facts.dates import MentionedDate, date_places
from assistant.gates.case import GateCase
from assistant.gates.occurrence import Found, occurs_check
from assistant.gates.rule import Rule

Readings: TypeAlias = tuple[MentionedDate, ...]
"""What a date can mean; 03/05/2024 is the third of May or the fifth of March."""


def find_dates(text: str) -> list[Found[Readings]]:
    """The dates of a folded text."""
    return [Found(place.start, place.end, place.readings) for place in date_places(text)]


def _index(text: str, _: GateCase) -> Callable[[Readings], bool]:
    """A date without a year is that day of any year."""
    years: dict[tuple[int, int], set[int | None]] = {}
    for place in date_places(text):
        for date in place.readings:
            years.setdefault((date.day, date.month), set()).add(date.year)

    def stands_there(readings: Readings) -> bool:
        for date in readings:
            there = years.get((date.day, date.month), set())
            if there and (date.year is None or date.year in there or None in there):
                return True
        return False

    return stands_there


RULE: Final = Rule(
    name="dates",
    version=1,
    about="Dates stand in the ticket, your messages, the handbook or the allow-list, in any form or language.",
    check=occurs_check("date", "dates", find_dates, _index),
    parameters={"allow": "dates that may always be named"},
)
