"""The ticket as the built-in assistant finds it in the chain: nothing else is looked up."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from assistant.plan.messages import Message
from assistant.plan.rendering import SUMMARY_LEAD, TICKET_LEAD
from storage.importers.languages import language_code
from storage.tickets import Role

_QUOTE_TRAILER: Final = re.compile(
    r"^(?:-{2,}\s*(?:original message|ursprüngliche nachricht|message d'origine|mensaje original)|"
    r"on .{4,80} wrote:|am .{4,80} schrieb .{0,60}:|le .{4,80} a écrit\s?:|el .{4,80} escribió:)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class HandedTicket:
    """What of a ticket is in the chain.

    Attributes:
        texts: what the customer wrote, oldest first, without quoted mail and without internal notes.
    """

    id: str
    subject: str
    customer: str
    language: str
    texts: tuple[str, ...]

    @property
    def gist(self) -> str:
        """What it is about now: the subject and the newest two things that the customer wrote."""
        return "\n".join([self.subject, *self.texts[-2:]])


def find_ticket(chain: Sequence[Message]) -> HandedTicket | None:
    """The newest ticket in a chain; None where it holds none."""
    for message in reversed(chain):
        if message.role == "user" and (ticket := _read(message.content)) is not None:
            return ticket
    return None


def is_data(message: Message) -> bool:
    """The message is a ticket or a summary, not something the agent typed."""
    is_summary = message.content.startswith(f"{SUMMARY_LEAD}\n")
    return message.role == "user" and (is_summary or _read(message.content) is not None)


def _read(content: str) -> HandedTicket | None:
    lead, newline, data = content.partition("\n")
    if lead != TICKET_LEAD or not newline:
        return None
    try:
        ticket = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(ticket, dict):
        return None
    messages = ticket.get("messages")
    texts = [
        own
        for entry in (messages if isinstance(messages, list) else [])
        if isinstance(entry, dict) and entry.get("role") == Role.CUSTOMER.value and not entry.get("internal")
        if (own := own_words(_text(entry.get("text"))))
    ]
    return HandedTicket(
        _text(ticket.get("id")),
        _text(ticket.get("subject")),
        _text(ticket.get("customer")),
        language_code(_text(ticket.get("language"))),
        tuple(texts),
    )


def own_words(text: str) -> str:
    """What the writer added, without the mail they answered."""
    trailer = _QUOTE_TRAILER.search(text)
    kept = text[: trailer.start()] if trailer else text
    return "\n".join(line for line in kept.splitlines() if not line.lstrip().startswith(">")).strip()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
