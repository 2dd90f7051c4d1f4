"""The values of a JSON file of any size, one after the other; no more of it is in memory than one of them takes.

Each comes with the bytes that it was read from. That, and the place of a fault by line and column, is why this stands
on the standard decoder instead of a streaming parser, which would give neither.
"""

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from storage.importers.json_deep import decode_deep
from storage.importers.json_values import JsonFault, LenientDecoder, Located, fault
from storage.importers.limits import MIB, mebibytes
from storage.importers.texts import byte_order_mark
from storage.values import Json

WRAPPERS: Final = frozenset({"conversations", "chats", "items", "data"})
"""Members of an object that are a list of what the file is about."""

_CHUNK_BYTES: Final = MIB
_NOT_SPACE: Final = re.compile(r"[^ \t\n\r]")
_STRUCTURE: Final = re.compile(r'["\\\[\]{}]')
_CUT_NUMBER: Final = "e+"
"""What may follow a number that reads as complete and is not."""

_LONGEST_ESCAPE: Final = len(r"\ud83d\ude00")


@dataclass(frozen=True, slots=True)
class Entry:
    """One value.

    Attributes:
        number: 1 for the first of the file.
        raw: the bytes that it was read from.
    """

    number: int
    value: Json
    raw: bytes
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TooLarge:
    """A value that is larger than the limit, and was passed over."""

    number: int


class _LimitReached(Exception):
    """A value does not end within the limit."""


class ByteSource(Protocol):
    """What can be read from its beginning."""

    def read(self, size: int, /) -> bytes:
        """Return up to so many bytes, none only at the end."""


