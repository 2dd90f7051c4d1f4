"""Conversations and what is added to them: the transitions of the tree."""

from collections.abc import Callable

from sqlite_utils import Database

from storage.errors import NotFoundError, RefusedError, TurnRunningError
from storage.interactions import Conversation, IncomingNode, Node, Status
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, ROOT, TICKET, InteractionKind
from storage.sqlite import tickets, views
from storage.sqlite.agents import agent_key
from storage.sqlite.appending import Entry, append, append_piece, append_whole, end
from storage.sqlite.branches import add_node
from storage.sqlite.node_reader import conversation, snapshot_number
from storage.sqlite.nodes import one_node
from storage.sqlite.refusals import RUNNING
from storage.text import storable
from storage.tickets import Ticket
from storage.values import JsonObject


def find(db: Database, agent: str, ticket_id: str) -> Conversation | None:
    """The pair's conversation, or None where there is none yet.

    Raises:
        NotFoundError: no such ticket.
    """
    agent, ticket_id = storable(agent), storable(ticket_id)
    row = db.execute(
        "SELECT c.id FROM conversation c JOIN agent a ON a.id = c.agent_id WHERE a.name = ? AND c.ticket_id = ?",
        (agent, tickets.row_id(db, ticket_id)),
    ).fetchone()
    return Conversation(row[0], agent, ticket_id) if row else None


def locate(db: Database, agent: str, node_id: int) -> Conversation:
    """The conversation of this agent that holds a node."""
    agent = storable(agent)
    row = db.execute(
        "SELECT c.id, t.name FROM interaction i JOIN conversation c ON c.id = i.conversation_id"
        " JOIN agent a ON a.id = c.agent_id JOIN ticket t ON t.id = c.ticket_id"
        " WHERE i.id = ? AND i.external = 1 AND a.name = ?",
        (node_id, agent),
    ).fetchone()
    if row is None:
        raise NotFoundError(f"{agent} has no conversation with a node {node_id}.")
    return Conversation(row[0], agent, row[1])


def open_pair(
    db: Database,
    agent: str,
    ticket_id: str,
    now: int,
    *,
    began_at: int | None = None,
    first: IncomingNode | None = None,
) -> Conversation:
    """The pair's conversation, made where there is none: root, then the ticket as it is now.

    A copy of another conversation began when that one did, and with its `first` ticket node.
    """
    if found := find(db, agent, ticket_id):
        return found
    db.execute(
        "INSERT INTO conversation (agent_id, ticket_id, created_at) VALUES (?, ?, ?)",
        (agent_key(db, agent, now), tickets.row_id(db, ticket_id), now if began_at is None else began_at),
    )
    made = find(db, agent, ticket_id)
    assert made is not None
    root = Entry(ROOT, None, agent, {"agent": made.agent, "ticket": made.ticket_id})
    root_id = append_whole(db, made.id, root, "", now, created_at=began_at)
    if first is None:
        _enter(db, made.id, root_id, tickets.snapshot(db, ticket_id), now)
    else:
        views.choose_new(db, made.id, add_node(db, made, first, root_id, None, now), now)
    return made


def add_snapshot(db: Database, conversation_id: int, parent_id: int, number: int, now: int) -> int:
    """Let a newer snapshot enter below a node."""
    entering = tickets.snapshot(db, conversation(db, conversation_id).ticket_id, number)
    at: int | None = parent_id
    while at is not None:
        node = one_node(db, conversation_id, at)
        if node.kind == TICKET.name:
            if snapshot_number(node) >= number:
                raise RefusedError(f"Snapshot {number} of the ticket is not newer than the one on this path.")
            break
        at = node.parent_id
    return _enter(db, conversation_id, parent_id, entering, now)


def _enter(db: Database, conversation_id: int, parent_id: int, ticket: Ticket, now: int) -> int:
    entry = Entry(TICKET, parent_id, ticket.customer, {"snapshot": ticket.snapshot, "digest": ticket.digest})
    node_id = append_whole(db, conversation_id, entry, "", now, preview=ticket.subject)
    views.choose_new(db, conversation_id, node_id, now)
    return node_id


