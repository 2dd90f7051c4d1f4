"""How a chat that comes again differs from what the record holds of it, where nothing is added for the difference."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from storage.chats import IncomingChat
from storage.importers.chats.fields import object_of
from storage.importers.chats.notes import Notes
from storage.interactions import Node
from storage.kinds import kind_named
from storage.text import storable
from storage.values import Json

_PLACE: Final = "another place than when it was imported; it was left where it stands"
_WRITER: Final = "another writer than when it was imported; the old one was left"


def differences(chat: IncomingChat, nodes: Iterable[Node], changed: Sequence[str]) -> tuple[str, ...]:
    """Say which messages have another parent or another writer in the chat than in the record, as clauses.

    Args:
        chat: as it comes in.
        nodes: of the conversation that holds it.
        changed: the source ids of nodes whose text is another than it was, which are told by themselves.
    """
    versions: defaultdict[str, list[Node]] = defaultdict(list)
    named: dict[int, str] = {}
    for node in nodes:
        if (source_id := _source_id(chat, node.meta.get("source"))) is not None:
            named[node.id] = source_id
            versions[source_id].append(node)
    notes = Notes()
    for incoming in chat.nodes:
        known = versions.get(storable(incoming.source_id))
        if not known or incoming.source_id in changed or not kind_named(incoming.kind).external:
            continue
        parent = None if incoming.parent is None else storable(chat.nodes[incoming.parent].source_id)
        if all(named.get(node.parent_id or 0) != parent for node in known):
            notes.add(_PLACE, incoming.source_id)
        if all(node.kind != incoming.kind for node in known):
            notes.add(_WRITER, incoming.source_id)
    return notes.clauses()


def _source_id(chat: IncomingChat, source: Json) -> str | None:
    """Return the id that a node has in a chat, None where it does not come from it."""
    match object_of(source):
        case {"program": chat.program, "chat": str(chat_id), "node": str(node_id)} if chat_id == storable(chat.id):
            return node_id
    return None
