"""Reading what became of answers, a conversation at a time and past all words."""

import json
from typing import Final

from sqlite_utils import Database

from storage.answer_log import Logged
from storage.interactions import Status
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, COPY, GATE, OVERRIDE, REPAIR
from storage.text import storable
from storage.values import JsonObject

_WITH_META: Final = frozenset({ASSISTANT_RESPONSE.name, GATE.name})
_KINDS: Final = (AGENT_MESSAGE, ASSISTANT_RESPONSE, GATE, OVERRIDE, REPAIR, COPY)
_NOTHING: Final[JsonObject] = {}
_STATUSES: Final = {None: Status.STREAMING} | {status.value: status for status in Status}
_KNOWN_METAS: Final = 10_000

# CROSS JOIN keeps the order: an agent's conversations, and of each its log. What was added last is the newest.
_SQL: Final = f"""
    SELECT i.id, i.conversation_id, t.name, i.kind, i.parent_id, i.replaces_id, i.created_at,
        coalesce(r.status, (SELECT status FROM final WHERE interaction_id = i.id)),
        CASE WHEN i.kind IN ({", ".join(f"'{kind}'" for kind in sorted(_WITH_META))})
            THEN coalesce(r.meta, (SELECT meta FROM heading WHERE interaction_id = i.id)) END
    FROM agent a CROSS JOIN conversation c ON c.agent_id = a.id CROSS JOIN ticket t ON t.id = c.ticket_id
        CROSS JOIN interaction i ON i.conversation_id = c.id
        LEFT JOIN reading r ON r.conversation_id = i.conversation_id AND r.external = i.external AND r.seq = i.seq
    WHERE a.name = :agent AND i.kind IN ({", ".join(f"'{kind.name}'" for kind in _KINDS)})
        AND :since <= (
            SELECT n.created_at FROM interaction n WHERE n.conversation_id = c.id ORDER BY n.seq DESC LIMIT 1
        )
    ORDER BY c.id, i.seq
"""


def answer_log(db: Database, agent: str, since: int | None) -> list[Logged]:
    """The log of an agent's conversations, without words."""
    metas: dict[str, JsonObject] = {}

    def read(meta: str) -> JsonObject:
        # The answers of one task say nearly the same.
        if meta not in metas:
            if len(metas) >= _KNOWN_METAS:
                metas.clear()
            metas[meta] = json.loads(meta)
        return metas[meta]

    wanted = {"agent": storable(agent), "since": 0 if since is None else since}
    return [
        Logged(
            id_,
            conversation_id,
            ticket_id,
            kind,
            parent_id,
            replaces_id,
            created_at,
            _STATUSES[status],
            _NOTHING if meta is None else read(meta),
        )
        for id_, conversation_id, ticket_id, kind, parent_id, replaces_id, created_at, status, meta
        in db.execute(_SQL, wanted)
    ]  # fmt: skip


def agents(db: Database) -> list[str]:
    """The names of all who have a conversation."""
    rows = db.execute("SELECT name FROM agent WHERE id IN (SELECT agent_id FROM conversation) ORDER BY name").fetchall()
    return [name for (name,) in rows]
