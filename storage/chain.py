"""The hash chain of a conversation: every interaction and every end of one is a link that names the link before it.

Words enter a link only as a salted commitment: who wrote an interaction and what its kind needs, its content, and how
it ended. With words and salt kept apart they can be erased later and the chain still holds, while nobody can guess a
short text from what is left.
"""

import hashlib
import json
from typing import Final

from storage.text import storable
from storage.values import Json, JsonObject

GENESIS: Final = bytes(32)
"""What the first link of a conversation names as its predecessor."""

SALT_BYTES: Final = 16

INTERACTION_FIELDS: Final = (
    "link", "id", "seq", "kind", "external", "node_count", "parent_id", "depth", "snapshot", "created_at",
    "replaces_id", "writer",
)  # fmt: skip
"""The stored columns of an interaction that its hash covers, besides the commitment to its heading."""

FINAL_FIELDS: Final = ("link", "interaction_id", "status", "pieces", "ended_at")
"""The stored columns of an end that its hash covers, besides the commitment to detail and content."""

# Made once: `json.dumps` with these options makes an encoder for each call, which takes longer than a short value.
_canonical: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def canonical_json(value: Json) -> str:
    """Return the one way to write a value as JSON: keys sorted, no spaces, characters as themselves."""
    return storable(_canonical(value))


def commitment(salt: bytes, fields: str, words: str) -> bytes:
    """Return what stands for words in the chain: SHA-256 over the salt, the fields, a NUL, and the words.

    `fields` is canonical JSON, which holds no NUL; so no two pairs give the same bytes. For a heading they are meta and
    author, for an end detail and content.
    """
    return hashlib.sha256(b"%b%b\0%b" % (salt, fields.encode(), words.encode())).digest()


def interaction_hash(prev_hash: bytes, row: JsonObject, heading_commitment: bytes) -> bytes:
    """Return the hash of an interaction; `row` holds at least its `INTERACTION_FIELDS`."""
    fields = {name: row[name] for name in INTERACTION_FIELDS}
    return _link_hash(prev_hash, "interaction", {**fields, "commitment": heading_commitment.hex()})


def final_hash(prev_hash: bytes, row: JsonObject, content_commitment: bytes) -> bytes:
    """Return the hash of the end of an interaction; `row` holds at least its `FINAL_FIELDS`."""
    fields = {name: row[name] for name in FINAL_FIELDS}
    return _link_hash(prev_hash, "final", {**fields, "commitment": content_commitment.hex()})


def _link_hash(prev_hash: bytes, what: str, fields: JsonObject) -> bytes:
    return hashlib.sha256(canonical_json([prev_hash.hex(), what, fields]).encode()).digest()
