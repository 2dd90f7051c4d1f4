"""Adding a branch that was read from elsewhere, in one transaction."""

from collections.abc import Sequence

from sqlite_utils import Database

from storage.errors import RefusedError
from storage.interactions import Conversation, IncomingNode, Status
from storage.kinds import ROOT, TICKET, kind_named
from storage.sqlite import tickets
from storage.sqlite.appending import Entry, append, append_piece, end
from storage.sqlite.node_reader import conversation


def add_branch(db: Database, conversation_id: int, nodes: Sequence[IncomingNode], now: int) -> list[int]:
    """Add nodes below the root, each with its content and its end; returns their ids."""
    place = conversation(db, conversation_id)
    top_id = root_id(db, conversation_id)
    ids: list[int] = []
    for node in nodes:
        parent_id = top_id if node.parent is None else ids[node.parent]
        replaces_id = None if node.replaces is None else ids[node.replaces]
        ids.append(add_node(db, place, node, parent_id, replaces_id, now))
    return ids


def add_node(
    db: Database, place: Conversation, node: IncomingNode, parent_id: int, replaces_id: int | None, now: int
) -> int:
    """Add one node, or what hangs on one, with its content and its end; returns its id."""
    kind = kind_named(node.kind)
    if kind is ROOT or node.status is Status.STREAMING:
        raise RefusedError(f"A {node.kind} ({node.status}) from elsewhere cannot be a node of a branch.")
    entry = Entry(kind, parent_id, node.author or place.agent, node.meta, replaces_id)
    node_id = append(db, place.id, entry, now if node.created_at is None else node.created_at)
    append_piece(db, place.id, node_id, node.text)
    preview = _subject(db, place, node) if kind is TICKET else ""
    end(db, place.id, node_id, node.status, node.detail, now, preview=preview)
    return node_id


def root_id(db: Database, conversation_id: int) -> int:
    """The id of a conversation's root."""
    found: int = db.execute(
        "SELECT id FROM interaction WHERE conversation_id = ? AND parent_id IS NULL", (conversation_id,)
    ).fetchone()[0]
    return found


def _subject(db: Database, place: Conversation, node: IncomingNode) -> str:
    number = node.meta["snapshot"]
    assert isinstance(number, int)
    return tickets.snapshot(db, place.ticket_id, number).subject
