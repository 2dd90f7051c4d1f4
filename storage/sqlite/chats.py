"""Saving a chat that came in: each of its nodes once, nothing overwritten, all in one transaction."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from sqlite_utils import Database

from storage.chats import ChatOutcome, IncomingChat, SavedChat, node_key
from storage.errors import NotFoundError
from storage.interactions import Conversation, IncomingNode
from storage.kinds import kind_named
from storage.sqlite import conversations, saving, tickets, views
from storage.sqlite.branches import add_node, root_id
from storage.sqlite.erasing import refuse_erased
from storage.text import storable

_OF_AGENT: Final = """
    SELECT t.name FROM imported_chat x JOIN conversation c ON c.id = x.conversation_id
        JOIN agent a ON a.id = c.agent_id JOIN ticket t ON t.id = c.ticket_id
    WHERE x.key = ? AND a.name = ? ORDER BY x.id LIMIT 1
"""
_ON_TICKET: Final = """
    SELECT 1 FROM imported_chat x JOIN conversation c ON c.id = x.conversation_id WHERE x.key = ? AND c.ticket_id = ?
"""
_KNOWN: Final = """
    SELECT n.key, n.version, n.interaction_id, i.external, p.text
    FROM imported_node n JOIN interaction i ON i.id = n.interaction_id
        LEFT JOIN payload p ON p.interaction_id = n.interaction_id
    WHERE n.chat_id = ? ORDER BY n.key, n.version, p.piece
"""
_ABOVE: Final = """
    WITH RECURSIVE up (id, parent_id) AS (
        SELECT id, parent_id FROM interaction WHERE conversation_id = :conversation AND id = :node
        UNION ALL
        SELECT i.id, i.parent_id FROM up CROSS JOIN interaction i
            ON i.conversation_id = :conversation AND i.id = up.parent_id
    )
    SELECT 1 FROM up WHERE id = :above
"""


@dataclass(slots=True)
class _Version:
    """One text under which a node of the chat is in the record."""

    number: int
    interaction_id: int
    external: bool
    text: str


class _State(Enum):
    """How an incoming node stands to the record."""

    KNOWN = auto()
    NEW = auto()
    CHANGED = auto()


@dataclass(frozen=True, slots=True)
class _Compared:
    """One incoming node beside what is known of it.

    Attributes:
        version: the same text where it is known, the newest text where it changed.
    """

    node: IncomingNode
    key: bytes
    state: _State
    version: _Version | None


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A chat beside what is known of it.

    Attributes:
        conversation: None where there is none yet.
        chat_id: of its row, None where the conversation does not hold it yet.
    """

    ticket_id: str
    conversation: Conversation | None
    chat_id: int | None
    nodes: tuple[_Compared, ...]

    def outcome(self, node_ids: tuple[int, ...] = ()) -> SavedChat:
        """Say what saving comes to."""
        added = sum(each.state is not _State.KNOWN for each in self.nodes)
        changed = tuple(each.node.source_id for each in self.nodes if each.state is _State.CHANGED)
        what = ChatOutcome.NEW if self.chat_id is None else ChatOutcome.GROWN if added else ChatOutcome.UNCHANGED
        return SavedChat(self.ticket_id, what, added, changed, node_ids)


def compare(db: Database, agent: str, chat: IncomingChat, ticket_id: str | None) -> SavedChat:
    """Say what saving a chat would come to."""
    return _compare(db, agent, chat, ticket_id).outcome()


def save(
    db: Database, agent: str, chat: IncomingChat, ticket_id: str | None, is_alive: Callable[[str], bool], now: int
) -> SavedChat:
    """Add what is new of a chat."""
    compared = _compare(db, agent, chat, ticket_id)
    made = compared.outcome()
    if made.outcome is ChatOutcome.UNCHANGED:
        return compared.outcome(tuple(each.version.interaction_id for each in compared.nodes if each.version))
    if chat.ticket is not None and tickets.find(db, compared.ticket_id) is None:
        saving.add_new(db, replace(chat.ticket, id=compared.ticket_id), now)
    place = compared.conversation or conversations.open_pair(db, agent, compared.ticket_id, now)
    conversations.settle(db, place.id, is_alive, now)
    chat_id = compared.chat_id or _add_chat(db, place, chat, now)
    ids = _add_nodes(db, place, chat_id, compared.nodes, now)
    if chat.source is not None:
        saving.add_sources(db, tickets.row_id(db, place.ticket_id), (chat.source,))
    if chat.current is not None:
        _show(db, place, ids[chat.current], is_new=compared.chat_id is None, now=now)
    return compared.outcome(tuple(ids))


