"""What an agent chose, typed and set: logs beside the tree, and the one draft that is overwritten."""

import json

from sqlite_utils import Database

from storage.chain import canonical_json
from storage.errors import NotFoundError
from storage.interactions import Draft
from storage.sqlite import tickets
from storage.sqlite.agents import agent_key
from storage.sqlite.nodes import head
from storage.text import storable
from storage.tree import follow
from storage.values import Json


def select(db: Database, conversation_id: int, node_id: int, now: int) -> None:
    """Choose a node; choosing it again leaves no trace."""
    if _newest_selection(db, conversation_id) == node_id:
        return
    if not db.execute(
        "SELECT 1 FROM interaction WHERE conversation_id = ? AND id = ? AND external = 1", (conversation_id, node_id)
    ).fetchone():
        raise NotFoundError(f"There is no node {node_id} in this conversation.")
    choose_new(db, conversation_id, node_id, now)


def choose_new(db: Database, conversation_id: int, node_id: int, now: int) -> None:
    """Choose a node that is known not to be chosen, as one that has just been added."""
    db.execute(
        "INSERT INTO selection (conversation_id, interaction_id, selected_at) VALUES (?, ?, ?)",
        (conversation_id, node_id, now),
    )


def selected(db: Database, conversation_id: int) -> int:
    """The node chosen last."""
    node_id = _newest_selection(db, conversation_id)
    if node_id is None:
        raise NotFoundError("There is no such conversation.")
    return node_id


def last_choice_below(db: Database, conversation_id: int, node_id: int) -> int:
    """The leaf chosen last below a node, else the newest below it."""
    links: list[tuple[int, int | None]] = db.execute(
        "SELECT id, parent_id FROM interaction WHERE conversation_id = ? AND external = 1 ORDER BY seq",
        (conversation_id,),
    ).fetchall()
    if all(node_id != known for known, _ in links):
        raise NotFoundError(f"There is no node {node_id} in this conversation.")
    way = follow(links, choices(db, conversation_id))
    at = node_id
    while at in way:
        at = way[at]
    return at


def choices(db: Database, conversation_id: int) -> dict[int, int]:
    """When each node was chosen last: the larger, the later."""
    return dict(
        db.execute(
            "SELECT interaction_id, max(id) FROM selection WHERE conversation_id = ? GROUP BY interaction_id",
            (conversation_id,),
        ).fetchall()
    )


def draft(db: Database, agent: str, ticket_id: str) -> Draft:
    """What stands in the composer."""
    row = db.execute(
        "SELECT d.text, d.target_id, d.edits FROM draft d JOIN agent a ON a.id = d.agent_id"
        " JOIN ticket t ON t.id = d.ticket_id WHERE a.name = ? AND t.name = ?",
        (storable(agent), storable(ticket_id)),
    ).fetchone()
    return Draft(row[0], row[1], bool(row[2])) if row else Draft("")


def save_draft(db: Database, agent: str, ticket_id: str, draft: Draft, now: int) -> None:
    """Keep what stands in the composer, in place of what stood there."""
    ticket_key = tickets.row_id(db, ticket_id)
    agent_id = agent_key(db, agent, now)
    if (
        draft.target_id is not None
        and not db.execute(
            "SELECT 1 FROM interaction i JOIN conversation c ON c.id = i.conversation_id"
            " WHERE i.id = ? AND i.external = 1 AND c.agent_id = ? AND c.ticket_id = ?",
            (draft.target_id, agent_id, ticket_key),
        ).fetchone()
    ):
        raise NotFoundError(f"There is no node {draft.target_id} in this conversation.")
    db.execute(
        """
        INSERT INTO draft (agent_id, ticket_id, text, target_id, edits, saved_at) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (agent_id, ticket_id) DO UPDATE SET text = excluded.text, target_id = excluded.target_id,
            edits = excluded.edits, saved_at = excluded.saved_at
        """,
        (agent_id, ticket_key, storable(draft.text), draft.target_id, int(draft.edits), now),
    )


def settings(db: Database, conversation_id: int) -> dict[str, Json]:
    """The last value of each setting."""
    head(db, conversation_id)
    rows = db.execute("SELECT name, value FROM setting WHERE conversation_id = ? ORDER BY id", (conversation_id,))
    return {name: json.loads(value) for name, value in dict(rows.fetchall()).items()}


def set_setting(db: Database, conversation_id: int, name: str, value: Json, now: int) -> None:
    """Set one."""
    head(db, conversation_id)
    db.execute(
        "INSERT INTO setting (conversation_id, name, value, set_at) VALUES (?, ?, ?, ?)",
        (conversation_id, name, canonical_json(value), now),
    )


def _newest_selection(db: Database, conversation_id: int) -> int | None:
    row = db.execute(
        "SELECT interaction_id FROM selection WHERE conversation_id = ? ORDER BY id DESC LIMIT 1", (conversation_id,)
    ).fetchone()
    node_id: int | None = row[0] if row else None
    return node_id
