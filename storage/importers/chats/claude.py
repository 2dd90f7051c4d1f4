"""Claude: a list of messages, each with its parent; older exports name none, and there the order is the chain."""

from collections.abc import Mapping, Sequence
from typing import Final

from storage.importers.chats.fields import (
    escaped,
    has_surrogate,
    id_of,
    list_of,
    object_of,
    text_of,
    time_of,
)
from storage.importers.chats.program import ChatProgram
from storage.importers.chats.rows import Placed, nodes_of
from storage.importers.chats.source import SourceChat, SourceMessage
from storage.importers.chats.wording import FILE, IMAGE, placeholder, unknown
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, OBSERVATION, TOOL_CALL, TOOL_RESULT, InteractionKind
from storage.values import Json, JsonObject

_NO_PARENT: Final = "00000000-0000-4000-8000-000000000000"
_SHOWN_SENDERS: Final = {"human": AGENT_MESSAGE, "user": AGENT_MESSAGE, "assistant": ASSISTANT_RESPONSE}
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
    rows = [_placed(message) for message in list_of(value["chat_messages"]) if isinstance(message, Mapping)]
    nodes, notes = nodes_of(rows, no_parent=_NO_PARENT)
    return SourceChat(
        id=id_of(value.get("uuid")),
        title=text_of(value.get("name")),
        created_at=time_of(value.get("created_at")),
        nodes=nodes,
        current=id_of(value.get("current_leaf_message_uuid")),
        notes=notes,
    )


PROGRAM: Final = ChatProgram("Claude", "claude", recognise, read)


def _placed(message: JsonObject) -> Placed:
    return Placed(
        id=id_of(message.get("uuid")),
        names_parent="parent_message_uuid" in message,
        parent=id_of(message.get("parent_message_uuid")),
        message=_message(message),
    )


def _message(message: JsonObject) -> SourceMessage:
    blocks = [object_of(block) for block in list_of(message.get("content"))]
    text = "\n\n".join(shown for block in blocks if (shown := _block(block))) or text_of(message.get("text"))
    files = [_file(object_of(file)) for name in ("attachments", "files") for file in list_of(message.get(name))]
    text = "\n".join(filter(None, [text, *files]))
    sender = text_of(message.get("sender"))
    kind = _kind(sender, blocks, text)
    facts: dict[str, Json] = {
        name: found for name in ("created_at", "updated_at") if (found := text_of(message.get(name)))
    }
    if not kind.external:
        text = escaped(message)
    elif files or has_surrogate(text) or any(text_of(block.get("type")) != "text" for block in blocks):
        facts["raw"] = escaped({name: message.get(name) for name in ("content", "attachments", "files")})
    return SourceMessage(
        kind=kind,
        text=text,
        author="" if kind.external else sender,
        created_at=time_of(message.get("created_at")),
        facts=facts,
    )


def _block(block: JsonObject) -> str:
    match text_of(block.get("type")):
        case "text":
            return text_of(block.get("text"))
        case "image":
            return placeholder(IMAGE)
        case kind if kind in _HIDDEN_BLOCKS:
            return ""
        case kind:
            return text_of(block.get("text")) or unknown(kind)


def _file(file: JsonObject) -> str:
    what = IMAGE if text_of(file.get("file_kind")) == "image" else FILE
    return placeholder(what, text_of(file.get("file_name")))


def _kind(sender: str, blocks: Sequence[JsonObject], text: str) -> InteractionKind:
    shown = _SHOWN_SENDERS.get(sender)
    if shown is not None and text.strip():
        return shown
    hidden = [_HIDDEN_BLOCKS[kind] for block in blocks if (kind := text_of(block.get("type"))) in _HIDDEN_BLOCKS]
    return hidden[-1] if hidden else OBSERVATION