def add_message(
    db: Database, conversation_id: int, parent_id: int, author: str, text: str, replaces_id: int | None, now: int
) -> int:
    """Add what an agent wrote, and choose it."""
    entry = Entry(AGENT_MESSAGE, parent_id, author, {}, replaces_id)
    node_id = append_whole(db, conversation_id, entry, text, now)
    views.choose_new(db, conversation_id, node_id, now)
    return node_id


def begin_answer(
    db: Database,
    conversation_id: int,
    parent_id: int,
    author: str,
    meta: JsonObject,
    replaces_id: int | None,
    writer: str,
    now: int,
) -> int:
    """Add an answer that `writer` is about to write, and choose it."""
    entry = Entry(ASSISTANT_RESPONSE, parent_id, author, meta, replaces_id, writer)
    node_id = append(db, conversation_id, entry, now)
    views.choose_new(db, conversation_id, node_id, now)
    return node_id


def add_text(db: Database, conversation_id: int, node_id: int, text: str) -> None:
    """Append a piece to an answer."""
    _known_node(db, conversation_id, node_id)
    append_piece(db, conversation_id, node_id, text)


def finish(db: Database, conversation_id: int, node_id: int, status: Status, detail: JsonObject, now: int) -> None:
    """End an answer."""
    if status is Status.STREAMING:
        raise RefusedError("An answer ends as complete, interrupted, length, error or crashed.")
    _known_node(db, conversation_id, node_id)
    end(db, conversation_id, node_id, status, detail, now)


def add_internal(
    db: Database,
    conversation_id: int,
    parent_id: int,
    kind: InteractionKind,
    author: str,
    text: str,
    meta: JsonObject,
    now: int,
) -> int:
    """Hang an internal interaction on a node."""
    if kind.external:
        raise RefusedError(f"The kind {kind.name} is a node of the tree, no internal interaction.")
    return append_whole(db, conversation_id, Entry(kind, parent_id, author, meta), text, now)


def settle(db: Database, conversation_id: int, is_alive: Callable[[str], bool], now: int) -> None:
    """Make room for a new node: close an answer whose writer is gone.

    Raises:
        TurnRunningError: the answer's writer is alive.
    """
    row = db.execute(
        "SELECT id, writer, EXISTS (SELECT 1 FROM final WHERE interaction_id = i.id) FROM interaction i"
        " WHERE conversation_id = ? AND external = 1 ORDER BY seq DESC LIMIT 1",
        (conversation_id,),
    ).fetchone()
    if row is None:
        raise NotFoundError("There is no such conversation.")
    node_id, writer, has_ended = row
    if has_ended:
        return
    if writer and is_alive(writer):
        raise TurnRunningError(RUNNING)
    end(db, conversation_id, node_id, Status.CRASHED, {}, now)


def open_answers(db: Database) -> list[tuple[int, int, str]]:
    """(conversation, node, writer) of every answer that has not ended; at most one a conversation, its newest node."""
    return db.execute(
        """
        SELECT i.conversation_id, i.id, coalesce(i.writer, '')
        FROM conversation c JOIN interaction i ON i.id = (
            SELECT id FROM interaction WHERE conversation_id = c.id AND external = 1 ORDER BY seq DESC LIMIT 1)
        WHERE NOT EXISTS (SELECT 1 FROM final WHERE interaction_id = i.id)
        ORDER BY i.id
        """
    ).fetchall()


def close_crashed(db: Database, is_alive: Callable[[str], bool], now: int) -> list[Node]:
    """Close every answer whose writer is gone."""
    gone = [found for found in open_answers(db) if not (found[2] and is_alive(found[2]))]
    for conversation_id, node_id, _ in gone:
        end(db, conversation_id, node_id, Status.CRASHED, {}, now)
    return [one_node(db, conversation_id, node_id) for conversation_id, node_id, _ in gone]


def _known_node(db: Database, conversation_id: int, node_id: int) -> None:
    if not db.execute(
        "SELECT 1 FROM interaction WHERE conversation_id = ? AND id = ? AND external = 1", (conversation_id, node_id)
    ).fetchone():
        raise NotFoundError(f"There is no node {node_id} in this conversation.")
