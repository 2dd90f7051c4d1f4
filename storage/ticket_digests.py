"""What the digest of a ticket's snapshot covers: the words as they were taken in, in one canonical form."""

import hashlib
from collections.abc import Sequence

from storage.chain import canonical_json
from storage.tickets import IncomingTicket, TicketMessage
from storage.values import Json, JsonObject


def message_json(message: TicketMessage) -> JsonObject:
    """Return a message as its digest sees it."""
    return {
        "author": message.author,
        "role": message.role.value,
        "text": message.text,
        "created_at": message.created_at,
        "internal": message.internal,
        "attachments": [[file.name, file.media_type, file.size_bytes] for file in message.attachments],
        "hidden_count": message.hidden_count,
        "source_id": message.source_id,
    }


def snapshot_json(
    ticket_id: str, subject: str, customer: str, language: str, messages: Sequence[TicketMessage]
) -> JsonObject:
    """Return a snapshot as its digest sees it."""
    return {
        "id": ticket_id,
        "subject": subject,
        "customer": customer,
        "language": language,
        "messages": [message_json(message) for message in messages],
    }


def snapshot_digest(ticket: IncomingTicket) -> str:
    """Return the digest of a ticket's words as a source brings them."""
    return digest_of(snapshot_json(ticket.id, ticket.subject, ticket.customer, ticket.language, ticket.messages))


def digest_of(value: Json) -> str:
    """Return SHA-256 (hex) over a value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def message_digest(message: TicketMessage) -> str:
    """Return the digest of a message."""
    return digest_of(message_json(message))
