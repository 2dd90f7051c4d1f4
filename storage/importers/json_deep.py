"""JSON nested more deeply than the standard decoder can follow, read without recursion."""

import json
import re
from dataclasses import dataclass
from typing import Final

from storage.importers.json_values import LenientDecoder, Located
from storage.values import Json

_SPACE: Final = re.compile(r"[ \t\n\r]*")


@dataclass(slots=True)
class _Open:
    """A list or object that has not ended yet, and the name of the member that is being read."""

    value: list[Json] | dict[str, Json]
    name: str = ""

    @property
    def closing(self) -> str:
        return "]" if isinstance(self.value, list) else "}"

    def add(self, value: Json) -> None:
        if isinstance(self.value, list):
            self.value.append(value)
        else:
            self.value[self.name] = value


def decode_deep(decoder: LenientDecoder, text: str, start: int) -> Located:
    """Read the value that begins at a position, however deeply it is nested.

    Raises:
        JSONDecodeError: there is none.
    """
    opened: list[_Open] = []
    at = start
    while True:
        value: Json
        if (sign := text[at : at + 1]) in ("[", "{"):
            new = _Open([] if sign == "[" else {})
            at = _skip(text, at + 1)
            if text[at : at + 1] != new.closing:
                at = _begin_member(decoder, text, at, new)
                opened.append(new)
                continue
            value, at = new.value, at + 1
        else:
            found = decoder.decode(text, at)
            value, at = found.value, found.end
        while True:
            if not opened:
                return Located(value, start, at)
            top = opened[-1]
            top.add(value)
            at = _skip(text, at)
            if text[at : at + 1] == ",":
                at = _begin_member(decoder, text, _skip(text, at + 1), top)
                break
            if text[at : at + 1] != top.closing:
                raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
            value, at = opened.pop().value, at + 1


def _begin_member(decoder: LenientDecoder, text: str, at: int, into: _Open) -> int:
    """Read the name of a member; return where its value begins, which in a list is here."""
    if isinstance(into.value, list):
        return at
    if text[at : at + 1] != '"':
        raise json.JSONDecodeError("Expecting property name enclosed in double quotes", text, at)
    name = decoder.decode(text, at)
    into.name = str(name.value)
    at = _skip(text, name.end)
    if text[at : at + 1] != ":":
        raise json.JSONDecodeError("Expecting ':' delimiter", text, at)
    return _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at
