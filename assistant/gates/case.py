"""What a rule judges: a reply, and everything that it may have its facts from."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Final

from assistant.gates.folding import Folded, fold
from storage.tickets import Role, Ticket
from storage.values import JsonObject

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Place(StrEnum):
    """Where something in a reply may come from; the value says it in a sentence."""

    TICKET = "the ticket"
    AGENT = "your messages"
    ATTACHMENTS = "the attachments"
    HANDBOOK = "the handbook"
    ALLOWED = "the allow-list"
    NOTES = "an internal note of the ticket"


GRANTED: Final = (Place.TICKET, Place.AGENT, Place.ATTACHMENTS, Place.HANDBOOK, Place.ALLOWED)
"""What stands in one of these may be said to the customer."""


@dataclass(frozen=True)
class GateCase:
    """One reply with what it is held against; all of it belongs to one conversation.

    Attributes:
        reply: the text that would be copied.
        tickets: the snapshots of the ticket on the branch, oldest first.
        said: what the agent wrote on the branch, oldest first.
        passages: what of the handbook was used.
        files: the texts of the files that the agent attached.
        system: the task's system message.
        data: the fields of an answer that has a contract, {} where it has none.
    """

    reply: str
    tickets: tuple[Ticket, ...]
    said: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    system: str = ""
    data: JsonObject | None = None

    @cached_property
    def folded(self) -> Folded:
        """The reply as the rules read it."""
        return fold(self.reply)

    @cached_property
    def sources(self) -> dict[Place, Folded]:
        """The texts to look in, by place; only those that hold something."""
        texts = {
            Place.TICKET: "\n".join(text for ticket in self.tickets for text in _texts(ticket)),
            Place.AGENT: "\n".join(self.said),
            Place.ATTACHMENTS: "\n".join(self.files),
            Place.HANDBOOK: "\n".join(self.passages),
            Place.NOTES: "\n".join(
                message.text for ticket in self.tickets for message in ticket.messages if message.internal
            ),
        }
        return {place: fold(text) for place, text in texts.items() if text.strip()}

    @property
    def customer_texts(self) -> tuple[str, ...]:
        """What the customer wrote, oldest first, as the newest snapshot has it."""
        if not self.tickets:
            return ()
        return tuple(
            message.text
            for message in self.tickets[-1].messages
            if message.role is Role.CUSTOMER and not message.internal
        )


def _texts(ticket: Ticket) -> Iterator[str]:
    """What of a ticket a reply may repeat, as it is sent to a model without internal notes."""
    yield from (ticket.id, ticket.subject, ticket.customer)
    for message in ticket.messages:
        if message.internal:
            continue
        yield from (message.author, message.text)
        yield from (attachment.name for attachment in message.attachments)
        if message.created_at is not None:
            yield _day(message.created_at)


def _day(microseconds: int) -> str:
    try:
        return (_EPOCH + timedelta(microseconds=microseconds)).date().isoformat()
    except OverflowError:
        return ""
