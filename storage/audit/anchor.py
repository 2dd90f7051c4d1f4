"""Anchored heads: how long each conversation's chain was, and its last hash, kept outside the database.

An anchor holds no words and no names, so that it can be given to anybody. What was in the record when it was made
cannot be changed, cut or put back later without its hashes telling. Requests are no links of the chain, so a head has a
hash over them beside that of the last link.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from storage.audit.hashing import request_hash
from storage.audit.rows import RecordRows
from storage.chain import GENESIS, canonical_json
from storage.errors import UnreadableError
from storage.store import Store
from storage.values import Json, JsonObject

FORMAT: Final = "ticketree-anchor"
VERSION: Final = 2


@dataclass(frozen=True, slots=True)
class Head:
    """Where one conversation stands.

    Attributes:
        links: how many links its chain has.
        hash: hex, that of the last link.
        requests: how many requests it has.
        requests_hash: hex, over all that is stored of them beside their bytes, such as node, time and digest.
    """

    conversation_id: int
    links: int
    hash: str
    requests: int
    requests_hash: str

    def as_json(self) -> JsonObject:
        """The head as anchors hold it."""
        return {
            "conversation": self.conversation_id,
            "links": self.links,
            "hash": self.hash,
            "requests": self.requests,
            "requests_hash": self.requests_hash,
        }


@dataclass(frozen=True, slots=True)
class Anchor:
    """The heads of conversations at one moment.

    Attributes:
        made_at: microseconds since 1970 UTC, by this machine's clock.
        heads: by conversation.
    """

    made_at: int
    heads: Mapping[int, Head]

    @property
    def links(self) -> int:
        """How many links all conversations have."""
        return sum(head.links for head in self.heads.values())

    @property
    def hash(self) -> str:
        """One hash (hex) for all of it; short enough to be written down."""
        return _hash_of([head.as_json() for _, head in sorted(self.heads.items())])

    def as_json(self) -> JsonObject:
        """The anchor as its file holds it."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "made_at": self.made_at,
            "record": {"conversations": len(self.heads), "links": self.links, "hash": self.hash},
            "conversations": [head.as_json() for _, head in sorted(self.heads.items())],
        }


def anchor_record(store: Store, made_at: int, conversation_id: int | None = None) -> Anchor:
    """Return the heads of all conversations now, or of one."""
    heads = store.audited(lambda rows: list(_heads(rows, conversation_id)))
    return Anchor(made_at, {head.conversation_id: head for head in heads})


def head_of(rows: RecordRows, conversation_id: int) -> Head | None:
    """Return the head of one conversation, None where it has no links."""
    return next(_heads(rows, conversation_id), None)


def read_anchor(document: Json) -> Anchor:
    """Read what an anchor's file holds.

    Raises:
        UnreadableError: it is no anchor, is of another version, or was changed.
    """
    match document:
        case {
            "format": "ticketree-anchor",
            "version": 2,
            "made_at": int(made_at),
            "record": {"hash": str(expected)},
            "conversations": list(entries),
        }:
            heads = {head.conversation_id: head for head in map(_read_head, entries)}
            anchor = Anchor(made_at, heads)
            if anchor.hash != expected or len(heads) != len(entries):
                raise UnreadableError("The anchor was changed: its heads do not give its own hash.")
            return anchor
        case {"format": "ticketree-anchor", "version": int(version)} if version != VERSION:
            raise UnreadableError(
                f"The anchor is of version {version}, whose hashes are made otherwise than those of version {VERSION}; "
                "make a new one: `ticketree audit anchor -o FILE`."
            )
        case _:
            raise UnreadableError("This is no anchor; `ticketree audit anchor -o FILE` makes one.")


def _read_head(entry: Json) -> Head:
    match entry:
        case {
            "conversation": int(conversation_id),
            "links": int(links),
            "hash": str(link_hash),
            "requests": int(requests),
            "requests_hash": str(requests_hash),
        }:
            return Head(conversation_id, links, link_hash, requests, requests_hash)
        case _:
            raise UnreadableError("The anchor holds something that is no head of a conversation.")


def _heads(rows: RecordRows, conversation_id: int | None) -> Iterator[Head]:
    requests: dict[int, tuple[int, bytes]] = {}
    for request in rows.requests(conversation_id, bodies=False):
        count, before = requests.get(request.conversation_id, (0, GENESIS))
        requests[request.conversation_id] = count + 1, request_hash(before, request)
    for conversation, link, last in rows.heads(conversation_id):
        asked, requests_hash = requests.get(conversation, (0, GENESIS))
        yield Head(conversation, link, last.hex(), asked, requests_hash.hex())


def _hash_of(value: Json) -> str:
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()
