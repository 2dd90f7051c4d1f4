"""A conversation that Ticketree itself exported as JSON."""

import re
from collections.abc import Iterator
from typing import Final

from storage.importers.findings import Finding, FoundExport, Importer, Skipped, Source
from storage.importers.limits import MAX_DOCUMENT_BYTES, mebibytes

_BEGINNING: Final = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"ticketree"')


def recognise(source: Source) -> bool:
    """Whether the file says so."""
    return bool(_BEGINNING.match(source.head))


def read(source: Source) -> Iterator[Finding]:
    """Read it whole: it is one conversation."""
    if source.size > MAX_DOCUMENT_BYTES:
        limit = mebibytes(MAX_DOCUMENT_BYTES)
        yield Skipped(source.name, f"it is {mebibytes(source.size)}; a conversation is read up to {limit}")
        return
    yield FoundExport(source.name, source.read())


IMPORTER: Final = Importer("ticketree", recognise, read)
