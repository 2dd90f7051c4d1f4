"""Claude: a list of messages, each with its parent; older exports name none, and there the order is the chain."""

from collections.abc import Mapping
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
from storage.kinds import OBSERVATION, TOOL_CALL, TOOL_RESULT
from storage.values import Json, JsonObject

_NO_PARENT: Final = "00000000-0000-4000-8000-000000000000"
_HIDDEN_BLOCKS: Final = {
    "thinking": OBSERVATION,
    "redacted_thinking": OBSERVATION,
    "tool_use": TOOL_CALL,
    "tool_result": TOOL_RESULT,
    "token_budget": OBSERVATION,
}


def recognise(value: JsonObject) -> bool:
    """Whether an object has a list of a chat's messages under the name that only Claude gives it."""
    return isinstance(value.get("chat_messages"), list)


def read(value: JsonObject) -> SourceChat:
    """Read one chat."""
    rows = nodes_of([_placed(message) for message in list_of(value["chat_messages"])], no_parent=_NO_PARENT)
    return SourceChat(
        id=id_of(value.get("uuid")),
        title=text_of(value.get("name")),
        created_at=time_of(value.get("created_at")),
        nodes=rows.nodes,
        current=id_of(value.get("current_leaf_message_uuid")),
        notes=rows.notes,
        strays=rows.strays,
    )


PROGRAM: Final = ChatProgram("Claude", "claude", recognise, read)


def _placed(message: Json) -> Placed:
    if not isinstance(message, Mapping):
        return loose_row(message)
    return Placed(
        id=id_of(message.get("uuid")),
        names_parent="parent_message_uuid" in message,
        parent=id_of(message.get("parent_message_uuid")),
        message=_message(message),
    )


def _message(message: JsonObject) -> SourceMessage:
    content = items_of(message.get("content"))
    blocks = [object_of(block) for block in content]
    text = "\n\n".join(shown for block in content if (shown := _block(block))) or shown_text(message.get("text"))
    files = [_file(object_of(file)) for name in ("attachments", "files") for file in list_of(message.get(name))]
    text = "\n".join(filter(None, [text, *files]))
    sender = text_of(message.get("sender"))
    said = kind_of_role(sender)
    hidden = [_HIDDEN_BLOCKS[name] for block in blocks if (name := text_of(block.get("type"))) in _HIDDEN_BLOCKS]
    kind = said if said and text.strip() else hidden[-1] if hidden else OBSERVATION
    is_unknown = said is None and bool(text.strip())
    facts: dict[str, Json] = {
        name: found for name in ("created_at", "updated_at") if (found := text_of(message.get(name)))
    }
    if not kind.external:
        text = escaped(message)
    elif (
        files
        or has_surrogate(text)
        or any(text_of(block.get("type")) != "text" for block in blocks)
        or not isinstance(message.get("text"), str | None)
    ):
        facts["raw"] = escaped({name: message.get(name) for name in ("text", "content", "attachments", "files")})
    return SourceMessage(
        kind=kind,
        text=text,
        author="" if kind.external else sender,
        created_at=time_of(message.get("created_at")),
        facts=facts,
        is_unknown=is_unknown,
    )


def _block(value: Json) -> str:
    block = object_of(value)
    match text_of(block.get("type")):
        case "text":
            return plain_text(block.get("text"))
        case "image":
            return placeholder(IMAGE)
        case kind if kind in _HIDDEN_BLOCKS:
            return ""
        case kind:
            return plain_text(value) or unknown(kind)


def _file(file: JsonObject) -> str:
    what = IMAGE if text_of(file.get("file_kind")) == "image" else FILE
    return placeholder(what, text_of(file.get("file_name")))
