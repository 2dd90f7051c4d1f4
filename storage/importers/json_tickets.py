"""Tickets as JSON: one object, a list, or {"tickets": […]}."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from storage.importers.chats.companions import is_named_as_chats
from storage.importers.chats.files import EMPTY_LIST, may_be_ticket
from storage.importers.chats.programs import program_of, resembles_chat
from storage.importers.chats.reading import read_chat, too_large
from storage.importers.findings import Finding, FoundTicket, Importer, Repaired, Skip, Skipped, Source
from storage.importers.json_values import JsonFault, JsonText, Located
from storage.importers.limits import MAX_DOCUMENT_BYTES, MAX_MESSAGE_BYTES, mebibytes
from storage.importers.texts import byte_order_mark, decode_file
from storage.importers.ticket_fields import NO_ZONE, UnusableError, ticket_from
from storage.tickets import RawSource
from storage.values import Json

_BEGINS_JSON: Final = re.compile(r"\s*(\{\s*[\"}]|\[\s*[\[{\"\]\d]|\[\s*\Z|\{\s*\Z)")


def recognise(source: Source) -> bool:
    """Whether the file begins as a JSON object or list does."""
    return bool(_BEGINS_JSON.match(head_text(source)))


def head_text(source: Source) -> str:
    """Decode the beginning of a file; an incomplete character at its end does not matter."""
    mark, encoding = byte_order_mark(source.head)
    return source.head[len(mark) :].decode(encoding or "utf-8", "replace")


def read(source: Source) -> Iterator[Finding]:
    """Read all tickets of the file, or none where it is not valid JSON throughout."""
    if source.size > MAX_DOCUMENT_BYTES:
        yield Skipped(
            source.name,
            f"it is {mebibytes(source.size)}; JSON is read up to {mebibytes(MAX_DOCUMENT_BYTES)}: write one ticket a "
            "line (JSONL), which has no limit",
        )
        return
    text, encoding, repair = decode_file(source.read())
    try:
        found = list(JsonText(text).top_level())
    except JsonFault as fault:
        yield Skipped(source.name, f"{fault}; nothing was imported from it")
        return
    if repair:
        yield Repaired(source.name, repair)
    if not found:
        yield Skipped(source.name, EMPTY_LIST, Skip.NOTHING)
    for number, each in enumerate(found, 1):
        name = f"{source.name}#{number}" if len(found) > 1 else source.name
        raw = text[each.start : each.end].encode(encoding, "replace")
        yield from read_entry(source, each, name, RawSource(name, "json", raw))


def read_entry(source: Source, entry: Located, name: str, raw: RawSource) -> Iterator[Finding]:
    """Read one value as a ticket, or as a chat where it is one."""
    if program_of(entry.value) or _is_meant_as_chat(source, entry.value):
        if len(raw.data) > MAX_MESSAGE_BYTES:
            yield Skipped(name, too_large(MAX_MESSAGE_BYTES), Skip.TICKET)
        else:
            yield from read_chat(entry.value, name, raw.data)
        return
    if not isinstance(entry.value, Mapping):
        yield Skipped(name, "it is not an object with the fields of a ticket", Skip.TICKET)
        return
    if len(raw.data) > MAX_MESSAGE_BYTES:
        yield Skipped(
            name, f"it is {mebibytes(len(raw.data))}; a ticket may have {mebibytes(MAX_MESSAGE_BYTES)}", Skip.TICKET
        )
        return
    fields = {source.mapping.get(key, key): value for key, value in entry.value.items()}
    yield from make_ticket(source, fields, name, raw, entry.repairs)


def _is_meant_as_chat(source: Source, value: Json) -> bool:
    """Whether a value that is neither chat nor ticket is to be told as a chat."""
    return not may_be_ticket(value, source.mapping) and (resembles_chat(value) or is_named_as_chats(source.path.name))


def make_ticket(
    source: Source, fields: dict[str, Json], name: str, raw: RawSource, repairs: tuple[str, ...] = ()
) -> Iterator[Finding]:
    """Yield the ticket that named fields make, with its repairs, or the reason why they make none."""
    try:
        ticket, more = ticket_from(fields, raw)
    except UnusableError as error:
        yield Skipped(name, str(error), Skip.TICKET)
        return
    for repair in (*repairs, *more):
        yield Repaired(source.name if repair == NO_ZONE else name, repair)
    yield FoundTicket(name, ticket, bool(fields.get("status")))


IMPORTER: Final = Importer("json", recognise, read)
