"""Tickets as rows: snapshots of messages, each message and each raw source kept once."""

import json
from typing import Final

from sqlite_utils import Database

from storage.closed_means import ClosedMeans
from storage.errors import NotFoundError
from storage.sqlite.erasures import erased_ticket, known_erasure
from storage.sqlite.lifecycles import FROM_AGENT, formats
from storage.text import storable
from storage.tickets import CLOSED, ERASED, Role, Ticket, TicketAttachment, TicketMessage, TicketSummary

_STATUS: Final = "(SELECT status FROM ticket_status WHERE ticket_id = t.id ORDER BY id DESC LIMIT 1)"
"""The status in the log; an erased ticket's is ERASED, whatever stands there."""

_NEWEST: Final = "(SELECT max(number) FROM ticket_snapshot WHERE ticket_id = t.id)"


def row_id(db: Database, ticket_id: str) -> int:
    """The key of a ticket's rows.

    Raises:
        NotFoundError: no such ticket.
    """
    found = find(db, ticket_id)
    if found is None:
        raise NotFoundError(f"There is no ticket {ticket_id}.")
    return found


def find(db: Database, ticket_id: str) -> int | None:
    """The key of a ticket's rows, or None where it is not known."""
    found = db.execute("SELECT id FROM ticket WHERE name = ?", (storable(ticket_id),)).fetchone()
    key: int | None = found[0] if found else None
    return key


def snapshot(db: Database, ticket_id: str, number: int | None = None) -> Ticket:
    """One snapshot, by default the newest."""
    key = row_id(db, ticket_id)
    row = db.execute(
        f"SELECT s.number, {_NEWEST}, w.subject, w.customer, w.language, {_STATUS}, w.created_at, w.digest, w.extra"
        f" FROM ticket t JOIN ticket_snapshot s ON s.ticket_id = t.id"
        f" LEFT JOIN snapshot_words w ON w.ticket_id = s.ticket_id AND w.number = s.number"
        f" WHERE t.id = ? AND s.number = coalesce(?, {_NEWEST})",
        (key, number),
    ).fetchone()
    if row is None:
        raise NotFoundError(f"There is no snapshot {number} of ticket {ticket_id}.")
    found, newest, subject, customer, language, status, created_at, digest, extra = row
    if subject is None:
        return erased_ticket(storable(ticket_id), found, newest, known_erasure(db, key))
    return Ticket(
        id=storable(ticket_id),
        snapshot=found,
        snapshots=newest,
        subject=subject,
        customer=customer,
        language=language,
        status=status,
        created_at=created_at,
        messages=messages(db, key, found),
        digest=digest,
        extra=json.loads(extra),
    )


def number_of(db: Database, ticket_id: str, digest: str) -> int:
    """The number of the snapshot with this digest.

    Raises:
        NotFoundError: the ticket has no such snapshot.
    """
    row = db.execute(
        "SELECT number FROM snapshot_words WHERE ticket_id = ? AND digest = ?", (row_id(db, ticket_id), digest)
    ).fetchone()
    if row is None:
        raise NotFoundError(f"There is no snapshot {digest[:12]} of ticket {ticket_id}.")
    number: int = row[0]
    return number


def messages(db: Database, key: int, number: int) -> tuple[TicketMessage, ...]:
    """The messages of a snapshot, in its order."""
    rows = db.execute(
        "SELECT author, role, text, created_at, internal, attachments, hidden_count, source_id"
        " FROM snapshot_message j JOIN ticket_message m ON m.id = j.message_id"
        " WHERE j.ticket_id = ? AND j.snapshot = ? ORDER BY j.position",
        (key, number),
    )
    return tuple(
        TicketMessage(
            author=author,
            role=Role(role),
            text=text,
            created_at=created_at,
            internal=bool(internal),
            attachments=tuple(TicketAttachment(*attachment) for attachment in json.loads(attachments)),
            hidden_count=hidden_count,
            source_id=source_id,
        )
        for author, role, text, created_at, internal, attachments, hidden_count, source_id in rows
    )


def summaries(db: Database, agent: str, status: str | None, means: ClosedMeans) -> list[TicketSummary]:
    """The tickets as an agent sees them, newest first by creation, ties by id."""
    rows = db.execute(
        f"""
        SELECT t.id, t.name, w.subject, w.customer, l.status, l.origin, w.language, s.number,
            coalesce(w.created_at, t.added_at), c.id,
            (SELECT node_count FROM interaction WHERE conversation_id = c.id ORDER BY seq DESC LIMIT 1),
            EXISTS (SELECT 1 FROM final WHERE interaction_id = (
                SELECT id FROM interaction WHERE conversation_id = c.id AND external = 1 ORDER BY seq DESC LIMIT 1))
        FROM ticket t CROSS JOIN ticket_snapshot s ON s.ticket_id = t.id AND s.number = {_NEWEST}
        LEFT JOIN snapshot_words w ON w.ticket_id = s.ticket_id AND w.number = s.number
        LEFT JOIN ticket_status l ON l.id = (SELECT max(id) FROM ticket_status WHERE ticket_id = t.id)
        LEFT JOIN conversation c ON c.ticket_id = t.id AND c.agent_id = (SELECT id FROM agent WHERE name = ?)
        """,
        (storable(agent),),
    ).fetchall()
    rows.sort(key=lambda row: (-row[8], row[1]))
    formats_of = formats(db) if means.by_format else {}
    found = [
        TicketSummary(
            id=name,
            subject=known_erasure(db, key).notice if subject is None else subject,
            customer=customer or "",
            status=ERASED if subject is None else now,
            language=language or "",
            snapshots=newest,
            nodes=node_count - 1 if conversation_id else 0,
            running=bool(conversation_id and not ended),
            erased=subject is None,
            closed=subject is not None
            and means.says_closed(now, formats_of.get(key, ()), imported=origin != FROM_AGENT),
        )
        for key, name, subject, customer, now, origin, language, newest, _, conversation_id, node_count, ended in rows
    ]
    return [
        summary
        for summary in found
        if status is None or summary.status == status or (summary.closed and status == CLOSED)
    ]


def sources(db: Database, ticket_id: str) -> list[tuple[str, str, bytes]]:
    """Name, format and bytes of everything that a ticket was read from."""
    return db.execute(
        "SELECT s.name, s.format, r.data FROM ticket_source s JOIN raw_source r ON r.id = s.raw_source_id"
        " WHERE s.ticket_id = ? ORDER BY s.position",
        (row_id(db, ticket_id),),
    ).fetchall()
