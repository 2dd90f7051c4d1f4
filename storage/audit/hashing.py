"""The hashes of links, made from stored values at the speed that whole records need.

They are those of `storage.chain`, written out by field, because its general encoder takes several times as long; a test
holds the two against each other.
"""

from hashlib import sha256
from json import JSONEncoder
from json.encoder import encode_basestring
from typing import Final

from storage.audit.rows import EndRow, EntryRow, RequestRow
from storage.chain import FINAL_FIELDS, INTERACTION_FIELDS

ENTRY_FIELDS: Final = tuple(sorted((*INTERACTION_FIELDS, "commitment")))
END_FIELDS: Final = tuple(sorted((*FINAL_FIELDS, "commitment")))
REQUEST_FIELDS: Final = RequestRow._fields[1:-1]
"""All that is stored of a request beside its bytes; an erasure takes none of it."""

_as_json: Final = JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode

_REMEMBERED: Final = 1_000
_SHORT_BYTES: Final = 32


class _JsonStrings(dict[bytes, str]):
    """Stored texts as JSON strings; names of kinds and the like, which stand in every row, are made once."""

    def __missing__(self, stored: bytes) -> str:
        # Bytes that are no UTF-8 any more are read with stand-ins, and go back to what they are when they are hashed.
        text = encode_basestring(stored.decode("utf-8", "surrogateescape"))
        if len(self) < _REMEMBERED and len(stored) <= _SHORT_BYTES:
            self[stored] = text
        return text


_json_strings: Final = _JsonStrings()


def entry_hash(row: EntryRow) -> bytes:
    """Return what an interaction's hash must be."""
    (_, prev_hash, _, commitment, created_at, depth, external, entry_id, kind, link, node_count, parent_id,
     replaces_id, seq, snapshot, writer, _, _, _) = row  # fmt: skip
    text = (
        f'["{prev_hash.hex()}","interaction",{{"commitment":"{commitment.hex()}","created_at":{created_at},'
        f'"depth":{depth},"external":{external},"id":{entry_id},"kind":{_json_strings[kind]},'
        f'"link":{link},"node_count":{node_count},"parent_id":{"null" if parent_id is None else parent_id},'
        f'"replaces_id":{"null" if replaces_id is None else replaces_id},"seq":{seq},'
        f'"snapshot":{"null" if snapshot is None else snapshot},'
        f'"writer":{"null" if writer is None else _json_strings[writer]}}}]'
    )
    return sha256(text.encode("utf-8", "surrogateescape")).digest()


def end_hash(row: EndRow) -> bytes:
    """Return what the hash of an end must be."""
    _, prev_hash, _, commitment, ended_at, interaction_id, link, pieces, status, _, _, _, _, _, _ = row
    text = (
        f'["{prev_hash.hex()}","final",{{"commitment":"{commitment.hex()}","ended_at":{ended_at},'
        f'"interaction_id":{interaction_id},"link":{link},"pieces":{pieces},'
        f'"status":{_json_strings[status]}}}]'
    )
    return sha256(text.encode("utf-8", "surrogateescape")).digest()


def request_hash(before: bytes, row: RequestRow) -> bytes:
    """Return the hash over a conversation's requests up to this one; `before` is that of those before it."""
    fields = {name: getattr(row, name) for name in REQUEST_FIELDS}
    return sha256(_as_json([before.hex(), "request", fields]).encode("utf-8", "surrogateescape")).digest()


def sealed(salt: bytes, fields: bytes, words: bytes) -> bytes:
    """Return what words as they are stored commit to."""
    return sha256(b"".join((salt, fields, b"\0", words))).digest()
