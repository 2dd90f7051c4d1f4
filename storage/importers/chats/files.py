"""Files of chats as chat programs export them: a list, an object that wraps one, or a single chat, of any size."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from enum import Enum, auto
from typing import Final, TypeAlias

from storage.importers.chats.programs import SIGNS, program_of
from storage.importers.chats.reading import read_chat, too_large
from storage.importers.findings import Finding, Importer, Repaired, Skip, Skipped, Source
from storage.importers.json_stream import ByteSource, JsonStream, TooLarge
from storage.importers.json_values import JsonFault
from storage.importers.limits import MAX_MESSAGE_BYTES
from storage.importers.texts import byte_order_mark
from storage.values import Json

Opener: TypeAlias = Callable[[], AbstractContextManager[ByteSource]]

EMPTY_LIST: Final = "it holds an empty list: no tickets and no chats"

_LOOKED_AT: Final = 100
"""How many entries may be neither chat nor ticket before one that is decides."""
_OF_TICKETS: Final = frozenset({"body", "messages"})


class Content(Enum):
    """What a file turns out to hold."""

    CHATS = auto()
    OTHER = auto()
    UNREADABLE = auto()
    """It has a sign of chats, and ends or is too large before one can be told."""


def _has_sign_of_chats(head: bytes) -> bool:
    """Whether a file's beginning is that of a JSON file in which a name stands that chats have."""
    mark, encoding = byte_order_mark(head)
    text = head[len(mark) :].decode(encoding or "utf-8", "replace")
    return text.lstrip().startswith(("{", "[")) and any(sign in text for sign in SIGNS)


def content_of(head: bytes, opener: Opener, mapping: Mapping[str, str] | None = None) -> Content:
    """Tell what a file holds by the first of its entries that is a chat, or else a ticket.

    Args:
        head: the file's beginning.
        opener: opens the file.
        mapping: the names that fields of tickets have there; None where tickets are not looked for.

    Raises:
        OSError: the file cannot be read.
    """
    if not _has_sign_of_chats(head):
        return Content.OTHER
    has_passed_over = False
    with opener() as file:
        try:
            for entry in JsonStream(file, limit=MAX_MESSAGE_BYTES).entries():
                if isinstance(entry, TooLarge):
                    has_passed_over = True
                elif program_of(entry.value):
                    return Content.CHATS
                elif mapping is not None and may_be_ticket(entry.value, mapping):
                    return Content.OTHER
                if entry.number >= _LOOKED_AT:
                    break
        except JsonFault:
            return Content.UNREADABLE
    return Content.UNREADABLE if has_passed_over else Content.OTHER


def may_be_ticket(value: Json, mapping: Mapping[str, str]) -> bool:
    """Whether a value has the words of a ticket, by the names that its fields are mapped to."""
    return isinstance(value, Mapping) and any(mapping.get(name, name) in _OF_TICKETS for name in value)


def read_chats(name: str, opener: Opener) -> Iterator[Finding]:
    """Read one chat after the other; what comes before a fault is read, and a list of none is said to be one.

    Raises:
        OSError: the file cannot be read.
    """
    count = 0
    with opener() as file:
        stream = JsonStream(file, limit=MAX_MESSAGE_BYTES)
        try:
            for entry in stream.entries():
                count = entry.number
                entry_name = f"{name}#{entry.number}"
                if isinstance(entry, TooLarge):
                    yield Skipped(entry_name, too_large(MAX_MESSAGE_BYTES), Skip.TICKET)
                    continue
                for repair in entry.repairs:
                    yield Repaired(entry_name, repair)
                yield from read_chat(entry.value, entry_name, entry.raw)
        except JsonFault as fault:
            what = "what stands before it was read" if count else "nothing was imported from it"
            yield Skipped(name, f"{fault}; {what}")
        else:
            if not count:
                yield Skipped(name, EMPTY_LIST, Skip.NOTHING)
        if stream.is_damaged:
            yield Repaired(name, "damaged UTF-8; what is unreadable became U+FFFD")


def are_chats_cut_off(source: Source) -> bool:
    """Whether a file seems to hold chats, and ends or is too large before one can be told."""
    return content_of(source.head, _opener(source)) is Content.UNREADABLE


def _opener(source: Source) -> Opener:
    return lambda: source.path.open("rb")


def _recognise(source: Source) -> bool:
    return content_of(source.head, _opener(source), source.mapping) is Content.CHATS


def _read(source: Source) -> Iterator[Finding]:
    yield from read_chats(source.name, _opener(source))


IMPORTER: Final = Importer("chats", _recognise, _read)
