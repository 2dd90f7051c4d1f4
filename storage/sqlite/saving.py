"""Saving a ticket that came in: the same again changes nothing, new words make a new snapshot."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from sqlite_utils import Database

from storage.chain import canonical_json
from storage.closed_means import ClosedMeans
from storage.retention import closed_since
from storage.sqlite import tickets
from storage.sqlite.erasing import refuse_erased
from storage.sqlite.lifecycles import FROM_CUSTOMER, lifecycle
from storage.sqlite.search_index import index_message, index_snapshot, ticket_text
from storage.text import storable
from storage.ticket_digests import message_digest, message_json, snapshot_digest
from storage.tickets import OPEN, IncomingTicket, RawSource, Role, SaveOutcome, Ticket, TicketMessage

FROM_SOURCE: Final = "import"
"""The origin of a status that a source named."""


def save(db: Database, ticket: IncomingTicket, now: int, means: ClosedMeans) -> SaveOutcome:
    """Add a ticket, a snapshot of it, or its new status."""
    ticket = _storable(ticket)
    key = tickets.find(db, ticket.id)
    if key is None:
        add_new(db, ticket, now)
        return SaveOutcome.NEW
    refuse_erased(db, key)
    stored = tickets.snapshot(db, ticket.id)
    outcome = SaveOutcome.UNCHANGED
    formats = frozenset(source.format for source in ticket.sources)
    if says_another_status(db, key, ticket.status, means, formats):
        add_status(db, key, ticket.status, now)
        outcome = SaveOutcome.STATUS
    if is_written_to_again(db, key, ticket, means, formats):
        add_status(db, key, OPEN, now, FROM_CUSTOMER)
    merged = _merged(db, key, stored, ticket)
    if not _is_known_snapshot(db, key, snapshot_digest(merged)):
        _add_snapshot(db, key, stored.snapshots + 1, merged, now)
        outcome = SaveOutcome.SNAPSHOT
    if outcome is not SaveOutcome.UNCHANGED:
        add_sources(db, key, ticket.sources)
    return outcome


def add_new(db: Database, ticket: IncomingTicket, now: int) -> None:
    """Add a ticket that is not known yet."""
    ticket = _storable(ticket)
    key = _insert(db, "INSERT INTO ticket (name, added_at) VALUES (?, ?)", (ticket.id, now))
    _add_snapshot(db, key, 1, ticket, now)
    add_status(db, key, ticket.status or OPEN, now)
    add_sources(db, key, ticket.sources)


def add_version(db: Database, key: int, ticket: IncomingTicket, now: int) -> None:
    """Add a version that another record took in as its next one, word for word."""
    newest: int = db.execute("SELECT max(number) FROM ticket_snapshot WHERE ticket_id = ?", (key,)).fetchone()[0]
    _add_snapshot(db, key, newest + 1, _storable(ticket), now)


def _merged(db: Database, key: int, stored: Ticket, incoming: IncomingTicket) -> IncomingTicket:
    """What the ticket looks like now.

    A source whose messages have ids (mail) may bring any part of a thread: its new messages follow the known ones. A
    source without ids tells the whole ticket each time, so that a corrected message takes the earlier one's place; but
    what was seen before, or is a part of it, is older than what is stored.
    """
    known = _known_messages(db, key)
    new = tuple(message for message in incoming.messages if _identity(message) not in known)
    same = [_identity(message) for message in incoming.messages] == [_identity(message) for message in stored.messages]
    whole = not any(message.source_id for message in incoming.messages)
    if same or (new and whole):
        return replace(incoming, messages=stored.messages if same else incoming.messages)
    return replace(
        incoming,
        subject=stored.subject,
        customer=stored.customer,
        language=stored.language or (incoming.language if new else ""),
        messages=(*stored.messages, *new),
        created_at=_earlier(stored.created_at, incoming.created_at),
        extra={**stored.extra, **incoming.extra},
    )


def _identity(message: TicketMessage) -> str:
    return message.source_id or message_digest(message)


def _earlier(one: int | None, other: int | None) -> int | None:
    return min((time for time in (one, other) if time is not None), default=None)


def _known_messages(db: Database, key: int) -> frozenset[str]:
    rows = db.execute("SELECT source_id, digest FROM ticket_message WHERE ticket_id = ?", (key,))
    return frozenset(source_id or digest for source_id, digest in rows)


def _is_known_snapshot(db: Database, key: int, digest: str) -> bool:
    return bool(db.execute("SELECT 1 FROM snapshot_words WHERE ticket_id = ? AND digest = ?", (key, digest)).fetchone())


def _add_snapshot(db: Database, key: int, number: int, ticket: IncomingTicket, now: int) -> None:
    db.execute("INSERT INTO ticket_snapshot (ticket_id, number, added_at) VALUES (?, ?, ?)", (key, number, now))
    db.execute(
        "INSERT INTO snapshot_words (ticket_id, number, subject, customer, language, created_at, extra, digest)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            key,
            number,
            ticket.subject,
            ticket.customer,
            ticket.language,
            ticket.created_at,
            canonical_json(ticket.extra),
            snapshot_digest(ticket),
        ),
    )
    index_snapshot(db, key, number, ticket_text(ticket.id, ticket.subject, ticket.customer))
    for position, message in enumerate(ticket.messages, 1):
        db.execute(
            "INSERT INTO snapshot_message (ticket_id, snapshot, position, message_id) VALUES (?, ?, ?, ?)",
            (key, number, position, _message_id(db, key, message)),
        )


def _message_id(db: Database, key: int, message: TicketMessage) -> int:
    digest = message_digest(message)
    found = db.execute("SELECT id FROM ticket_message WHERE ticket_id = ? AND digest = ?", (key, digest)).fetchone()
    if found:
        known: int = found[0]
        return known
    row = message_json(message)
    message_id = _insert(
        db,
        "INSERT INTO ticket_message (ticket_id, digest, source_id, author, role, text, created_at, internal,"
        " attachments, hidden_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            key,
            digest,
            message.source_id,
            message.author,
            message.role.value,
            message.text,
            message.created_at,
            int(message.internal),
            canonical_json(row["attachments"]),
            message.hidden_count,
        ),
    )
    index_message(db, key, message_id, message.text)
    return message_id


def says_another_status(db: Database, key: int, status: str, means: ClosedMeans, formats: Iterable[str] = ()) -> bool:
    """Tell whether a source says something new; what an agent did stands where it says the same as before.

    A source that goes on saying closed, in whatever word, does not know that an agent reopened the ticket.

    Args:
        status: what it says, "" where it says nothing.
        formats: of the source, where it is to be one of the ticket's.
    """
    so_far = lifecycle(db, key, means)
    said = so_far.named_by_source
    if not status or (said is not None and said.status == status):
        return False
    goes_on = (
        said is not None and said.closed and means.says_closed(status, so_far.formats.union(formats), imported=True)
    )
    return not goes_on or so_far.is_closed


def is_written_to_again(
    db: Database, key: int, ticket: IncomingTicket, means: ClosedMeans, formats: Iterable[str] = ()
) -> bool:
    """Tell whether a closed ticket gets words of its customer from after its closing, which open it.

    They do not where the source that brings them calls the ticket closed. Words without a time count as new.
    """
    so_far = lifecycle(db, key, means)
    since = closed_since(so_far)
    if since is None or means.says_closed(ticket.status, so_far.formats.union(formats), imported=True):
        return False
    known = _known_messages(db, key)
    return any(
        message.role is Role.CUSTOMER
        and not message.internal
        and _identity(message) not in known
        and (message.created_at is None or message.created_at > since)
        for message in ticket.messages
    )


def add_status(db: Database, key: int, status: str, now: int, origin: str = FROM_SOURCE) -> None:
    """Let a ticket have a status, by default one that a source named."""
    db.execute(
        "INSERT INTO ticket_status (ticket_id, status, origin, set_at) VALUES (?, ?, ?, ?)",
        (key, status, origin, now),
    )


def add_sources(db: Database, key: int, sources: Sequence[RawSource]) -> None:
    """Keep the bytes that a ticket was read from; the same ones only once."""
    for source in sources:
        digest = hashlib.sha256(source.data).hexdigest()
        found = db.execute("SELECT id FROM raw_source WHERE digest = ?", (digest,)).fetchone()
        source_id = (
            found[0]
            if found
            else _insert(db, "INSERT INTO raw_source (digest, data) VALUES (?, ?)", (digest, source.data))
        )
        if not db.execute(
            "SELECT 1 FROM ticket_source WHERE ticket_id = ? AND raw_source_id = ?", (key, source_id)
        ).fetchone():
            db.execute(
                "INSERT INTO ticket_source (ticket_id, position, raw_source_id, name, format)"
                " SELECT ?1, 1 + coalesce(max(position), 0), ?2, ?3, ?4 FROM ticket_source WHERE ticket_id = ?1",
                (key, source_id, storable(source.name), source.format),
            )


def _insert(db: Database, sql: str, parameters: Sequence[str | int | bytes | None]) -> int:
    key: int | None = db.execute(sql, parameters).lastrowid
    assert key is not None
    return key


def _storable(ticket: IncomingTicket) -> IncomingTicket:
    return replace(
        ticket,
        id=storable(ticket.id),
        subject=storable(ticket.subject),
        customer=storable(ticket.customer),
        language=storable(ticket.language),
        status=storable(ticket.status),
        messages=tuple(_storable_message(message) for message in ticket.messages),
    )


def _storable_message(message: TicketMessage) -> TicketMessage:
    return replace(
        message,
        author=storable(message.author),
        text=storable(message.text),
        source_id=storable(message.source_id),
        attachments=tuple(
            replace(file, name=storable(file.name), media_type=storable(file.media_type))
            for file in message.attachments
        ),
    )
