"""What Ticketree itself wrote: a conversation as JSON, and the heads that stand beside it, which hold no words."""

import re
from collections.abc import Iterator
from typing import Final

from storage.importers.findings import Finding, FoundExport, Importer, Skip, Skipped, Source
from storage.importers.limits import MAX_DOCUMENT_BYTES, mebibytes

_BEGINNING: Final = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"ticketree(?P<is_anchor>-anchor)?"')
_IS_ANCHOR: Final = "it holds hashes and no words; `ticketree audit verify --anchor` compares them with the record"


def recognise(source: Source) -> bool:
    """Whether the file says so."""
    return bool(_BEGINNING.match(source.head))


def read(source: Source) -> Iterator[Finding]:
    """Read a conversation whole; say what heads are for."""
    beginning = _BEGINNING.match(source.head)
    if beginning and beginning["is_anchor"]:
        yield Skipped(source.name, _IS_ANCHOR, Skip.NOTHING)
        return
    if source.size > MAX_DOCUMENT_BYTES:
        limit = mebibytes(MAX_DOCUMENT_BYTES)
        yield Skipped(source.name, f"it is {mebibytes(source.size)}; a conversation is read up to {limit}")
        return
    yield FoundExport(source.name, source.read())


IMPORTER: Final = Importer("ticketree", recognise, read)
