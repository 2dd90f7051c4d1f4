"""Order, invoice and tracking numbers: every one in the reply is one of the ticket, the agent or the handbook."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from assistant.facts.reference_numbers import marked_places
from assistant.gates.case import GateCase
from assistant.gates.occurrence import Found, occurs_check
from assistant.gates.rule import Rule
from assistant.gates.rules.amounts import find_amounts
from assistant.gates.rules.dates import find_dates
from assistant.gates.rules.emails import find_emails
from assistant.gates.rules.ibans import find_ibans
from assistant.gates.rules.phones import find_phones
from assistant.gates.rules.urls import find_urls

_TOKEN: Final = re.compile(r"(?<![^\W_])[^\W_]+(?:[-/_.][^\W_]+)*", re.ASCII)
_TIME: Final = re.compile(r"(?<!\d)\d{1,2}[:.h]\d{2}(?::\d{2})?(?!\w|[.,]\d)", re.IGNORECASE)
_UNITS: Final = (
    r"%|°|(?:[mk]?w|kwh|wh|v|m?ah|[kmgt]b|[mc]?l|[kmµ]?g|[kcm]?m|mm|lb|oz|px|rpm|hz|stück|stk|pcs|uhr|h|x|er)(?!\w)"
)
_UNIT: Final = re.compile(rf" ?(?:{_UNITS})", re.IGNORECASE)
_MEASURE: Final = re.compile(rf"\d+(?:[.,]\d+)?(?:{_UNITS})", re.IGNORECASE)
_RANGE: Final = re.compile(r"(\d{1,3})[-/.](\d{1,3})")
_WIDEST_RANGE: Final = 10
_QUANTITY: Final = re.compile(r"\d{1,3}(?:\.\d{3})+")
_YEARS: Final = re.compile(r"(?:19|20)\d{2}(?:[-/](?:19|20)?\d{2})?")
_CODE: Final = re.compile(r"[A-Z]{1,4}[-/_]?\d{3,}")
_CODE_BEFORE: Final = re.compile(r"(?<![^\W_])[A-Z]{1,4} $")
_FEWEST, _FEWEST_CODE, _FEWEST_MARKED, _FEWEST_GROUPED = 4, 3, 2, 7
_POSTAL: Final = re.compile(r"([A-Z]{2}\d{9})[A-Z]{2}")
"""A number of the postal services; where it is written in groups, its last two letters stand apart."""
_MOST_GROUPS: Final = 8


@dataclass(frozen=True, slots=True)
class Reference:
    """A number as it is compared: in capitals, without signs between its parts.

    Attributes:
        letters: those before the first digit; where one side has none, the rest decides.
        rest: all from the first digit on.
        parts: the numbers that it may be put together of by chance ("48213 48299"); () for one in one piece.
    """

    letters: str
    rest: str
    parts: tuple["Reference", ...] = ()


def find_numbers(text: str) -> list[Found[Reference]]:
    """What in a folded text may be the number of an order, an invoice, a parcel or the like."""
    text = _without_other_kinds(text)
    marked = {start for start, _, number in marked_places(text) if _digits(number) >= _FEWEST_MARKED}
    tokens = [match.span() for match in _TOKEN.finditer(text)]
    found: list[Found[Reference]] = []
    at = 0
    while at < len(tokens):
        group = _group(text, tokens[at : at + _MOST_GROUPS])
        start, end = tokens[at][0], tokens[at + group - 1][1]
        if group > 1 and _digits(text[start:end]) >= _FEWEST_GROUPED:
            parts = tuple(_reference(text[first:last]) for first, last in tokens[at : at + group])
            found.append(Found(start, end, _reference(text[start:end], parts)))
        else:
            group = 1
            end = tokens[at][1]
            if any(start <= place < end for place in marked) or _is_reference(text, start, end):
                parts = tuple(_reference(part) for part in text[start:end].split("/") if _digits(part) >= _FEWEST)
                whole = _reference(
                    text[start:end], parts if len(parts) > 1 and len(parts) == text.count("/", start, end) + 1 else ()
                )
                found.append(Found(start, end, whole))
        at += group
    return found


def _without_other_kinds(text: str) -> str:
    """The text with line breaks in the place of dates, amounts, links and all that has a rule of its own."""
    spans = [
        (found.start, found.end)
        for find in (find_urls, find_emails, find_ibans, find_dates, find_amounts, find_phones)
        for found in find(text)
    ]
    spans += [match.span() for match in _TIME.finditer(text)]
    pieces = list(text)
    for start, end in spans:
        pieces[start:end] = "\n" * (end - start)
    return "".join(pieces)


def _group(text: str, tokens: Sequence[tuple[int, int]]) -> int:
    """How many of these tokens, from the first on, are digits with one space between them."""
    count = 0
    for place, (start, end) in enumerate(tokens):
        if not _digits(text[start:end]) or (place and text[tokens[place - 1][1] : start] != " "):
            break
        count += 1
    return max(count, 1)


def _is_reference(text: str, start: int, end: int) -> bool:
    """A number without a word before it that says what it is; no year, no measure, no "10-14" days."""
    token = text[start:end]
    if _MEASURE.fullmatch(token) or _YEARS.fullmatch(token) or _is_range(token) or _QUANTITY.fullmatch(token):
        return False
    if token.isdigit() and _UNIT.match(text, end):
        return False
    fewest = _FEWEST_CODE if _CODE_BEFORE.search(text, max(0, start - 6), start) else _FEWEST
    return _digits(token) >= fewest or bool(_CODE.fullmatch(token))


def _is_range(token: str) -> bool:
    """Such as "10-14" or "90-120", and not "55-812"."""
    numbers = _RANGE.fullmatch(token)
    return numbers is not None and int(numbers[1]) < int(numbers[2]) <= int(numbers[1]) * _WIDEST_RANGE


def _reference(token: str, parts: tuple[Reference, ...] = ()) -> Reference:
    plain = re.sub(r"[\W_]", "", token).upper()
    letters = re.match(r"[A-Z]*", plain)
    length = letters.end() if letters else 0
    return Reference(plain[:length], plain[length:], parts)


def _index(text: str, _: GateCase) -> Callable[[Reference], bool]:
    """A number stands there when it does so whole: 471 is not in 4711."""
    known: dict[str, set[str]] = {}
    for line in text.splitlines():
        for reference in _references(line):
            known.setdefault(reference.rest, set()).add(reference.letters)

    def is_known(reference: Reference) -> bool:
        letters = known.get(reference.rest)
        return letters is not None and (not reference.letters or reference.letters in letters or "" in letters)

    def stands_there(reference: Reference) -> bool:
        return is_known(reference) or (bool(reference.parts) and all(map(is_known, reference.parts)))

    return stands_there


def _references(line: str) -> Iterator[Reference]:
    """All that can be read as one number in a line: each token, and tokens with one space between them."""
    tokens = [match.span() for match in _TOKEN.finditer(line)]
    for at, (start, end) in enumerate(tokens):
        token = line[start:end]
        if _digits(token):
            yield _reference(token)
            if postal := _POSTAL.fullmatch(token):
                yield _reference(postal[1])
            if "/" in token:
                yield from map(_reference, token.split("/"))
        elif len(token) > 4:
            continue
        for place in range(at + 1, min(at + _MOST_GROUPS, len(tokens))):
            first, last = tokens[place]
            if not _digits(line[first:last]) or line[tokens[place - 1][1] : first] not in (" ", "  ", " - "):
                break
            yield _reference(line[start:last])


def _digits(token: str) -> int:
    return sum(character.isdigit() for character in token)


RULE: Final = Rule(
    name="numbers",
    version=1,
    about="Order, invoice and tracking numbers stand in the ticket, your messages, the handbook or the allow-list.",
    check=occurs_check("number", "numbers", find_numbers, _index),
    parameters={"allow": "numbers that may always be named"},
)
