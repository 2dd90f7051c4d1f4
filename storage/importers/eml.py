"""One mail a file, as mail programs save it (.eml) and Maildir folders keep it."""

import re
from collections.abc import Iterator
from typing import Final

from storage.importers.findings import Finding, FoundMail, Importer, Skip, Skipped, Source
from storage.importers.limits import MAX_MESSAGE_BYTES, mebibytes
from storage.importers.mail_summary import summarise_mail

_FIELD: Final = re.compile(rb"([!-9;-~]{1,80})[ \t]*:")
_MAIL_FIELDS: Final = frozenset(
    b"from to cc bcc subject date message-id in-reply-to references received return-path delivered-to mime-version "
    b"reply-to sender x-mailer x-original-to".split()
)
_LINES_LOOKED_AT: Final = 40


def recognise(source: Source) -> bool:
    """Whether the file begins with header fields, one of which only a mail has."""
    return is_header_block(source.head)


def is_header_block(data: bytes) -> bool:
    """Whether bytes begin with the header fields of a mail."""
    names = set()
    for line in re.split(rb"\r\n|\n|\r", data.lstrip(b"\xef\xbb\xbf"), maxsplit=_LINES_LOOKED_AT)[:_LINES_LOOKED_AT]:
        if found := _FIELD.match(line):
            names.add(found[1].lower())
        elif not line or not line.startswith((b" ", b"\t")) or not names:
            break
    return bool(names & _MAIL_FIELDS)


def read(source: Source) -> Iterator[Finding]:
    """Read the mail's headers; the rest when its thread is known."""
    if source.size > MAX_MESSAGE_BYTES:
        yield Skipped(
            source.name, f"it is {mebibytes(source.size)}; a mail may have {mebibytes(MAX_MESSAGE_BYTES)}", Skip.TICKET
        )
        return
    yield FoundMail(source.name, summarise_mail(message_of(source.read())), source.read, IMPORTER.name)


def message_of(raw: bytes) -> bytes:
    """Return the mail itself, without a byte order mark that an editor left before it."""
    return raw.removeprefix(b"\xef\xbb\xbf")


IMPORTER: Final = Importer("eml", recognise, read)
