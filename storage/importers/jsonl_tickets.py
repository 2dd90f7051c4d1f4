"""Tickets as JSONL: one JSON object a line; a bad line does not cost the others."""

import json
from collections.abc import Iterator
from typing import Final

from storage.importers.findings import Finding, Importer, Repaired, Skip, Skipped, Source
from storage.importers.json_tickets import head_text, read_entry
from storage.importers.json_values import JsonFault, JsonText
from storage.importers.limits import MAX_DOCUMENT_BYTES, MAX_MESSAGE_BYTES, mebibytes
from storage.importers.texts import byte_order_mark, decode_file
from storage.tickets import RawSource


def recognise(source: Source) -> bool:
    """Whether there are several lines, and most of them are JSON objects by themselves."""
    text = head_text(source)
    if not text.lstrip().startswith("{"):
        return False
    lines = text.split("\n")
    if not source.head_is_all:
        del lines[-1]
    lines = [line for line in lines if line.strip()]
    return len(lines) > 1 and sum(map(_is_object, lines)) * 2 >= len(lines)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def read(source: Source) -> Iterator[Finding]:
    """Read line by line."""
    if _is_wide(source) and source.size > MAX_DOCUMENT_BYTES:
        yield Skipped(source.name, f"it is {mebibytes(source.size)} of UTF-16; save it as UTF-8, which has no limit")
        return
    count = 0
    for number, raw in _lines(source):
        name = f"{source.name}#{number}"
        if len(raw) > MAX_MESSAGE_BYTES:
            yield Skipped(name, f"line {number} is longer than {mebibytes(MAX_MESSAGE_BYTES)}", Skip.TICKET)
            continue
        text, _, repair = decode_file(byte_order_mark(source.head)[0] + raw if _is_wide(source) else raw)
        if not text.strip():
            continue
        count += 1
        if repair:
            yield Repaired(name, repair)
        yield from _read_line(source, text.strip(), number, RawSource(name, "jsonl", raw))
    if not count:
        yield Skipped(source.name, "it holds no lines with tickets", Skip.NOTHING)


def _read_line(source: Source, text: str, number: int, raw: RawSource) -> Iterator[Finding]:
    try:
        found = JsonText(text).value(0)
    except JsonFault as fault:
        where = str(fault).replace("(line 1, column", f"(line {number}, column")
        yield Skipped(raw.name, f"line {number} was left out: {where}", Skip.TICKET)
        return
    if found.end != len(text):
        yield Skipped(raw.name, f"line {number} was left out: it holds more than one JSON value", Skip.TICKET)
    else:
        yield from read_entry(source, found, raw.name, raw)


def _is_wide(source: Source) -> bool:
    return byte_order_mark(source.head)[1] not in ("", "utf-8")


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield each line as it stands, with its number; of one that is too long only the beginning."""
    if _is_wide(source):
        text, encoding, _ = decode_file(source.read())
        for number, line in enumerate(text.split("\n"), 1):
            yield number, line.encode(encoding, "replace")
        return
    with source.path.open("rb") as file:
        file.seek(len(byte_order_mark(source.head)[0]))
        number, chunk = 0, b""
        while chunk := file.readline(MAX_MESSAGE_BYTES + 1):
            number += 1
            yield number, chunk.removesuffix(b"\n").removesuffix(b"\r")
            while chunk and not chunk.endswith(b"\n"):
                chunk = file.readline(MAX_MESSAGE_BYTES)


IMPORTER: Final = Importer("jsonl", recognise, read)
