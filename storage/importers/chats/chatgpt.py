"""ChatGPT: a mapping of nodes, each with its parent and its children, and the one that is current.

The same shape comes from the official export (a list, sharded in newer ones) and from tools that save a single chat.
"""

from collections.abc import Mapping
from typing import Final

from storage.importers.chats.chatgpt_content import HIDDEN_TYPES, content_text
from storage.importers.chats.fields import escaped, has_surrogate, id_of, ids_of, object_of, text_of, time_of
from storage.importers.chats.program import ChatProgram
from storage.importers.chats.source import SourceChat, SourceMessage, SourceNode
from storage.importers.chats.speakers import kind_of_role, loose_message
from storage.interactions import Status
from storage.kinds import ASSISTANT_RESPONSE, OBSERVATION, TOOL_CALL, TOOL_RESULT, InteractionKind
from storage.values import Json, JsonObject

_TO_EVERYONE: Final = frozenset({"", "all"})
_HIDDEN_CHANNELS: Final = frozenset({"analysis"})
_HIDING_MARKS: Final = ("is_visually_hidden_from_conversation", "is_user_system_message")
_ENDINGS: Final = {"interrupted": Status.INTERRUPTED, "max_tokens": Status.LENGTH}


def recognise(value: JsonObject) -> bool:
    """Whether an object has a mapping and something else that only a chat has."""
    return (
        "mapping" in value
        and isinstance(value["mapping"], Mapping | None)
        and not value.keys().isdisjoint({"title", "create_time", "current_node", "conversation_id"})
    )


def read(value: JsonObject) -> SourceChat:
    """Read one chat."""
    nodes = tuple(_node(node_id, node) for node_id, node in object_of(value["mapping"]).items())
    return SourceChat(
        id=id_of(value.get("conversation_id")) or id_of(value.get("id")),
        title=text_of(value.get("title")),
        created_at=time_of(value.get("create_time")),
        nodes=nodes,
        current=id_of(value.get("current_node")),
        strays=sum(node.is_stray for node in nodes),
    )


PROGRAM: Final = ChatProgram("ChatGPT", "chatgpt", recognise, read)


def _node(node_id: str, value: Json) -> SourceNode:
    node = object_of(value)
    said = node.get("message") if isinstance(value, Mapping) else value
    message = _message(said) if isinstance(said, Mapping) else loose_message(said)
    return SourceNode(
        id=node_id,
        parent=id_of(node.get("parent")) or None,
        is_root="parent" in node and node["parent"] is None,
        children=ids_of(node.get("children")),
        message=message,
        is_stray=message is None and (said is not None or value is None),
    )


def _message(message: JsonObject) -> SourceMessage:
    author, metadata = message.get("author"), object_of(message.get("metadata"))
    content, attachments = message.get("content"), metadata.get("attachments")
    role = text_of(author) or text_of(object_of(author).get("role"))
    text, is_whole = content_text(content, attachments)
    known = _kind(message, role, metadata, text)
    kind = known or OBSERVATION
    facts: dict[str, Json] = {
        name: found
        for name in ("create_time", "update_time", "status", "recipient", "channel")
        if (found := message.get(name)) is not None and isinstance(found, str | int | float)
    }
    if not kind.external:
        text = escaped(message)
    elif not is_whole or has_surrogate(text):
        facts["raw"] = escaped({"content": content, "attachments": attachments})
    return SourceMessage(
        kind=kind,
        text=text,
        author=text_of(object_of(author).get("name")) or ("" if kind.external else role),
        model=text_of(metadata.get("model_slug")) if kind is ASSISTANT_RESPONSE else "",
        created_at=time_of(message.get("create_time")),
        status=_ENDINGS.get(text_of(object_of(metadata.get("finish_details")).get("type")), Status.COMPLETE),
        facts=facts,
        is_unknown=known is None,
    )


def _kind(message: JsonObject, role: str, metadata: JsonObject, text: str) -> InteractionKind | None:
    """What is addressed to a tool, comes from one, or is hidden from the person, is not shown; neither is nothing.

    None for words of which it is not known whose they are.
    """
    said = kind_of_role(role)
    if said is TOOL_RESULT:
        return TOOL_RESULT
    if text_of(object_of(message.get("content")).get("content_type")) in HIDDEN_TYPES:
        return OBSERVATION
    if said is ASSISTANT_RESPONSE and text_of(message.get("recipient")) not in _TO_EVERYONE:
        return TOOL_CALL
    if any(metadata.get(mark) is True for mark in _HIDING_MARKS) or message.get("channel") in _HIDDEN_CHANNELS:
        return OBSERVATION
    return said if text.strip() else OBSERVATION
