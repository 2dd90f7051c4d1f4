"""Many mails in one file (mbox, mboxo, mboxrd, Thunderbird), read message by message."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO, Final

from storage.importers.eml import is_header_block
from storage.importers.findings import Finding, FoundMail, Importer, Skip, Skipped, Source
from storage.importers.limits import MAX_MESSAGE_BYTES, mebibytes
from storage.importers.mail_headers import split_message
from storage.importers.mail_summary import summarise_mail

_SEPARATOR: Final = re.compile(rb"From [^\r\n]{0,500}?(\d\d?:\d\d|\d{4})")
_BARE_SEPARATOR: Final = re.compile(rb"From ")
_HEADER: Final = re.compile(rb"(?:[!-9;-~]{1,100}[ \t]*:|>From )")
_ESCAPED: Final = re.compile(rb"^>(>*From )", re.MULTILINE)
_LONGEST_LINE: Final = 1 << 20
_DELETED: Final = 0x8


@dataclass(frozen=True, slots=True)
class _Extent:
    """Where a message stands in the file, its "From " line included; `is_junk` without one."""

    start: int
    length: int
    is_junk: bool = False


def recognise(source: Source) -> bool:
    """Whether the file begins with a "From " line and a header, or holds both after something else."""
    head = source.head.lstrip(b"\xef\xbb\xbf\r\n")
    if head.startswith(b"From "):
        return bool(_HEADER.match(head.partition(b"\n")[2]))
    if is_header_block(head):
        return False
    return any(
        is_header_block(head[found.end() :])
        for found in re.finditer(rb"\r?\n\r?\nFrom [^\r\n]{0,500}\d\d:\d\d[^\r\n]{0,60}\r?\n", head)
    )


def read(source: Source) -> Iterator[Finding]:
    """Yield the messages in file order; what stands before the first is skipped."""
    number = 0
    with source.path.open("rb") as file:
        extents = list(_extents(file))
    for extent in extents:
        if extent.is_junk:
            yield Skipped(source.name, f"the {extent.length:,} bytes before its first mail are no mail")
            continue
        number += 1
        name = f"{source.name}#{number}"
        if extent.length > MAX_MESSAGE_BYTES:
            yield Skipped(
                name, f"it is {mebibytes(extent.length)}; a mail may have {mebibytes(MAX_MESSAGE_BYTES)}", Skip.TICKET
            )
            continue
        load: Callable[[], bytes] = partial(source.read_at, extent.start, extent.length)
        yield _finding(name, load)


def _finding(name: str, load: Callable[[], bytes]) -> Finding:
    message = message_of(load())
    headers, _ = split_message(message)
    if not headers.fields:
        return Skipped(name, "it has no headers", Skip.TICKET)
    status = headers.raw("x-mozilla-status").decode("latin-1")
    if re.fullmatch(r"[0-9A-Fa-f]{4}", status) and int(status, 16) & _DELETED:
        return Skipped(name, "it was deleted in Thunderbird, which only had not compacted the folder yet", Skip.NOTHING)
    if headers.raw("x-imap") and b"INTERNAL DATA" in headers.raw("subject"):
        return Skipped(name, "it is a mail server's own note, not a mail", Skip.NOTHING)
    return FoundMail(name, summarise_mail(message), load, IMPORTER.name)


def message_of(raw: bytes) -> bytes:
    """Return the mail itself: without its "From " line, and with ">From " as it was before it was escaped."""
    first, newline, rest = raw.lstrip(b"\xef\xbb\xbf\r\n").partition(b"\n")
    return _ESCAPED.sub(rb"\1", rest if first.startswith(b"From ") else first + newline + rest)


def _extents(file: BinaryIO) -> Iterator[_Extent]:
    """Find the messages: a "From " line with a time or year, at the start or after a blank line, before a header.

    Where the first such line names no time, none of the file's has to.
    """
    separator = _SEPARATOR
    position = start = 0
    started = False
    blank_before = True
    candidate = -1
    while line := file.readline(_LONGEST_LINE):
        if candidate >= 0:
            if _HEADER.match(line):
                if candidate > start:
                    yield _Extent(start, candidate - start, is_junk=not started)
                start, started = candidate, True
            candidate = -1
        if blank_before and line.startswith(b"From "):
            if not started and not _SEPARATOR.match(line):
                separator = _BARE_SEPARATOR
            if separator.match(line):
                candidate = position
        blank_before = not line.strip(b"\r\n\xef\xbb\xbf")
        position += len(line)
    if position > start:
        yield _Extent(start, position - start, is_junk=not started)


IMPORTER: Final = Importer("mbox", recognise, read)
