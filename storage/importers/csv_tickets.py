"""Tickets as CSV: a header row, then one message a row; rows with the same id are one ticket, in file order.

Columns: id and body are needed; subject, customer, language, status, created_at, author, role and internal may be
there; all others stay in the ticket's `extra`. A mapping `{"their column": "our column"}` renames.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from storage.importers.findings import Finding, Importer, Repaired, Skip, Skipped, Source
from storage.importers.json_tickets import head_text, make_ticket
from storage.importers.limits import MAX_DOCUMENT_BYTES, MAX_MESSAGE_BYTES, mebibytes
from storage.importers.texts import decode_file
from storage.tickets import RawSource
from storage.values import Json

COLUMNS: Final = (
    "id",
    "subject",
    "customer",
    "body",
    "language",
    "status",
    "created_at",
    "author",
    "role",
    "internal",
)
_NEEDED: Final = ("id", "body")
_OF_MESSAGES: Final = {
    "body": "text",
    "author": "author",
    "role": "role",
    "internal": "internal",
    "created_at": "created_at",
}
_DELIMITERS: Final = (",", ";", "\t", "|")
_SHOWN_COLUMNS: Final = 30


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a file is written: its delimiter, its columns by its own and by our names, and where its rows begin."""

    delimiter: str
    header: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    first_line: int = 1


@dataclass(slots=True)
class _Rows:
    """The rows of one ticket."""

    name: str
    fields: dict[str, Json] = field(default_factory=dict)
    messages: list[Json] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)


def recognise(source: Source) -> bool:
    """Whether the first row names columns that we know, or the rows have the same number of cells."""
    text = head_text(source)
    layout = _layout(text, source.mapping)
    if set(layout.columns) >= set(_NEEDED):
        return True
    if "\0" in text or len(layout.columns) < 2:
        return False
    if set(layout.columns) & set(COLUMNS):
        return True
    try:
        with _wide_cells():
            rows = list(csv.reader(_lines(text)[layout.first_line - 1 : 5], delimiter=layout.delimiter))
    except csv.Error:
        return False
    return len(rows) > 1 and {len(row) for row in rows} == {len(layout.columns)}


def read(source: Source) -> Iterator[Finding]:
    """Read all rows, then yield the tickets in the order of their first rows."""
    if source.size > MAX_DOCUMENT_BYTES:
        yield Skipped(
            source.name,
            f"it is {mebibytes(source.size)}; CSV is read up to {mebibytes(MAX_DOCUMENT_BYTES)}: split it into files",
        )
        return
    text, encoding, repair = decode_file(source.read())
    layout = _layout(text, source.mapping)
    if missing := [name for name in _NEEDED if name not in layout.columns]:
        yield Skipped(source.name, _missing(missing, layout))
        return
    if repair:
        yield Repaired(source.name, repair)
    tickets: dict[str, _Rows] = {}
    for entry in _rows(text, layout, source.name):
        match entry:
            case Skipped():
                yield entry
            case number, cells, raw:
                ticket = tickets.setdefault(cells["id"].strip(), _Rows(f"{source.name}#{number}"))
                _add(ticket, cells, raw)
    if not tickets:
        yield Skipped(source.name, "it holds a header but no rows", Skip.NOTHING)
    header = "".join(_lines(text)[: layout.first_line])
    for ticket in tickets.values():
        raw_bytes = (header + "".join(ticket.raw)).encode(encoding, "replace")
        if len(raw_bytes) > MAX_MESSAGE_BYTES:
            yield Skipped(ticket.name, f"it is larger than {mebibytes(MAX_MESSAGE_BYTES)}", Skip.TICKET)
            continue
        fields = {**ticket.fields, "messages": ticket.messages}
        yield from make_ticket(source, fields, ticket.name, RawSource(ticket.name, "csv", raw_bytes))


def _add(ticket: _Rows, cells: Mapping[str, str], raw: str) -> None:
    """Add a row: a message, and whatever the ticket did not say yet."""
    for name, value in cells.items():
        if value.strip() and name not in ("body", "author", "role", "internal"):
            ticket.fields.setdefault(name, value)
    ticket.messages.append({ours: cells[name] for name, ours in _OF_MESSAGES.items() if cells.get(name)})
    ticket.raw.append(raw)


