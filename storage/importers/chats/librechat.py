"""LibreChat: a list of messages with their parents, or a tree of messages that hold their answers."""

from collections.abc import Iterator, Mapping
from typing import Final

from storage.importers.chats.fields import escaped, has_surrogate, id_of, list_of, object_of, text_of, time_of
from storage.importers.chats.program import ChatProgram
from storage.importers.chats.rows import Placed, nodes_of
from storage.importers.chats.source import SourceChat, SourceMessage
from storage.importers.chats.wording import FILE, IMAGE, placeholder, unknown
from storage.interactions import Status
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, OBSERVATION
from storage.values import Json, JsonObject

_NO_PARENT: Final = "00000000-0000-0000-0000-000000000000"
_LISTS: Final = ("messages", "messagesTree")
_HIDDEN_PARTS: Final = frozenset({"think", "tool_call", "agent_update"})


def recognise(value: JsonObject) -> bool:
    """Whether an object has a conversation's id and its messages, under LibreChat's names."""
    return "conversationId" in value and any(isinstance(value.get(name), list) for name in _LISTS)


def read(value: JsonObject) -> SourceChat:
    """Read one chat."""
    nodes, notes = nodes_of(list(_rows(value)), no_parent=_NO_PARENT)
    return SourceChat(
        id=id_of(value.get("conversationId")),
        title=text_of(value.get("title")),
        created_at=time_of(value.get("createdAt")),
        nodes=nodes,
        notes=notes,
    )


PROGRAM: Final = ChatProgram("LibreChat", "librechat", recognise, read)


def _rows(value: JsonObject) -> Iterator[Placed]:
    """Yield the messages, each before those that it holds."""
    tops = [message for name in _LISTS for message in list_of(value.get(name))]
    waiting: list[tuple[Json, int | None]] = [(message, None) for message in reversed(tops)]
    count = 0
    while waiting:
        message, holder = waiting.pop()
        if not isinstance(message, Mapping):
            continue
        yield Placed(
            id=id_of(message.get("messageId")),
            names_parent="parentMessageId" in message,
            parent=id_of(message.get("parentMessageId")),
            message=_message(message),
            holder=holder,
        )
        waiting += [(child, count) for child in reversed(list_of(message.get("children")))]
        count += 1


def _message(message: JsonObject) -> SourceMessage:
    parts = list_of(message.get("content"))
    text = "\n\n".join(shown for part in parts if (shown := _part(part))) or text_of(message.get("text"))
    files = [_file(object_of(file)) for name in ("files", "attachments") for file in list_of(message.get(name))]
    text = "\n".join(filter(None, [text, *files]))
    is_user = message.get("isCreatedByUser")
    kind = OBSERVATION
    if isinstance(is_user, bool) and text.strip():
        kind = AGENT_MESSAGE if is_user else ASSISTANT_RESPONSE
    own = {name: each for name, each in message.items() if name != "children"}
    facts: dict[str, Json] = {
        name: found
        for name in ("createdAt", "updatedAt", "endpoint", "error", "unfinished")
        if (found := message.get(name)) is not None and isinstance(found, str | int | float)
    }
    if not kind.external:
        text = escaped(own)
    elif parts or files or has_surrogate(text):
        facts["raw"] = escaped({name: message.get(name) for name in ("content", "files", "attachments")})
    return SourceMessage(
        kind=kind,
        text=text,
        author=text_of(message.get("sender")),
        model=text_of(message.get("model")) if kind is ASSISTANT_RESPONSE else "",
        created_at=time_of(message.get("createdAt")),
        status=Status.INTERRUPTED if message.get("unfinished") is True else Status.COMPLETE,
        facts=facts,
    )


def _part(part: Json) -> str:
    fields = object_of(part)
    match kind := text_of(fields.get("type")):
        case "text":
            text = fields.get("text")
            return text_of(text) or text_of(object_of(text).get("value"))
        case "image_file" | "image_url":
            return placeholder(IMAGE)
        case "error":
            return text_of(fields.get("error")) or text_of(fields.get("text"))
        case _ if kind in _HIDDEN_PARTS:
            return ""
        case _:
            return part if isinstance(part, str) else unknown(kind)


def _file(file: JsonObject) -> str:
    what = IMAGE if text_of(file.get("type")).startswith("image/") else FILE
    return placeholder(what, text_of(file.get("filename")))