class JsonStream:
    """Reads a file from its beginning, once; a value of more than `limit` bytes is too large.

    Attributes:
        is_damaged: bytes were met that are no text; each reads as U+FFFD once it is stored.
    """

    def __init__(self, file: ByteSource, *, limit: int) -> None:
        self._file = file
        self._limit = limit
        self._decoder = LenientDecoder()
        self._text = ""
        self._at = 0
        self._held: int | None = None
        self._lines = 0
        self._columns = 0
        self._number = 0
        self._ended = False
        self.is_damaged = False
        first = file.read(_CHUNK_BYTES)
        mark, encoding = byte_order_mark(first)
        self._encoding = encoding or "utf-8"
        self._errors = "surrogateescape" if self._encoding == "utf-8" else "replace"
        self._unicode = codecs.getincrementaldecoder(self._encoding)("strict")
        self._take(first[len(mark) :])

    def entries(self) -> Iterator[Entry | TooLarge]:
        """Read all values; the elements of a list, and of an object that only wraps one, stand for themselves.

        Raises:
            JsonFault: from here on the file is no JSON.
            OSError: it cannot be read.
        """
        while sign := self._next_sign():
            match sign:
                case "[":
                    yield from self._elements()
                case "{":
                    yield from self._object()
                case _:
                    yield self._entry()

    def _elements(self) -> Iterator[Entry | TooLarge]:
        self._at += 1
        if self._next_sign() == "]":
            self._at += 1
            return
        while True:
            yield self._entry()
            if self._expect(",", "]") == "]":
                return
            self._next_sign()

    def _object(self) -> Iterator[Entry | TooLarge]:
        """Read an object member by member: its text is held until one turns out to wrap the entries."""
        self._held = self._at
        fields: dict[str, Json] = {}
        repairs: dict[str, None] = {}
        is_wrapper = False
        self._at += 1
        ended = self._next_sign() == "}"
        if ended:
            self._at += 1
        while not ended:
            if self._next_sign() != '"':
                raise self._fault("Expecting property name enclosed in double quotes", self._at)
            name = str(self._member().value)
            self._expect(":")
            if self._next_sign() == "[" and name in WRAPPERS:
                is_wrapper, self._held = True, None
                yield from self._elements()
            else:
                found = self._member()
                fields[name] = found.value
                repairs.update(dict.fromkeys(found.repairs))
            ended = self._expect(",", "}") == "}"
        if not is_wrapper and self._held is not None:
            raw = self._raw(self._held, self._at)
            if len(raw) > self._limit:
                raise self._too_large()
            self._held = None
            self._number += 1
            yield Entry(self._number, fields, raw, tuple(repairs))

    def _member(self) -> Located:
        try:
            return self._value()
        except _LimitReached:
            raise self._too_large() from None

    def _too_large(self) -> JsonFault:
        return JsonFault(f"it is one object of more than {mebibytes(self._limit)}, which is too large")

    def _entry(self) -> Entry | TooLarge:
        self._number += 1
        try:
            found = self._value()
        except _LimitReached:
            self._pass_over()
            return TooLarge(self._number)
        raw = self._raw(found.start, found.end)
        return (
            Entry(self._number, found.value, raw, found.repairs) if len(raw) <= self._limit else TooLarge(self._number)
        )

    def _value(self) -> Located:
        """Read the value that begins here, with as much more of the file as that takes."""
        while True:
            try:
                found = self._decode()
                if found.end + len(_CUT_NUMBER) < len(self._text) or self._ended:
                    self._at = found.end
                    return found
            except json.JSONDecodeError as error:
                if self._ended or not self._may_be_cut(error):
                    raise self._fault(error.msg, error.pos) from None
            size = len(self._text) - (self._at if self._held is None else self._held)
            if size > self._limit:
                raise _LimitReached
            # Doubling keeps reading anew cheap; no more than shows that the limit is passed.
            self._read(max(_CHUNK_BYTES, min(size, self._limit - size + 1)))

    def _decode(self) -> Located:
        try:
            return self._decoder.decode(self._text, self._at)
        except RecursionError:
            return decode_deep(self._decoder, self._text, self._at)

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        """Whether the fault can be that the text at hand ends in the middle of something."""
        return error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _LONGEST_ESCAPE

    def _pass_over(self) -> None:
        """Go behind the value that begins here, keeping none of it."""
        depth, in_string, next_sign = 0, False, self._at
        while True:
            for found in _STRUCTURE.finditer(self._text, self._at):
                sign = found[0]
                if found.start() < next_sign:
                    continue
                if in_string:
                    in_string = sign != '"'
                    next_sign = found.end() + (sign == "\\")
                elif sign == '"':
                    in_string = True
                else:
                    depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(sign, 0)
                if not depth and not in_string:
                    self._at = found.end()
                    return
            if self._ended:
                raise self._fault("", len(self._text))
            next_sign -= len(self._text)
            self._at = len(self._text)
            self._read(_CHUNK_BYTES)

    def _next_sign(self) -> str:
        """Go to the next sign that is no blank and return it, "" at the end."""
        while True:
            if found := _NOT_SPACE.search(self._text, self._at):
                self._at = found.start()
                return found[0]
            self._at = len(self._text)
            if self._ended:
                return ""
            self._read(_CHUNK_BYTES)

    def _expect(self, *signs: str) -> str:
        sign = self._next_sign()
        if sign not in signs:
            raise self._fault("Expecting " + " or ".join(f"{each!r}" for each in signs), self._at)
        self._at += 1
        return sign

    def _raw(self, start: int, end: int) -> bytes:
        return self._text[start:end].encode(self._encoding, self._errors)

    def _read(self, size: int) -> None:
        """Read more of the file, and let go of what is done with."""
        done = self._at if self._held is None else self._held
        newline = self._text.rfind("\n", 0, done)
        self._lines += self._text.count("\n", 0, done)
        self._columns = done - newline - 1 if newline >= 0 else self._columns + done
        self._text = self._text[done:]
        self._at -= done
        if self._held is not None:
            self._held = 0
        self._take(self._file.read(size))

    def _take(self, data: bytes) -> None:
        self._ended = not data
        try:
            new = self._unicode.decode(data, final=self._ended)
        except UnicodeDecodeError:
            waiting, _ = self._unicode.getstate()
            self._unicode = codecs.getincrementaldecoder(self._encoding)(self._errors)
            self.is_damaged = True
            new = self._unicode.decode(waiting + data, final=self._ended)
        self._text += new

    def _fault(self, what: str, position: int) -> JsonFault:
        newline = self._text.rfind("\n", 0, position)
        line = self._lines + self._text.count("\n", 0, position) + 1
        column = position - newline if newline >= 0 else self._columns + position + 1
        return fault(what, line, column, is_end=self._ended and position >= len(self._text.rstrip()))
