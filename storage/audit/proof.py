"""A proof of one conversation: all that the stand-alone verifier needs, and no part of any other conversation.

::

    {"format": "ticketree-proof", "version": 2, "conversation": 7, "agent": …, "ticket": …,
     "erasure": null | {"agent", "erased_at", "reason", "notice"},
     "head": {"conversation", "links", "hash", "requests", "requests_hash"},
     "links": [{"what": "interaction", "prev_hash", "hash", "commitment", "fields": {…}, "salt", "author", "meta"},
               {"what": "final", "prev_hash", "hash", "commitment", "fields": {…}, "salt", "detail", "content"}, …],
     "snapshots": [{"snapshot", "digest", "words": {…}}, …],
     "requests": [{"hash", "fields": {…}, "body"}, …]}

Hashes and salts are hex. Words that were erased are null, and `notice` is what exports show for them. The hash of a
request is that over the requests up to it. Bytes that are no UTF-8 stand in texts as lone surrogates, U+DC80 to U+DCFF.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from storage.audit.anchor import head_of
from storage.audit.hashing import END_FIELDS, ENTRY_FIELDS, REQUEST_FIELDS, request_hash
from storage.audit.rows import EndRow, EntryRow, Link, RecordRows, RequestRow, SnapshotRow
from storage.chain import GENESIS
from storage.endings import Erasure
from storage.errors import NotFoundError
from storage.store import Store
from storage.ticket_digests import snapshot_json
from storage.values import Json, JsonObject

FORMAT: Final = "ticketree-proof"
VERSION: Final = 2

VERIFIER: Final = Path(__file__).parent / "standalone" / "verify_export.py"
"""The script that checks a proof; it runs anywhere by itself."""


def proof(store: Store, conversation_id: int) -> JsonObject:
    """Return the proof of a conversation as it is now.

    Raises:
        NotFoundError: there is no such conversation.
    """
    return store.audited(lambda rows: _proof(rows, conversation_id))


def _proof(rows: RecordRows, conversation_id: int) -> JsonObject:
    conversation = next((row for row in rows.conversations() if row.id == conversation_id), None)
    head = head_of(rows, conversation_id)
    if conversation is None or head is None:
        raise NotFoundError("There is no such conversation.")
    return {
        "format": FORMAT,
        "version": VERSION,
        "conversation": conversation.id,
        "agent": conversation.agent,
        "ticket": conversation.ticket,
        "erasure": _erasure(rows, conversation.ticket),
        "head": head.as_json(),
        "links": [_link(row) for row in rows.links(conversation_id)],
        "snapshots": [_snapshot(row) for row in rows.snapshots(conversation.ticket)],
        "requests": list(_requests(rows.requests(conversation_id))),
    }


def _erasure(rows: RecordRows, ticket: str) -> JsonObject | None:
    row = rows.erasure(ticket)
    if row is None:
        return None
    notice = Erasure(ticket, row.agent, row.reason, row.erased_at, {}).notice
    return {"agent": row.agent, "erased_at": row.erased_at, "reason": row.reason, "notice": notice}


def _link(row: Link) -> JsonObject:
    is_entry = isinstance(row, EntryRow)
    names = ENTRY_FIELDS if is_entry else END_FIELDS
    chained: JsonObject = {
        "what": "interaction" if is_entry else "final",
        "prev_hash": row.prev_hash.hex(),
        "hash": row.hash.hex(),
        "commitment": row.commitment.hex(),
        "fields": {name: _value(getattr(row, name)) for name in names if name != "commitment"},
        "salt": None if row.salt is None else row.salt.hex(),
    }
    match row:
        case EntryRow():
            return {**chained, "author": _text(row.author), "meta": _text(row.meta)}
        case EndRow():
            return {**chained, "detail": _text(row.detail), "content": None if row.salt is None else _content(row)}


def _value(stored: int | bytes | None) -> Json:
    return _text(stored) if isinstance(stored, bytes) else stored


def _content(row: EndRow) -> str | None:
    return _text(b"".join((row.data or b"", *(data for _, data in row.more or ()))))


def _snapshot(row: SnapshotRow) -> JsonObject:
    words = row.words
    if words is None or words.messages is None:
        return {"snapshot": row.number, "digest": words.digest if words else None, "words": None}
    return {
        "snapshot": row.number,
        "digest": words.digest,
        "words": snapshot_json(row.ticket, words.subject, words.customer, words.language, words.messages),
    }


def _requests(rows: Iterable[RequestRow]) -> Iterator[JsonObject]:
    before = GENESIS
    for row in rows:
        before = request_hash(before, row)
        fields = {name: getattr(row, name) for name in REQUEST_FIELDS}
        yield {"hash": before.hex(), "fields": fields, "body": _text(row.body)}


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("utf-8", "surrogateescape")
