"""Named fields of a JSON object or of CSV rows, as a ticket.

The shape is `{"id", "subject", "customer", "body" or "messages": [{"author", "role", "text", "created_at",
"internal"}], "language", "status", "created_at"}`; whatever else there is stays in `extra`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from storage.importers.languages import guess_language, language_code
from storage.importers.times import read_time
from storage.text import storable
from storage.tickets import IncomingTicket, RawSource, Role, TicketMessage
from storage.values import Json, JsonObject

TICKET_FIELDS: Final = ("id", "subject", "customer", "body", "messages", "language", "status", "created_at")
_OF_THE_BODY: Final = ("author", "role", "internal")

NO_ZONE: Final = "times without a zone are read as UTC"
"""The one repair that concerns a file rather than a ticket."""

_ROLES: Final = {
    **dict.fromkeys(("customer", "user", "client", "requester", "end-user", "end_user", "contact"), Role.CUSTOMER),
    **dict.fromkeys(("agent", "staff", "support", "operator", "admin", "assistant", "employee"), Role.AGENT),
    **dict.fromkeys(("system", "bot", "automation"), Role.SYSTEM),
}
_YES: Final = frozenset({"true", "yes", "y", "1", "x", "on", "internal", "private", "oui", "ja", "sí", "si"})
_NO: Final = frozenset({"false", "no", "n", "0", "off", "public", "", "non", "nein", "nee", "não"})
_LONGEST_ID: Final = 200
_SHOWN_FIELDS: Final = 12
_DEEPEST_EXTRA: Final = 50


class UnusableError(Exception):
    """No ticket can be made of the fields; the message says why."""


@dataclass(slots=True)
class _Reader:
    """Reads values leniently and notes what it had to correct."""

    repairs: dict[str, None] = field(default_factory=dict)

    def note(self, repair: str) -> None:
        if repair:
            self.repairs[repair] = None

    def text(self, value: Json, what: str) -> str:
        match value:
            case None:
                return ""
            case str():
                return storable(value)
            case bool():
                raise UnusableError(f"its {what} is {str(value).lower()}, not a text")
            case int() | float():
                self.note(f"{what} is a number; taken as text")
                return str(int(value) if isinstance(value, float) and value.is_integer() else value)
            case {"name": str(name)}:
                self.note(f"{what} is an object; its name was taken")
                return storable(name)
            case _:
                raise UnusableError(f"its {what} is {_kind(value)}, not a text")

    def word(self, value: Json, what: str) -> str:
        """Read a text without which there still is a ticket."""
        try:
            return self.text(value, what)
        except UnusableError:
            self.note(f"{what} is {_kind(value)}; left out")
            return ""

    def time(self, value: Json, what: str) -> int | None:
        if isinstance(value, bool) or not isinstance(value, str | int | float | None):
            self.note(f"{what} is {_kind(value)}; left out")
            return None
        result = read_time(value)
        self.note(result.repair)
        return result.at

    def flag(self, value: Json, what: str) -> bool:
        match value:
            case bool():
                return value
            case None:
                return False
        word = str(value).strip().lower()
        if word in _YES or word in _NO:
            return word in _YES
        self.note(f"{what} is neither yes nor no; the message is kept internal")
        return True


def ticket_from(fields: JsonObject, source: RawSource) -> tuple[IncomingTicket, tuple[str, ...]]:
    """Make a ticket of named fields.

    Returns:
        The ticket, whose id is "" where the fields name none, and the repairs made.

    Raises:
        UnusableError: it has no text, or something that it cannot do without is of a wrong kind.
    """
    reader = _Reader()
    identity = reader.text(fields.get("id"), "id").strip()
    if len(identity) > _LONGEST_ID:
        raise UnusableError(f"its id is longer than {_LONGEST_ID} characters")
    customer = reader.word(fields.get("customer"), "customer")
    created_at = reader.time(fields.get("created_at"), "created_at")
    messages = tuple(_messages(reader, fields, customer, created_at))
    if not messages:
        raise UnusableError(_without_text(fields))
    if not customer:
        customer = next((message.author for message in messages if message.role is Role.CUSTOMER), "")
    return (
        IncomingTicket(
            id=identity,
            subject=reader.word(fields.get("subject"), "subject"),
            customer=customer,
            messages=messages,
            language=_language(reader, fields.get("language"), messages),
            status=reader.word(fields.get("status"), "status").strip().lower() or "open",
            created_at=created_at if created_at is not None else messages[0].created_at,
            sources=(source,),
            extra=_extra(fields),
        ),
        tuple(reader.repairs),
    )


def _messages(reader: _Reader, fields: JsonObject, customer: str, created_at: int | None) -> Iterable[TicketMessage]:
    given = fields.get("messages")
    if given is not None and (isinstance(given, str) or not isinstance(given, Sequence)):
        raise UnusableError(f"its messages are {_kind(given)}, not a list")
    body = reader.text(fields.get("body"), "body")
    first = _text_of(given[0]) if given else None
    if body.strip() and body != first:
        named = {name: fields[name] for name in _OF_THE_BODY if name in fields}
        message = _message(reader, {**named, "text": body}, customer, is_first=True)
        if message.created_at is None:
            message = _dated(message, created_at)
        yield message
    for number, entry in enumerate(given or (), 1):
        inner: Json = {"text": entry} if isinstance(entry, str) else entry
        if not isinstance(inner, Mapping):
            reader.note(f"message {number} is {_kind(entry)}; left out")
            continue
        try:
            message = _message(reader, inner, customer, is_first=number == 1 and not body.strip())
        except UnusableError as error:
            reader.note(f"message {number} was left out: {error}")
            continue
        if message.text.strip():
            yield message
        else:
            reader.note(f"message {number} has no text; left out")


def _text_of(entry: Json) -> Json:
    return entry.get("text") if isinstance(entry, Mapping) else entry


def _dated(message: TicketMessage, created_at: int | None) -> TicketMessage:
    return TicketMessage(message.author, message.role, message.text, created_at, message.internal)


def _message(reader: _Reader, fields: JsonObject, customer: str, *, is_first: bool) -> TicketMessage:
    author = reader.word(fields.get("author"), "author")
    named = reader.word(fields.get("role"), "role").strip().lower()
    is_customers = author.casefold() == customer.casefold() if author and customer else not author or is_first
    role = _ROLES.get(named)
    if role is None:
        role = Role.CUSTOMER if is_customers else Role.AGENT
        if named:
            reader.note(f"the role {named[:40]!r} is unknown; read as {role}")
    internal = reader.flag(fields.get("internal"), "internal")
    internal = internal or fields.get("private") is True or fields.get("public") is False
    return TicketMessage(
        author=author or (customer if role is Role.CUSTOMER else ""),
        role=role,
        text=reader.text(fields.get("text"), "text"),
        created_at=reader.time(fields.get("created_at"), "created_at"),
        internal=internal,
    )


def _language(reader: _Reader, value: Json, messages: Sequence[TicketMessage]) -> str:
    named = reader.word(value, "language").strip()
    if code := language_code(named):
        return code
    if named:
        reader.note(f'the language {named[:40]!r} is not a code such as "fr"; guessed from the text')
    written = [message.text for message in messages if message.role is Role.CUSTOMER]
    return guess_language(written[0] if written else "")


def _without_text(fields: JsonObject) -> str:
    if "body" in fields or "messages" in fields:
        return "it has no text"
    names = ", ".join(repr(storable(name)[:40]) for name in list(fields)[:_SHOWN_FIELDS]) or "none"
    return f"it has no text: there is no 'body' and no 'messages' among its fields ({names})"


def _extra(fields: JsonObject) -> JsonObject:
    used = {*TICKET_FIELDS, *_OF_THE_BODY}
    return {storable(name): _clean(value) for name, value in fields.items() if name not in used}


def _clean(value: Json, depth: int = 0) -> Json:
    if depth > _DEEPEST_EXTRA:
        raise UnusableError("it is nested too deeply")
    match value:
        case str():
            return storable(value)
        case Mapping():
            return {storable(name): _clean(inner, depth + 1) for name, inner in value.items()}
        case Sequence():
            return [_clean(inner, depth + 1) for inner in value]
        case _:
            return value


def _kind(value: Json) -> str:
    match value:
        case bool():
            return "true or false"
        case str():
            return "a text"
        case Mapping():
            return "an object"
        case Sequence():
            return "a list"
        case None:
            return "missing"
        case _:
            return "a number"