def _compare(db: Database, agent: str, chat: IncomingChat, ticket_id: str | None) -> _Comparison:
    name = storable(ticket_id) if ticket_id is not None else _ticket_for(db, agent, chat)
    ticket_key = tickets.find(db, name)
    if ticket_key is not None:
        refuse_erased(db, ticket_key)
    elif ticket_id is not None or chat.ticket is None:
        raise NotFoundError(f"There is no ticket {name}.")
    place = conversations.find(db, agent, name) if ticket_key is not None else None
    chat_id = _chat_id(db, place, chat) if place else None
    known = _known(db, chat_id) if chat_id is not None else {}
    return _Comparison(name, place, chat_id, tuple(_compared(node, known) for node in chat.nodes))


def _ticket_for(db: Database, agent: str, chat: IncomingChat) -> str:
    """The ticket on which the agent has this chat, else the one made for it, else the id of one to be made."""
    if found := db.execute(_OF_AGENT, (chat.key, storable(agent))).fetchone():
        name: str = found[0]
        return name
    for name in chat.ticket_ids():
        ticket_key = tickets.find(db, name)
        if ticket_key is None or db.execute(_ON_TICKET, (chat.key, ticket_key)).fetchone():
            break
    return name


def _chat_id(db: Database, place: Conversation, chat: IncomingChat) -> int | None:
    found = db.execute(
        "SELECT id FROM imported_chat WHERE conversation_id = ? AND key = ?", (place.id, chat.key)
    ).fetchone()
    chat_id: int | None = found[0] if found else None
    return chat_id


def _known(db: Database, chat_id: int) -> dict[bytes, list[_Version]]:
    """Every text of the chat that is in the record, by its node, oldest first."""
    known: defaultdict[bytes, list[_Version]] = defaultdict(list)
    for key, number, interaction_id, external, text in db.execute(_KNOWN, (chat_id,)):
        versions = known[key]
        if not versions or versions[-1].number != number:
            versions.append(_Version(number, interaction_id, bool(external), ""))
        versions[-1].text += text or ""
    return known


def _compared(node: IncomingNode, known: dict[bytes, list[_Version]]) -> _Compared:
    key = node_key(node.source_id)
    versions = known.get(key)
    if not versions:
        return _Compared(node, key, _State.NEW, None)
    external, text = kind_named(node.kind).external, storable(node.text)
    for version in versions:
        # What is not shown is the same under the same id: its wording is the machinery's own affair.
        if version.external == external and (not external or version.text == text):
            return _Compared(node, key, _State.KNOWN, version)
    return _Compared(node, key, _State.CHANGED, versions[-1])


def _add_chat(db: Database, place: Conversation, chat: IncomingChat, now: int) -> int:
    added: int | None = db.execute(
        "INSERT INTO imported_chat (conversation_id, key, imported_at) VALUES (?, ?, ?)", (place.id, chat.key, now)
    ).lastrowid
    assert added is not None
    return added


def _add_nodes(db: Database, place: Conversation, chat_id: int, nodes: tuple[_Compared, ...], now: int) -> list[int]:
    top_id = root_id(db, place.id)
    ids: list[int] = []
    for each in nodes:
        known = each.version
        if known is not None and each.state is _State.KNOWN:
            ids.append(known.interaction_id)
            continue
        node = each.node
        parent_id = top_id if node.parent is None else ids[node.parent]
        earlier_id = known.interaction_id if known else None if node.replaces is None else ids[node.replaces]
        replaces_id = earlier_id if _may_replace(db, place, node, parent_id, earlier_id) else None
        interaction_id = add_node(db, place, node, parent_id, replaces_id, now)
        db.execute(
            "INSERT INTO imported_node (conversation_id, chat_id, key, version, interaction_id) VALUES (?, ?, ?, ?, ?)",
            (place.id, chat_id, each.key, known.number + 1 if known else 1, interaction_id),
        )
        ids.append(interaction_id)
    return ids


def _may_replace(db: Database, place: Conversation, node: IncomingNode, parent_id: int, earlier_id: int | None) -> bool:
    """Tell whether another node would be a sibling of this one; only such a one can be replaced."""
    if earlier_id is None or not kind_named(node.kind).external:
        return False
    found = db.execute(
        "SELECT 1 FROM interaction WHERE conversation_id = ? AND id = ? AND parent_id = ? AND external = 1",
        (place.id, earlier_id, parent_id),
    ).fetchone()
    return found is not None


def _show(db: Database, place: Conversation, node_id: int, *, is_new: bool, now: int) -> None:
    """Choose the chat's current node, once; later only where it continues the path that is shown."""
    at = {"conversation": place.id, "node": node_id, "above": views.selected(db, place.id)}
    if is_new or db.execute(_ABOVE, at).fetchone():
        views.select(db, place.id, node_id, now)
