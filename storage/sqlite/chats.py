"""Saving a chat that came in: each of its nodes once, nothing overwritten, all in one transaction."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from sqlite_utils import Database

from storage.chats import ChatOutcome, IncomingChat, SavedChat
from storage.closed_means import ClosedMeans
from storage.interactions import Conversation, IncomingNode
from storage.kinds import TICKET, kind_named
from storage.sqlite import comparing, conversations, saving, tickets, views
from storage.sqlite.branches import add_node, root_id
from storage.sqlite.comparing import Comparison
from storage.sqlite.comparing_nodes import Compared, State
from storage.sqlite.lifecycles import FROM_CUSTOMER
from storage.tickets import OPEN

_ABOVE: Final = """
    WITH RECURSIVE up (id, parent_id) AS (
        SELECT id, parent_id FROM interaction WHERE conversation_id = :conversation AND id = :node
        UNION ALL
        SELECT i.id, i.parent_id FROM up CROSS JOIN interaction i
            ON i.conversation_id = :conversation AND i.id = up.parent_id
    )
    SELECT 1 FROM up WHERE id = :above
"""


def compare(db: Database, agent: str, chat: IncomingChat, ticket_id: str | None, means: ClosedMeans) -> SavedChat:
    """Say what saving a chat would come to."""
    return comparing.compare(db, agent, chat, ticket_id, means).outcome()


def save(
    db: Database,
    agent: str,
    chat: IncomingChat,
    ticket_id: str | None,
    is_alive: Callable[[str], bool],
    now: int,
    means: ClosedMeans,
) -> SavedChat:
    """Add what is new of a chat."""
    compared = comparing.compare(db, agent, chat, ticket_id, means)
    made = compared.outcome()
    if made.outcome is ChatOutcome.UNCHANGED:
        return replace(made, node_ids=tuple(each.at.id_in(()) for each in compared.nodes if each.at))
    if chat.ticket is not None and tickets.find(db, compared.ticket_id) is None:
        saving.add_new(db, replace(chat.ticket, id=compared.ticket_id), now)
    if compared.said:
        saving.add_status(db, tickets.row_id(db, compared.ticket_id), compared.said, now)
    if compared.opens:
        saving.add_status(db, tickets.row_id(db, compared.ticket_id), OPEN, now, FROM_CUSTOMER)
    for version in compared.versions:
        if (key := tickets.find(db, compared.ticket_id)) is None:
            saving.add_new(db, version, now)
        else:
            saving.add_version(db, key, version, now)
    place = compared.conversation
    if place is None:
        place = _opened(db, agent, compared.ticket_id, chat, now)
        compared = comparing.compare_at(db, compared.ticket_id, place, chat)
    conversations.settle(db, place.id, is_alive, now)
    ids = _add_nodes(db, place, compared, now)
    if chat.source is not None:
        saving.add_sources(db, tickets.row_id(db, place.ticket_id), (chat.source,))
    if chat.current is not None:
        _show(db, place, ids[chat.current], is_new=made.outcome is ChatOutcome.NEW, now=now)
    return replace(made, node_ids=tuple(ids))


def _opened(db: Database, agent: str, ticket_id: str, chat: IncomingChat, now: int) -> Conversation:
    """A new conversation; a copy of one that began with a ticket node begins with the same."""
    first = next((node for node in chat.nodes if kind_named(node.kind).external), None)
    begins = first is not None and first.kind == TICKET.name and first.parent is None
    as_it_began = _numbered(db, ticket_id, first) if begins and first is not None else None
    return conversations.open_pair(db, agent, ticket_id, now, began_at=chat.began_at, first=as_it_began)


def _numbered(db: Database, ticket_id: str, node: IncomingNode) -> IncomingNode:
    """A node as it stands in this record: the version that a ticket node stands for has another number here."""
    if node.kind != TICKET.name:
        return node
    number = tickets.number_of(db, ticket_id, str(node.meta["digest"]))
    return replace(node, meta={**node.meta, "snapshot": number})


def _add_nodes(db: Database, place: Conversation, compared: Comparison, now: int) -> list[int]:
    top_id, chats = root_id(db, place.id), dict(compared.chats)
    ids: list[int] = []
    for each in compared.nodes:
        if each.is_added:
            ids.append(_add(db, place, each, ids, top_id, now))
        else:
            assert each.at is not None
            ids.append(each.at.id_in(ids))
        if each.state is not State.KNOWN:
            chat_id = chats[each.origin.chat] or _add_chat(db, place, each.origin.chat, now)
            chats[each.origin.chat] = chat_id
            db.execute(
                "INSERT INTO imported_node (conversation_id, chat_id, key, version, interaction_id)"
                " VALUES (?, ?, ?, ?, ?)",
                (place.id, chat_id, each.origin.node, each.version, ids[-1]),
            )
    if not compared.nodes:
        for chat in [chat for chat, row_id in chats.items() if row_id is None]:
            _add_chat(db, place, chat, now)
    return ids


def _add(db: Database, place: Conversation, each: Compared, ids: list[int], top_id: int, now: int) -> int:
    node = _numbered(db, place.ticket_id, each.node)
    parent_id = top_id if node.parent is None else ids[node.parent]
    earlier_id = None if node.replaces is None else ids[node.replaces]
    if each.was_held and each.at is not None:
        earlier_id = each.at.id_in(ids)
    replaces_id = earlier_id if _may_replace(db, place, node, parent_id, earlier_id) else None
    return add_node(db, place, node, parent_id, replaces_id, now)


def _add_chat(db: Database, place: Conversation, key: bytes, now: int) -> int:
    added: int | None = db.execute(
        "INSERT INTO imported_chat (conversation_id, key, imported_at) VALUES (?, ?, ?)", (place.id, key, now)
    ).lastrowid
    assert added is not None
    return added


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
