"""The hashes of links, made from stored values at the speed that whole records need.

They are those of `storage.chain`, whose fields they take; a test holds the two against each other.
"""

import hashlib
from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import Final, TypeAlias

from storage.audit.rows import EndRow, EntryRow
from storage.chain import FINAL_FIELDS, INTERACTION_FIELDS

Stored: TypeAlias = int | str | bytes | float | None

ENTRY_FIELDS: Final = tuple(sorted(INTERACTION_FIELDS))
END_FIELDS: Final = tuple(sorted((*FINAL_FIELDS, "commitment")))


def _template(what: str, names: Sequence[str]) -> str:
    return f'["%s","{what}",{{' + ",".join(f'"{name}":%s' for name in names) + "}]"


_ENTRY: Final = _template("interaction", ENTRY_FIELDS)
_END: Final = _template("final", END_FIELDS)


def entry_hash(row: EntryRow) -> bytes:
    """Return what an interaction's hash must be."""
    return _filled(_ENTRY, row.prev_hash, row[3:])


def end_hash(row: EndRow) -> bytes:
    """Return what the hash of an end must be."""
    return _filled(_END, row.prev_hash, (row.commitment.hex(), *row[4:]))


def _filled(template: str, prev_hash: bytes, values: Sequence[Stored]) -> bytes:
    text = template % (
        prev_hash.hex(),
        *[encode_basestring(value) if type(value) is str else "null" if value is None else value for value in values],
    )
    # Bytes that are no UTF-8 any more were read with stand-ins, and go back to what they are.
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
