"""JSON values one by one, each with the place where it stands, so that its source can be kept exactly."""

import json
import re
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

from storage.values import Json

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_LONGEST_NUMBER: Final = 400

TOO_DEEP: Final = "it is nested too deeply to be read"


class JsonFault(Exception):
    """The text is no JSON; the message says where."""


def fault(what: str, line: int, column: int, *, is_end: bool) -> JsonFault:
    """Return the fault for what a decoder complains about at a place, which may be the end of all text."""
    if what.startswith("Unterminated"):
        what = "a text that begins here has no end"
    elif is_end:
        what = "it ends too early"
    return JsonFault(f"it is not valid JSON: {what.rstrip(' .')} (line {line}, column {column})")


@dataclass(frozen=True, slots=True)
class Located:
    """A value and the text that it was read from, `text[start:end]`."""

    value: Json
    start: int
    end: int
    repairs: tuple[str, ...] = ()


class LenientDecoder:
    """Reads one JSON value, and notes what it had to correct."""

    def __init__(self) -> None:
        self._repairs: dict[str, None] = {}
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_int=self._integer,
            parse_float=self._float,
            parse_constant=self._constant,
            strict=False,
        )

    def decode(self, text: str, start: int) -> Located:
        """Read the value that begins at a position.

        Raises:
            JSONDecodeError: there is none.
            RecursionError: it is nested too deeply.
        """
        self._repairs.clear()
        value, end = self._decoder.raw_decode(text, start)
        return Located(value, start, end, tuple(self._repairs))

    def _object(self, pairs: list[tuple[str, Json]]) -> Mapping[str, Json]:
        result = dict(pairs)
        if len(result) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self._repairs[f"{key[:40]!r} appears more than once; the last one was taken"] = None
                seen.add(key)
        return result

    def _integer(self, digits: str) -> int | str:
        return int(digits) if len(digits) <= _LONGEST_NUMBER else digits

    def _float(self, digits: str) -> float | str:
        number = float(digits)
        return digits if number in (float("inf"), float("-inf")) else number

    def _constant(self, name: str) -> None:
        self._repairs[f"{name} is no JSON value; read as missing"] = None


class JsonText:
    """Reads a text that holds JSON values."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._decoder = LenientDecoder()

    def value(self, start: int) -> Located:
        """Read the value that begins at a position.

        Raises:
            JsonFault: there is none, or it is nested too deeply.
        """
        try:
            return self._decoder.decode(self._text, start)
        except json.JSONDecodeError as error:
            self._fail(error.msg, error.pos)
        except RecursionError:
            raise JsonFault(TOO_DEEP) from None

    def top_level(self) -> Iterator[Located]:
        """Read all values; the elements of a list, and of {"tickets": […]}, stand for themselves."""
        position = self._skip(0)
        while position < len(self._text):
            if self._text[position] == "[":
                position = yield from self._elements(position)
            else:
                found = self.value(position)
                position = found.end
                match found.value:
                    case {"tickets": list(), **others} if not {"id", "body", "messages"} & others.keys():
                        yield from self._elements(self._member(found.start, "tickets"))
                    case _:
                        yield found
            position = self._skip(position)

    def _elements(self, start: int) -> Generator[Located, None, int]:
        """Read the elements of the list that begins here; ends with the position behind it."""
        position = self._skip(start + 1)
        if self._text[position : position + 1] == "]":
            return position + 1
        while True:
            found = self.value(position)
            yield found
            position = self._skip(found.end)
            match self._text[position : position + 1]:
                case ",":
                    position = self._skip(position + 1)
                case "]":
                    return position + 1
                case _:
                    self._fail("Expecting ',' or ']'", position)

    def _member(self, start: int, name: str) -> int:
        """Return where a member's value begins in the object that begins here; the last one of this name."""
        result = position = self._skip(start + 1)
        while self._text[position : position + 1] == '"':
            key = self.value(position)
            position = self._skip(self._skip(key.end) + 1)
            if key.value == name:
                result = position
            position = self._skip(self.value(position).end)
            position = self._skip(position + 1)
        return result

    def _skip(self, position: int) -> int:
        space = _SPACE.match(self._text, position)
        return space.end() if space else position

    def _fail(self, what: str, position: int) -> NoReturn:
        line = self._text.count("\n", 0, position) + 1
        column = position - self._text.rfind("\n", 0, position)
        raise fault(what, line, column, is_end=position >= len(self._text.rstrip())) from None
