"""From an interaction to the message that stands for it in a request; the same every time."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from assistant.plan.files import DESCRIPTION_LEAD, FILE_LEAD, FileForm, file_message, forms_of
from assistant.plan.messages import Message, MessageRole
from storage.attachments.attachment import attachment_in
from storage.interactions import Interaction
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, ATTACHMENT, COMPACTION, TICKET
from storage.tickets import Ticket, TicketMessage
from storage.values import Json, JsonObject

TICKET_LEAD: Final = "The ticket, as data in JSON:"
"""The line above a ticket's JSON; the task's system message says how to treat it."""

SUMMARY_LEAD: Final = "The earlier turns of this conversation, summarised, as data in JSON:"
"""The line above the JSON of a summary."""

HISTORY_LEAD: Final = "The turns to summarise, as data in JSON:"
"""The line above the JSON of what a summary is made from."""

CHECK_LEAD: Final = "The request and the answer to check, as data in JSON:"
"""The line above the JSON of an answer that is checked."""

LEADS: Final = (TICKET_LEAD, SUMMARY_LEAD, HISTORY_LEAD, FILE_LEAD, DESCRIPTION_LEAD, CHECK_LEAD)
"""What a line of JSON can stand below."""

ROLES: Final[Mapping[str, MessageRole]] = {AGENT_MESSAGE.name: "user", ASSISTANT_RESPONSE.name: "assistant"}
"""The kinds that are sent word for word, each as whose message."""

_AUTHORS: Final[Mapping[MessageRole, str]] = {"user": "agent"}

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def render(interaction: Interaction, *, include_notes: bool = False, form: FileForm | None = None) -> Message | None:
    """Render one interaction, or None when nothing of it is sent: the root, and answers that failed before a word.

    An attached file is rendered in this form, by default in the fullest that it has.
    """
    kind, content = interaction.node.kind, interaction.content
    role = ROLES.get(kind)
    if role is not None:
        return Message(role, content) if content and not content.isspace() else None
    match kind:
        case TICKET.name if interaction.ticket is not None:
            return Message("user", ticket_text(interaction.ticket, include_notes=include_notes))
        case COMPACTION.name if content.strip():
            return Message("user", summary_text(content, interaction.node.meta))
        case ATTACHMENT.name if (attachment := attachment_in(interaction)) is not None:
            forms = forms_of(attachment)
            chosen = form or next(iter(forms), None)
            return file_message(attachment, chosen) if chosen in forms else None
        case _:
            return None


def summary_text(summary: str, meta: Mapping[str, Json]) -> str:
    """Render a summary as one line of JSON below a lead line, so that nothing written in it can end its frame.

    `meta` is the compaction's, which says what it covers.
    """
    shown: dict[str, Json] = {"summary": summary}
    match meta.get("covers"):
        case {"first_turn": int(first), "last_turn": int(last)}:
            shown = {"turns": f"{first} to {last}", **shown}
    return f"{SUMMARY_LEAD}\n{json.dumps(shown, ensure_ascii=False)}"


def check_text(question: Interaction, answer: Interaction) -> str:
    """Render what is checked as one line of JSON below a lead line; a ticket that is answered itself is no request."""
    request = None if question.kind == TICKET.name else question.content
    return f"{CHECK_LEAD}\n{json.dumps({'request': request, 'answer': answer.content}, ensure_ascii=False)}"


def history_text(messages: Iterable[Message], most_words: int) -> str:
    """Render what is to be summarised, in at most so many words, as one line of JSON below a lead line."""
    said: list[Json] = [said_in_history(message) for message in messages]
    shown: dict[str, Json] = {"most_words": most_words, "messages": said}
    return f"{HISTORY_LEAD}\n{json.dumps(shown, ensure_ascii=False)}"


def said_in_history(message: Message) -> JsonObject:
    """One message as it stands in a history."""
    return {"author": _AUTHORS.get(message.role, message.role), "text": message.content}


def read_history(text: str) -> tuple[int, list[tuple[str, str]]] | None:
    """Read what `history_text` wrote: how many words, and author and text of each message; None for any other text."""
    lead, _, data = text.partition("\n")
    if lead != HISTORY_LEAD:
        return None
    try:
        document: Json = json.loads(data)
    except (ValueError, RecursionError):
        return None
    match document:
        case {"most_words": int(most_words), "messages": list(said)}:
            return most_words, [
                (author, message)
                for each in said
                if isinstance(each, dict)
                and isinstance(author := each.get("author"), str)
                and isinstance(message := each.get("text"), str)
            ]
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
