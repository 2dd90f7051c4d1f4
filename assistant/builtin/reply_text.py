"""The text of a saved reply: fields to fill in, and parts that are left out where a field is not known.

* `{{order}}` is a field.
* `[[ … ]]` is left out unless every field in it is known.
* `[[ with {{order}} | without ]]` reads as its second half instead of being left out.

Every field but the greeting and the closing stands inside such a part, so that no text can ever show a hole.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

ALWAYS_KNOWN: Final = frozenset({"greeting", "closing"})
"""Fields that may stand outside `[[ … ]]`."""

FACT_FIELDS: Final = frozenset(
    {"customer", "first_name", "order", "invoice", "tracking", "date", "amount", "product", "ticket"}
)
"""Fields that are filled with what the ticket says (`assistant.facts.facts`)."""

_PART = re.compile(r"\[\[(.*?)\]\]", re.DOTALL)
_FIELD = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_BRACKETS = re.compile(r"\[\[|\]\]|\{\{|\}\}")


def fields(text: str) -> frozenset[str]:
    """The names of all fields in a text."""
    return frozenset(_FIELD.findall(text))


def problems(text: str) -> Iterator[tuple[int, str]]:
    """What is wrong with a text, as (line counted from 0, sentence)."""
    bare = _PART.sub(lambda part: _blanked(part[0]), text)
    for mark in _BRACKETS.finditer(_FIELD.sub(lambda field: _blanked(field[0]), bare)):
        yield _line(text, mark.start()), f"{mark[0]!r} has no partner."
    for field in _FIELD.finditer(bare):
        if field[1] not in ALWAYS_KNOWN:
            yield (
                _line(text, field.start()),
                f"{field[0]} stands outside [[ … ]], so that a ticket without it would leave a hole; "
                "put the sentence into [[ … ]].",
            )
    for part in _PART.finditer(text):
        line = _line(text, part.start())
        first, _, second = part[1].partition("|")
        if _BRACKETS.search(_FIELD.sub("", part[1])):
            yield line, "a [[ … ]] cannot hold another one."
        if not fields(first):
            yield line, "a [[ … ]] needs a field in it, else it is never left out."
        if fields(second):
            yield line, "what follows | in a [[ … ]] is used where a field is not known, so it cannot hold a field."
    for field in _FIELD.finditer(text):
        if field[1] not in ALWAYS_KNOWN | FACT_FIELDS:
            known = ", ".join(sorted(ALWAYS_KNOWN | FACT_FIELDS))
            yield _line(text, field.start()), f"{field[0]} is no field that can be filled in; those are: {known}."


def fill(text: str, values: Mapping[str, str]) -> str:
    """Put the values in; a part whose field has no value is left out, and so is a line or paragraph that it empties.

    A value is taken as it is: marks in it are not read again.
    """
    pieces: list[str] = []
    end = 0
    for part in _PART.finditer(text):
        pieces += _with_values(text[end : part.start()], values)
        first, _, second = part[1].partition("|")
        known = all(values.get(name) for name in fields(first))
        pieces += _with_values(first, values) if known else [second]
        end = part.end()
    pieces += _with_values(text[end:], values)
    return _tidy("".join(pieces))


def _with_values(text: str, values: Mapping[str, str]) -> list[str]:
    return [_FIELD.sub(lambda field: values.get(field[1], ""), text)]


def _tidy(text: str) -> str:
    lines = [re.sub(r" {2,}", " ", line).strip() for line in text.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset)
