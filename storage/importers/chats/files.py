"""Files of chats as chat programs export them: a list, an object that wraps one, or a single chat, of any size."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Final, TypeAlias

from storage.importers.chats.programs import SIGNS, program_of
from storage.importers.chats.reading import read_chat
from storage.importers.findings import Finding, Importer, Repaired, Skip, Skipped, Source
from storage.importers.json_stream import ByteSource, JsonStream, TooLarge
from storage.importers.json_values import JsonFault
from storage.importers.limits import MAX_MESSAGE_BYTES, mebibytes
from storage.importers.texts import byte_order_mark

Opener: TypeAlias = Callable[[], AbstractContextManager[ByteSource]]

_LOOKED_AT: Final = 100
"""How many entries may be something else before the first object, which decides."""


def holds_chats(head: bytes, opener: Opener) -> bool:
    """Whether the first object in a JSON file is a chat; `head` is the file's beginning."""
    mark, encoding = byte_order_mark(head)
    text = head[len(mark) :].decode(encoding or "utf-8", "replace")
    if not text.lstrip().startswith(("{", "[")) or not any(sign in text for sign in SIGNS):
        return False
    with opener() as file:
        try:
            for entry in JsonStream(file, limit=MAX_MESSAGE_BYTES).entries():
                if isinstance(entry, TooLarge) or entry.number > _LOOKED_AT:
                    return False
                if isinstance(entry.value, Mapping):
                    return program_of(entry.value) is not None
        except JsonFault:
            return False
    return False


def read_chats(name: str, opener: Opener) -> Iterator[Finding]:
    """Read one chat after the other; what comes before a fault is read.

    Raises:
        OSError: the file cannot be read.
    """
    with opener() as file:
        stream = JsonStream(file, limit=MAX_MESSAGE_BYTES)
        try:
            for entry in stream.entries():
                entry_name = f"{name}#{entry.number}"
                if isinstance(entry, TooLarge):
                    limit = mebibytes(MAX_MESSAGE_BYTES)
                    yield Skipped(entry_name, f"it is larger than {limit}, and a chat may have that", Skip.TICKET)
                    continue
                for repair in entry.repairs:
                    yield Repaired(entry_name, repair)
                yield from read_chat(entry.value, entry_name, entry.raw)
        except JsonFault as fault:
            yield Skipped(name, f"{fault}; what stands before it was read")
        if stream.is_damaged:
            yield Repaired(name, "damaged UTF-8; what is unreadable became U+FFFD")


def _opener(source: Source) -> Opener:
    return lambda: source.path.open("rb")


def _recognise(source: Source) -> bool:
    return holds_chats(source.head, _opener(source))


def _read(source: Source) -> Iterator[Finding]:
    yield from read_chats(source.name, _opener(source))


IMPORTER: Final = Importer("chats", _recognise, _read)
