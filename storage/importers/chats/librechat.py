"""LibreChat: a list of messages with their parents, or a tree of messages that hold their answers."""

from collections.abc import Iterator, Mapping
from typing import Final

from storage.importers.chats.fields import (
    escaped,
    has_surrogate,
    id_of,
    items_of,
    list_of,
    object_of,
    plain_text,
    text_of,
    time_of,
)
from storage.importers.chats.program import ChatProgram
from storage.importers.chats.rows import Placed, loose_row, nodes_of
from storage.importers.chats.source import SourceChat, SourceMessage
from storage.importers.chats.speakers import kind_of_role
from storage.importers.chats.wording import FILE, IMAGE, placeholder, shown_text, unknown
from storage.interactions import Status
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, OBSERVATION, InteractionKind
from storage.values import Json, JsonObject

_NO_PARENT: Final = "00000000-0000-0000-0000-000000000000"
_LISTS: Final = ("messages", "messagesTree")
_HIDDEN_PARTS: Final = frozenset({"think", "tool_call", "agent_update"})


def recognise(value: JsonObject) -> bool:
    """Whether an object has a conversation's id and its messages, under LibreChat's names."""
    return "conversationId" in value and any(isinstance(value.get(name), list) for name in _LISTS)


def read(value: JsonObject) -> SourceChat:
    """Read one chat."""
    rows = nodes_of(list(_rows(value)), no_parent=_NO_PARENT)
    return SourceChat(
        id=id_of(value.get("conversationId")),
        title=text_of(value.get("title")),
        created_at=time_of(value.get("createdAt")),
        nodes=rows.nodes,
        notes=rows.notes,
        strays=rows.strays,
    )


PROGRAM: Final = ChatProgram("LibreChat", "librechat", recognise, read)


def _rows(value: JsonObject) -> Iterator[Placed]:
    """Yield the messages, each before those that it holds."""
    tops = [message for name in _LISTS for message in items_of(value.get(name))]
    waiting: list[tuple[Json, int | None]] = [(message, None) for message in reversed(tops)]
    count = -1
    while waiting:
        message, holder = waiting.pop()
        count += 1
        if not isinstance(message, Mapping):
            yield loose_row(message, holder)
            continue
        yield Placed(
            id=id_of(message.get("messageId")),
            names_parent="parentMessageId" in message,
            parent=id_of(message.get("parentMessageId")),
            message=_message(message),
            holder=holder,
        )
        waiting += [(child, count) for child in reversed(items_of(message.get("children")))]


def _message(message: JsonObject) -> SourceMessage:
    parts = items_of(message.get("content"))
    text = "\n\n".join(shown for part in parts if (shown := _part(part))) or shown_text(message.get("text"))
    files = [_file(object_of(file)) for name in ("files", "attachments") for file in list_of(message.get(name))]
    text = "\n".join(filter(None, [text, *files]))
    said = _kind(message)
    kind = said if said and text.strip() else OBSERVATION
    own = {name: each for name, each in message.items() if name != "children"}
    facts: dict[str, Json] = {
        name: found
        for name in ("createdAt", "updatedAt", "endpoint", "error", "unfinished")
        if (found := message.get(name)) is not None and isinstance(found, str | int | float)
    }
    if not kind.external:
        text = escaped(own)
    elif parts or files or has_surrogate(text) or not isinstance(message.get("text"), str | None):
        facts["raw"] = escaped({name: message.get(name) for name in ("text", "content", "files", "attachments")})
    return SourceMessage(
        kind=kind,
        text=text,
        author=text_of(message.get("sender")),
        model=text_of(message.get("model")) if kind is ASSISTANT_RESPONSE else "",
        created_at=time_of(message.get("createdAt")),
        status=Status.INTERRUPTED if message.get("unfinished") is True else Status.COMPLETE,
        facts=facts,
        is_unknown=said is None and bool(text.strip()),
    )


def _kind(message: JsonObject) -> InteractionKind | None:
    """Whose a message is by its mark, else by the name of who sent it, else by a model that is named."""
    mark = message.get("isCreatedByUser")
    match mark.strip().casefold() if isinstance(mark, str) else mark:
        case True | "true":
            return AGENT_MESSAGE
        case False | "false":
            return ASSISTANT_RESPONSE
    return kind_of_role(text_of(message.get("sender"))) or (
        ASSISTANT_RESPONSE if text_of(message.get("model")) else None
    )


def _part(part: Json) -> str:
    fields = object_of(part)
    match kind := text_of(fields.get("type")):
        case "text":
            text = fields.get("text")
            return plain_text(text) or text_of(object_of(text).get("value"))
        case "image_file" | "image_url":
            return placeholder(IMAGE)
        case "error":
            return text_of(fields.get("error")) or text_of(fields.get("text"))
        case _ if kind in _HIDDEN_PARTS:
            return ""
        case _:
            return plain_text(part) or unknown(kind)


def _file(file: JsonObject) -> str:
    what = IMAGE if text_of(file.get("type")).startswith("image/") else FILE
    return placeholder(what, text_of(file.get("filename")))
