"""Open WebUI: a history of messages by id, each with parent and children, and the one that is current."""

from collections.abc import Mapping
from typing import Final

from storage.importers.chats.fields import (
    escaped,
    has_surrogate,
    id_of,
    ids_of,
    items_of,
    list_of,
    object_of,
    plain_text,
    text_of,
    time_of,
)
from storage.importers.chats.notes import Notes
from storage.importers.chats.program import ChatProgram
from storage.importers.chats.rows import Placed, Rows, loose_row, nodes_of
from storage.importers.chats.source import SourceChat, SourceMessage, SourceNode
from storage.importers.chats.speakers import kind_of_role, loose_message
from storage.importers.chats.wording import FILE, IMAGE, placeholder, unknown
from storage.interactions import Status
from storage.kinds import ASSISTANT_RESPONSE, OBSERVATION
from storage.values import Json, JsonObject

_PLACE: Final = frozenset({"role", "parentId", "childrenIds"})


def recognise(value: JsonObject) -> bool:
    """Whether an object wraps a chat with a history, or with a list of messages."""
    chat = object_of(value.get("chat"))
    return isinstance(chat.get("history"), Mapping) or isinstance(chat.get("messages"), list)


def read(value: JsonObject) -> SourceChat:
    """Read one chat."""
    chat = object_of(value["chat"])
    history = object_of(chat.get("history"))
    messages = object_of(history.get("messages"))
    rows = _nodes(messages) if messages else nodes_of(_rows(chat), no_parent="")
    return SourceChat(
        id=id_of(value.get("id")) or id_of(chat.get("id")),
        title=text_of(value.get("title")) or text_of(chat.get("title")),
        created_at=time_of(value.get("created_at")) or time_of(chat.get("timestamp")),
        nodes=rows.nodes,
        current=id_of(history.get("currentId")),
        notes=rows.notes,
        strays=rows.strays,
    )


PROGRAM: Final = ChatProgram("Open WebUI", "open-webui", recognise, read)


def _nodes(messages: JsonObject) -> Rows:
    nodes: list[SourceNode] = []
    notes, strays = Notes(), 0
    named = {child for message in messages.values() for child in ids_of(object_of(message).get("childrenIds"))}
    for node_id, value in messages.items():
        if not isinstance(value, Mapping):
            nodes.append(SourceNode(node_id, message=loose_message(value)))
            strays += nodes[-1].message is None
            continue
        message = object_of(value)
        if message.keys().isdisjoint(_PLACE) and node_id not in named:
            notes.add("neither a writer nor a place; set aside, and kept with the source", node_id)
            continue
        nodes.append(
            SourceNode(
                id=node_id,
                parent=id_of(message.get("parentId")) or None,
                is_root="parentId" in message and message["parentId"] is None,
                children=ids_of(message.get("childrenIds")),
                message=_message(message),
            )
        )
    return Rows(tuple(nodes), notes.clauses(), strays)


def _rows(chat: JsonObject) -> list[Placed]:
    return [
        Placed(id_of(each.get("id")), "parentId" in each, id_of(each.get("parentId")), _message(each))
        if isinstance(each, Mapping)
        else loose_row(each)
        for each in list_of(chat.get("messages"))
    ]


def _message(message: JsonObject) -> SourceMessage:
    content = message.get("content")
    parts = items_of(content)
    files = [_file(object_of(file)) for file in list_of(message.get("files"))]
    text = "\n".join(filter(None, [*map(_part, parts), _error(message), *files]))
    role = text_of(message.get("role"))
    said = kind_of_role(role)
    kind = said if said and (text.strip() or not said.external) else OBSERVATION
    facts: dict[str, Json] = {
        name: found
        for name in ("timestamp", "modelName")
        if (found := message.get(name)) is not None and isinstance(found, str | int | float)
    }
    if not kind.external:
        text = escaped(message)
    elif files or "error" in message or not isinstance(content, str) or has_surrogate(text):
        facts["raw"] = escaped({name: message.get(name) for name in ("content", "files", "error")})
    return SourceMessage(
        kind=kind,
        text=text,
        author="" if kind.external else role,
        model=text_of(message.get("model")) if kind is ASSISTANT_RESPONSE else "",
        created_at=time_of(message.get("timestamp")),
        status=Status.INTERRUPTED if message.get("done") is False else Status.COMPLETE,
        facts=facts,
        is_unknown=said is None and bool(text.strip()),
    )


def _part(part: Json) -> str:
    fields = object_of(part)
    match kind := text_of(fields.get("type")):
        case "text":
            return plain_text(fields.get("text"))
        case "image_url":
            return placeholder(IMAGE)
        case _:
            return part if isinstance(part, str) else plain_text(part) or unknown(kind)


def _error(message: JsonObject) -> str:
    error = message.get("error")
    return text_of(error) or text_of(object_of(error).get("content"))


def _file(file: JsonObject) -> str:
    what = IMAGE if text_of(file.get("type")) == "image" else FILE
    return placeholder(what, text_of(file.get("name")))
