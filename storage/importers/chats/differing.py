"""How a chat that comes again differs from what the record holds of it, where nothing is added for the difference."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from storage.chats import IncomingChat
from storage.importers.chats.fields import object_of, text_of
from storage.importers.chats.notes import Notes
from storage.interactions import Node
from storage.kinds import kind_named
from storage.store import Store
from storage.text import storable

_PLACE: Final = "another place than when it was imported; it was left where it stands"
_WRITER: Final = "another writer than when it was imported; the old one was left"


class KnownNodes:
    """The nodes of the conversation that was asked for last, by the chat that they come from."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._state = (0, 0)
        self._nodes: defaultdict[tuple[str, str], list[Node]] = defaultdict(list)

    def of(self, chat: IncomingChat, agent: str, ticket_id: str) -> list[Node]:
        """Return what an agent's conversation on a ticket holds of a chat, as it is now."""
        conversation_id = self._store.conversation(agent, ticket_id).id
        state = conversation_id, self._store.head(conversation_id)
        if state != self._state:
            self._state = state
            self._nodes.clear()
            for node in self._store.nodes(conversation_id):
                source = object_of(node.meta.get("source"))
                self._nodes[text_of(source.get("program")), text_of(source.get("chat"))].append(node)
        return self._nodes.get((chat.program, storable(chat.id)), [])


def differences(chat: IncomingChat, nodes: Iterable[Node], changed: Sequence[str]) -> tuple[str, ...]:
    """Say which messages have another parent or another writer in the chat than in the record, as clauses.

    Args:
        chat: as it comes in.
        nodes: what the record holds of it.
        changed: the source ids of nodes whose text is another than it was, which are told by themselves.
    """
    versions: defaultdict[str, list[Node]] = defaultdict(list)
    named: dict[int, str] = {}
    for node in nodes:
        named[node.id] = text_of(object_of(node.meta["source"]).get("node"))
        versions[named[node.id]].append(node)
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
