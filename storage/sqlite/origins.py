"""What a conversation holds under which origin: its own nodes, and those that came in."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from sqlite_utils import Database

from storage.errors import NotFoundError
from storage.kinds import TICKET
from storage.origins import Origin, own_origin

_OWN: Final = """
    SELECT i.hash, i.id, i.external, p.text, CASE WHEN i.kind = :ticket THEN h.meta END
    FROM interaction i LEFT JOIN heading h ON h.interaction_id = i.id
        LEFT JOIN payload p ON p.interaction_id = i.id
    WHERE i.conversation_id = :conversation ORDER BY i.id, p.piece
"""
_CAME_IN: Final = """
    SELECT n.key, n.version, n.interaction_id, i.external, p.text, CASE WHEN i.kind = :ticket THEN h.meta END
    FROM imported_node n JOIN interaction i ON i.id = n.interaction_id
        LEFT JOIN heading h ON h.interaction_id = i.id LEFT JOIN payload p ON p.interaction_id = i.id
    WHERE n.chat_id = :chat ORDER BY n.key, n.version, p.piece
"""
_BROUGHT: Final = """
    SELECT n.interaction_id, x.key, n.key FROM imported_chat x JOIN imported_node n ON n.chat_id = x.id
    WHERE x.conversation_id = ? ORDER BY x.id DESC
"""
_TICKETS: Final = """
    SELECT i.parent_id, h.meta, i.id FROM interaction i JOIN heading h ON h.interaction_id = i.id
    WHERE i.conversation_id = ? AND i.kind = ? ORDER BY i.id
"""


@dataclass(frozen=True, slots=True)
class Text:
    """One text under which a node is in the record.

    Attributes:
        said: the content; of a ticket node the digest of its words.
    """

    interaction_id: int
    external: bool
    said: str


@dataclass(slots=True)
class Held:
    """What a conversation holds of some chats.

    Attributes:
        chats: those of them that it holds, with the id of the row of each that came in.
        texts: the texts of each node, oldest first.
        rows: how many of those have rows of what came in.
    """

    chats: dict[bytes, int | None] = field(default_factory=dict)
    texts: defaultdict[Origin, list[Text]] = field(default_factory=lambda: defaultdict(list))
    rows: defaultdict[Origin, int] = field(default_factory=lambda: defaultdict(int))


def origins(db: Database, conversation_id: int) -> dict[int, Origin]:
    """The origin of each interaction; one that came with several has the first of them."""
    first = first_hash(db, conversation_id)
    found: dict[int, Origin] = {
        interaction_id: own_origin(first, link_hash)
        for interaction_id, link_hash in db.execute(
            "SELECT id, hash FROM interaction WHERE conversation_id = ?", (conversation_id,)
        )
    }
    for interaction_id, chat, node in db.execute(_BROUGHT, (conversation_id,)):
        found[interaction_id] = Origin(chat, node)
    return found


def first_hash(db: Database, conversation_id: int) -> bytes:
    """The hash of a conversation's first link.

    Raises:
        NotFoundError: there is no such conversation.
    """
    row = db.execute(
        "SELECT hash FROM interaction WHERE conversation_id = ? AND parent_id IS NULL", (conversation_id,)
    ).fetchone()
    if row is None:
        raise NotFoundError("There is no such conversation.")
    found: bytes = row[0]
    return found


def held(db: Database, conversation_id: int, chats: Iterable[bytes]) -> Held:
    """Return what a conversation holds of these chats, itself among them where it is one of them."""
    first, found = first_hash(db, conversation_id), Held()
    for chat in chats:
        if chat == first:
            found.chats[chat] = None
            _read_own(db, conversation_id, chat, found)
        row = db.execute(
            "SELECT id FROM imported_chat WHERE conversation_id = ? AND key = ?", (conversation_id, chat)
        ).fetchone()
        if row is not None:
            found.chats[chat] = row[0]
            _read_brought(db, row[0], chat, found)
    return found


def ticket_nodes(db: Database, conversation_id: int) -> dict[tuple[int, str], list[int]]:
    """The ticket nodes below each node by the digests of their words, oldest first."""
    found: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for parent_id, meta, node_id in db.execute(_TICKETS, (conversation_id, TICKET.name)):
        found[parent_id, _digest(meta)].append(node_id)
    return found


def _read_own(db: Database, conversation_id: int, chat: bytes, found: Held) -> None:
    rows = db.execute(_OWN, {"conversation": conversation_id, "ticket": TICKET.name})
    for (link_hash, interaction_id, external), pieces in groupby(rows, lambda row: row[:3]):
        found.texts[own_origin(chat, link_hash)].append(Text(interaction_id, bool(external), _said(pieces)))


def _read_brought(db: Database, chat_id: int, chat: bytes, found: Held) -> None:
    rows = db.execute(_CAME_IN, {"chat": chat_id, "ticket": TICKET.name})
    for (key, _, interaction_id, external), pieces in groupby(rows, lambda row: row[:4]):
        origin = Origin(chat, key)
        found.texts[origin].append(Text(interaction_id, bool(external), _said(pieces)))
        found.rows[origin] += 1


def _said(pieces: Iterable[tuple[str | None, ...]]) -> str:
    """The content of an interaction from its rows, which end with a piece of text and the meta of a ticket node."""
    rows = list(pieces)
    meta = rows[0][-1]
    return "".join(row[-2] or "" for row in rows) if meta is None else _digest(meta)


def _digest(meta: str) -> str:
    digest: str = json.loads(meta)["digest"]
    return digest