def _rows(text: str, layout: _Layout, name: str) -> Iterator[Skipped | tuple[int, dict[str, str], str]]:
    """Yield each row with the number of its first line and its own lines as they stand."""
    lines = _lines(text)[layout.first_line - 1 :]
    with _wide_cells():
        reader = csv.reader(lines, delimiter=layout.delimiter)
        before = 0
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                line = layout.first_line + reader.line_num - 1
                yield Skipped(f"{name}#{line}", f"line {line} cannot be read: {error}", Skip.TICKET)
                before = reader.line_num
                continue
            begin, before = before, reader.line_num
            if begin == 0 or not any(cell.strip() for cell in cells):
                continue
            yield _row(cells, layout, name, layout.first_line + begin, "".join(lines[begin:before]))


def _row(
    cells: Sequence[str], layout: _Layout, name: str, line: int, raw: str
) -> Skipped | tuple[int, dict[str, str], str]:
    columns = layout.columns
    if any(cell.strip() for cell in cells[len(columns) :]):
        return Skipped(
            f"{name}#{line}",
            f"line {line} has {len(cells)} cells but the header has {len(columns)}; a quotation mark is missing there",
            Skip.TICKET,
        )
    row = dict(zip(columns, [*cells, *[""] * (len(columns) - len(cells))], strict=False))
    for needed in _NEEDED:
        if not row[needed].strip():
            return Skipped(f"{name}#{line}", f"line {line} has no {needed}", Skip.TICKET)
    return line, row, raw


def _layout(text: str, mapping: Mapping[str, str]) -> _Layout:
    """Find the delimiter under which the header names the most columns that we know, else the most columns."""
    lines = _lines(text[:65_536])
    first_line = 1
    delimiters: Sequence[str] = _DELIMITERS
    if lines and lines[0].lower().startswith("sep=") and len(lines[0].strip()) == 5:
        first_line, delimiters = 2, (lines[0][4],)
    best = _Layout(delimiters[0], first_line=first_line)
    for delimiter in delimiters:
        with _wide_cells():
            try:
                header = next(csv.reader(lines[first_line - 1 :], delimiter=delimiter), [])
            except csv.Error:
                continue
        columns = _our_names(header, mapping)
        if _rank(columns) > _rank(best.columns):
            best = _Layout(delimiter, tuple(header), columns, first_line)
    return best


def _rank(columns: Sequence[str]) -> tuple[int, int]:
    return len(set(columns) & set(COLUMNS)), len(columns)


def _our_names(header: Sequence[str], mapping: Mapping[str, str]) -> tuple[str, ...]:
    """Name the columns; of two with the same name the second keeps a number."""
    renamed = {_plain(theirs): ours for theirs, ours in mapping.items()}
    mapped = set(renamed.values())
    names: list[str] = []
    for theirs in header:
        name = _plain(theirs)
        ours = renamed.get(name) or (name if name in COLUMNS and name not in mapped else theirs.strip())
        if ours in names:
            ours = f"{ours} ({len(names) + 1})"
        names.append(ours)
    return tuple(names)


def _plain(name: str) -> str:
    return "_".join(name.strip().lower().replace("-", " ").replace("_", " ").split())


def _missing(missing: Sequence[str], layout: _Layout) -> str:
    header = [name.strip() for name in layout.header]
    shown = ", ".join(repr(name[:40]) for name in header[:_SHOWN_COLUMNS]) or "none"
    wanted = " and ".join(repr(name) for name in missing)
    example = f"{header[0][:40] if header else 'their column'}={missing[0]}"
    return f"it has no column {wanted}; its columns are {shown}: map one of them, for example {example!r}"


def _lines(text: str) -> list[str]:
    """Split into lines, each with its own end; a file of old Mac lines has only carriage returns."""
    if "\n" not in text:
        return io.StringIO(text, newline="").readlines()
    return [line + "\n" for line in text.split("\n")[:-1]] + ([last] if (last := text.rpartition("\n")[2]) else [])


@contextmanager
def _wide_cells() -> Iterator[None]:
    """Let `csv` read cells of any length; the limit is a global of that module."""
    limit = csv.field_size_limit(MAX_DOCUMENT_BYTES)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


IMPORTER: Final = Importer("csv", recognise, read)
