"""Chats in the shapes in which programs export them, and what of a chat is in a record."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from storage.audit.rows import EndRow, EntryRow, RecordRows
from storage.importers.importing import import_paths
from storage.importers.report import ImportReport
from storage.interactions import Conversation, Interaction, Node
from storage.kinds import TICKET
from storage.sqlite_store import SqliteStore
from storage.values import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a chat that a test makes up.

    Attributes:
        above: position of the earlier message below which it stands, None for a first message.
    """

    id: str
    above: int | None
    by_user: bool
    text: str


def ids_below(said: Sequence[Said], position: int | None) -> list[str]:
    """Return the ids of a message's children, or of the first messages, in their order."""
    return [each.id for each in said if each.above == position]


def a_chatgpt_message(node_id: str, role: str, content: Json, **more: Json) -> dict[str, Json]:
    """Return a message of ChatGPT."""
    author: JsonObject = {"role": role, "name": None, "metadata": {}}
    return {"id": node_id, "author": author, "content": content, "metadata": {}, "recipient": "all", **more}


def text_content(*parts: Json) -> JsonObject:
    """Return the content of an ordinary message of ChatGPT."""
    return {"content_type": "text", "parts": list(parts)}


def a_chatgpt_chain(*messages: JsonObject | None, chat: str = "c1", title: str = "Hammock") -> dict[str, Json]:
    """Return a chat of ChatGPT in which each message stands below the one before, the last one current."""
    ids = [f"n{place}" for place in range(len(messages))]
    mapping: dict[str, Json] = {
        node_id: {
            "id": node_id,
            "parent": ids[place - 1] if place else None,
            "children": ids[place + 1 : place + 2],
            "message": message,
        }
        for place, (node_id, message) in enumerate(zip(ids, messages, strict=True))
    }
    return {"title": title, "create_time": 1.7e9, "mapping": mapping, "current_node": ids[-1], "conversation_id": chat}


def as_chatgpt(said: Sequence[Said], current: int) -> Json:
    """Return a chat as ChatGPT exports it."""
    mapping: dict[str, Json] = {
        "root": {"id": "root", "parent": None, "children": ids_below(said, None), "message": None}
    }
    for position, each in enumerate(said):
        mapping[each.id] = {
            "id": each.id,
            "parent": "root" if each.above is None else said[each.above].id,
            "children": ids_below(said, position),
            "message": a_chatgpt_message(each.id, "user" if each.by_user else "assistant", text_content(each.text)),
        }
    return [{"title": "t", "conversation_id": "c", "mapping": mapping, "current_node": said[current].id}]


def as_claude(said: Sequence[Said], current: int) -> Json:
    """Return a chat as Claude exports it."""
    nobody = "00000000-0000-4000-8000-000000000000"
    messages: list[Json] = [
        {
            "uuid": each.id,
            "sender": "human" if each.by_user else "assistant",
            "text": each.text,
            "content": [{"type": "text", "text": each.text}],
            "parent_message_uuid": nobody if each.above is None else said[each.above].id,
        }
        for each in said
    ]
    chat = {"uuid": "c", "name": "t", "chat_messages": messages, "current_leaf_message_uuid": said[current].id}
    return [chat]


def _librechat_message(each: Said, said: Sequence[Said]) -> dict[str, Json]:
    return {
        "messageId": each.id,
        "parentMessageId": "00000000-0000-0000-0000-000000000000" if each.above is None else said[each.above].id,
        "isCreatedByUser": each.by_user,
        "sender": "User" if each.by_user else "GPT",
        "text": each.text,
    }


def as_librechat(said: Sequence[Said], current: int) -> Json:
    """Return a chat as LibreChat exports it with all branches."""
    del current
    return {"conversationId": "c", "title": "t", "messages": [_librechat_message(each, said) for each in said]}


def as_recursive_librechat(said: Sequence[Said], current: int) -> Json:
    """Return a chat as LibreChat exports it when messages are to hold their answers."""
    del current
    made: list[dict[str, Json]] = [{**_librechat_message(each, said), "children": []} for each in said]
    tops: list[Json] = []
    for each, message in zip(said, made, strict=True):
        if each.above is None:
            tops.append(message)
        else:
            children = made[each.above]["children"]
            assert isinstance(children, list)
            children.append(message)
    return {"conversationId": "c", "title": "t", "recursive": True, "messagesTree": tops}


