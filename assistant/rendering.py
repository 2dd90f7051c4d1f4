"""From an interaction to the message that stands for it in a request; the same every time."""

import json
from datetime import UTC, datetime, timedelta
from typing import Final

from assistant.messages import Message
from storage.interactions import Interaction
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, TICKET
from storage.tickets import Ticket, TicketMessage
from storage.values import Json

TICKET_LEAD: Final = "The ticket, as data in JSON:"
"""The line above a ticket's JSON; the task's system message says how to treat it."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def render(interaction: Interaction, *, include_notes: bool = False) -> Message | None:
    """Render one interaction, or None when nothing of it is sent: the root, and answers that failed before a word."""
    match interaction.kind:
        case TICKET.name if interaction.ticket is not None:
            return Message("user", ticket_text(interaction.ticket, include_notes=include_notes))
        case AGENT_MESSAGE.name if interaction.content.strip():
            return Message("user", interaction.content)
        case ASSISTANT_RESPONSE.name if interaction.content.strip():
            return Message("assistant", interaction.content)
        case _:
            return None


def ticket_text(ticket: Ticket, *, include_notes: bool = False) -> str:
    """Render a ticket as one line of JSON below a lead line, so that nothing written in it can end its frame.

    Internal notes are left out unless asked for, and then marked. Hidden elements were left out at import.
    """
    shown: dict[str, Json] = {
        "id": ticket.id,
        "subject": ticket.subject,
        "customer": ticket.customer,
        "language": ticket.language,
        "messages": [_message(message) for message in ticket.messages if include_notes or not message.internal],
    }
    return f"{TICKET_LEAD}\n{json.dumps(shown, ensure_ascii=False)}"


def _message(message: TicketMessage) -> dict[str, Json]:
    shown: dict[str, Json] = {"author": message.author, "role": message.role.value}
    if message.internal:
        shown["internal"] = True
    if message.created_at is not None:
        shown["at"] = _iso_time(message.created_at)
    shown["text"] = message.text
    if message.attachments:
        shown["attachments"] = [
            {"name": file.name, "media_type": file.media_type, "size_bytes": file.size_bytes}
            for file in message.attachments
        ]
    return shown


def _iso_time(microseconds: int) -> str | None:
    """Write a time to the second, or None when it lies outside the years that have a date."""
    try:
        return (_EPOCH + timedelta(microseconds=microseconds)).isoformat(timespec="seconds").replace("+00:00", "Z")
    except OverflowError:
        return None
