"""The hashes of links, made from stored values at the speed that whole records need.

They are those of `storage.chain`, written out by field, because its general encoder takes several times as long; a test
holds the two against each other.
"""

import hashlib
from json.encoder import encode_basestring
from typing import Final

from storage.audit.rows import EndRow, EntryRow
from storage.chain import FINAL_FIELDS, INTERACTION_FIELDS

ENTRY_FIELDS: Final = tuple(sorted((*INTERACTION_FIELDS, "commitment")))
END_FIELDS: Final = tuple(sorted((*FINAL_FIELDS, "commitment")))


def entry_hash(row: EntryRow) -> bytes:
    """Return what an interaction's hash must be."""
    return _digest(
        f'["{row.prev_hash.hex()}","interaction",{{"commitment":"{row.commitment.hex()}","created_at":{row.created_at},'
        f'"depth":{row.depth},"external":{row.external},"id":{row.id},"kind":{encode_basestring(row.kind)},'
        f'"link":{row.link},"node_count":{row.node_count},"parent_id":{_or_null(row.parent_id)},'
        f'"replaces_id":{_or_null(row.replaces_id)},"seq":{row.seq},"snapshot":{_or_null(row.snapshot)},'
        f'"writer":{"null" if row.writer is None else encode_basestring(row.writer)}}}]'
    )


def end_hash(row: EndRow) -> bytes:
    """Return what the hash of an end must be."""
    return _digest(
        f'["{row.prev_hash.hex()}","final",{{"commitment":"{row.commitment.hex()}","ended_at":{row.ended_at},'
        f'"interaction_id":{row.interaction_id},"link":{row.link},"pieces":{row.pieces},'
        f'"status":{encode_basestring(row.status)}}}]'
    )


def sealed(salt: bytes, fields: bytes, words: bytes) -> bytes:
    """Return what words as they are stored commit to."""
    return hashlib.sha256(b"%b%b\0%b" % (salt, fields, words)).digest()


def _or_null(value: int | None) -> int | str:
    return "null" if value is None else value


def _digest(text: str) -> bytes:
    # Bytes that are no UTF-8 any more were read with stand-ins, and go back to what they are.
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
