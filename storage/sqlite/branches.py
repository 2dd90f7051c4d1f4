"""Adding a branch that was read from elsewhere, in one transaction."""

from collections.abc import Sequence

from sqlite_utils import Database

from storage.errors import RefusedError
from storage.interactions import IncomingNode, Status
from storage.kinds import ROOT, TICKET, kind_named
from storage.sqlite import tickets
from storage.sqlite.appending import Entry, append, append_piece, end
from storage.sqlite.nodes import conversation


def add_branch(db: Database, conversation_id: int, nodes: Sequence[IncomingNode], now: int) -> list[int]:
    """Add nodes below the root, each with its content and its end; returns their ids."""
    root_id = _root_id(db, conversation_id)
    ids: list[int] = []
    for node in nodes:
        kind = kind_named(node.kind)
        if not kind.external or kind is ROOT or node.status is Status.STREAMING:
            raise RefusedError(f"A {node.kind} ({node.status}) from elsewhere cannot be a node of a branch.")
        parent_id = root_id if node.parent is None else ids[node.parent]
        replaces_id = None if node.replaces is None else ids[node.replaces]
        entry = Entry(kind, parent_id, node.author, node.meta, replaces_id)
        node_id = append(db, conversation_id, entry, now if node.created_at is None else node.created_at)
        append_piece(db, conversation_id, node_id, node.text)
        preview = _subject(db, conversation_id, node) if kind is TICKET else ""
        end(db, conversation_id, node_id, node.status, node.detail, now, preview=preview)
        ids.append(node_id)
    return ids


def _root_id(db: Database, conversation_id: int) -> int:
    root_id: int = db.execute(
        "SELECT id FROM interaction WHERE conversation_id = ? AND parent_id IS NULL", (conversation_id,)
    ).fetchone()[0]
    return root_id


def _subject(db: Database, conversation_id: int, node: IncomingNode) -> str:
    number = node.meta["snapshot"]
    assert isinstance(number, int)
    return tickets.snapshot(db, conversation(db, conversation_id).ticket_id, number).subject
