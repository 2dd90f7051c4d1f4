"""The hash chain of a conversation: every interaction and every end of one is a link that names the link before it.

Content enters a link only as a salted commitment. With the salt kept apart, the content can be erased later and the
chain still holds, while nobody can guess a short text from what is left.
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
    "link", "id", "seq", "kind", "external", "node_count", "parent_id", "depth", "author", "meta", "created_at",
    "replaces_id", "writer",
)  # fmt: skip
"""The stored columns of an interaction that its hash covers."""

FINAL_FIELDS: Final = ("link", "interaction_id", "status", "detail", "pieces", "ended_at")
"""The stored columns of an end that its hash covers, besides the commitment to the content."""


def canonical_json(value: Json) -> str:
    """Return the one way to write a value as JSON: keys sorted, no spaces, characters as themselves."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return storable(text)


def commitment(salt: bytes, content: str) -> bytes:
    """Return what stands for a content in the chain."""
    return hashlib.sha256(salt + content.encode()).digest()


def interaction_hash(prev_hash: bytes, row: JsonObject) -> bytes:
    """Return the hash of an interaction; `row` holds at least its `INTERACTION_FIELDS`."""
    return _link_hash(prev_hash, "interaction", {name: row[name] for name in INTERACTION_FIELDS})


def final_hash(prev_hash: bytes, row: JsonObject, content_commitment: bytes) -> bytes:
    """Return the hash of the end of an interaction; `row` holds at least its `FINAL_FIELDS`."""
    fields = {name: row[name] for name in FINAL_FIELDS}
    return _link_hash(prev_hash, "final", {**fields, "commitment": content_commitment.hex()})


def _link_hash(prev_hash: bytes, what: str, fields: JsonObject) -> bytes:
    return hashlib.sha256(canonical_json([prev_hash.hex(), what, fields]).encode()).digest()