def as_open_webui(said: Sequence[Said], current: int) -> Json:
    """Return a chat as Open WebUI exports it."""
    messages: dict[str, Json] = {
        each.id: {
            "id": each.id,
            "parentId": None if each.above is None else said[each.above].id,
            "childrenIds": ids_below(said, position),
            "role": "user" if each.by_user else "assistant",
            "content": each.text,
        }
        for position, each in enumerate(said)
    }
    return [{"id": "c", "title": "t", "chat": {"history": {"messages": messages, "currentId": said[current].id}}}]


SHAPES = {
    "ChatGPT": as_chatgpt,
    "Claude": as_claude,
    "LibreChat": as_librechat,
    "LibreChat, recursive": as_recursive_librechat,
    "Open WebUI": as_open_webui,
}


@dataclass(frozen=True, slots=True)
class Hidden:
    """An internal interaction."""

    kind: str
    author: str
    text: str
    parent_id: int | None


class ChatDesk:
    """A record into which a test imports chats, for one agent."""

    def __init__(self, store: SqliteStore, folder: Path, agent: str = "camille") -> None:
        self.store = store
        self.folder = folder
        self.agent = agent

    def bring(self, value: Json | bytes, name: str = "export.json", **options: str | bool) -> ImportReport:
        """Import a value as a file, or the bytes of one."""
        path = self.folder / name
        path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
        return self.bring_files(path, **options)

    def bring_files(self, *paths: Path, **options: str | bool) -> ImportReport:
        """Import files."""
        return import_paths(self.store, paths, agent=self.agent, **options)  # type: ignore[arg-type]

    def conversation(self, ticket_id: str = "") -> Conversation:
        """Return the agent's conversation on a ticket, by default on the only one."""
        if not ticket_id:
            (ticket,) = self.store.tickets(self.agent)
            ticket_id = ticket.id
        return self.store.conversation(self.agent, ticket_id)

    def nodes(self, ticket_id: str = "") -> list[Node]:
        """Return what is shown of the chats, in insertion order."""
        nodes = self.store.nodes(self.conversation(ticket_id).id)
        return [node for node in nodes[1:] if node.kind != TICKET.name]

    def shown(self, ticket_id: str = "") -> list[str]:
        """Return the texts on the chosen path."""
        return [each.content for each in self.path(ticket_id)]

    def path(self, ticket_id: str = "") -> list[Interaction]:
        """Return the chosen path without root and ticket."""
        found = self.conversation(ticket_id)
        path = self.store.path(found.id, self.store.selected(found.id))
        return [each for each in path[1:] if each.kind != TICKET.name]

    def hidden(self) -> list[Hidden]:
        """Return everything that was brought in without being shown, oldest first."""
        return self.store.audited(_hidden)

    def tree(self, ticket_id: str = "") -> list[tuple[int | None, bool, str]]:
        """Return what is shown as (position of the parent, by the agent, text), each after its parent."""
        found = self.conversation(ticket_id)
        nodes = self.nodes(ticket_id)
        positions = {node.id: position for position, node in enumerate(nodes)}
        texts = {each.id: each.content for each in self.store.contents(found.id)}
        return [(positions.get(node.parent_id or 0), node.kind == "agent_message", texts[node.id]) for node in nodes]


def _hidden(rows: RecordRows) -> list[Hidden]:
    links = list(rows.links())
    inner = {each.id: each for each in links if isinstance(each, EntryRow) and not each.external}
    ends = [each for each in links if isinstance(each, EndRow) and each.interaction_id in inner]
    return [_hidden_entry(inner[end.interaction_id], end) for end in ends]


def _hidden_entry(entry: EntryRow, end: EndRow) -> Hidden:
    text = b"".join([end.data or b"", *(data for _, data in end.more or ())])
    return Hidden(entry.kind.decode(), (entry.author or b"").decode(), text.decode(), entry.parent_id)


def source_of(node: Node) -> Mapping[str, Json]:
    """Return what a node says about where it comes from."""
    source = node.meta["source"]
    assert isinstance(source, Mapping)
    return source
