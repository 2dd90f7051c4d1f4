"""A chat that comes in beside what the record holds of it already; writes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from sqlite_utils import Database

from storage.chats import ChatOutcome, IncomingChat, SavedChat
from storage.errors import ExportError, NotFoundError
from storage.interactions import Conversation, IncomingNode
from storage.kinds import TICKET, kind_named
from storage.origins import Origin
from storage.sqlite import conversations, tickets
from storage.sqlite.branches import root_id
from storage.sqlite.erasing import refuse_erased
from storage.sqlite.origins import Held, held, ticket_nodes
from storage.text import storable
from storage.ticket_digests import snapshot_digest
from storage.tickets import IncomingTicket

_OF_AGENT = """
    SELECT t.name FROM imported_chat x JOIN conversation c ON c.id = x.conversation_id
        JOIN agent a ON a.id = c.agent_id JOIN ticket t ON t.id = c.ticket_id
    WHERE x.key = ? AND a.name = ? ORDER BY x.id LIMIT 1
"""
_ON_TICKET = """
    SELECT 1 FROM imported_chat x JOIN conversation c ON c.id = x.conversation_id WHERE x.key = ? AND c.ticket_id = ?
"""


class State(Enum):
    """How an incoming node stands to the record.

    SHARED is a ticket node that stands for the same words at the same place as one that the record has.
    """

    KNOWN = auto()
    SHARED = auto()
    NEW = auto()
    CHANGED = auto()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text of a node is: an interaction of the record, or a position among the incoming nodes."""

    interaction_id: int | None = None
    position: int | None = None

    def id_in(self, ids: Sequence[int]) -> int:
        """The interaction's id; `ids` are those of the incoming nodes so far."""
        if self.interaction_id is not None:
            return self.interaction_id
        assert self.position is not None
        return ids[self.position]


@dataclass(frozen=True, slots=True)
class Compared:
    """One incoming node beside what is known of it.

    Attributes:
        at: the same text where it is known or shared, the newest one where it changed, None where it is new.
        was_held: the record held a text of it before.
        version: number of the row that tells of it, where one is to be added.
    """

    node: IncomingNode
    origin: Origin
    state: State
    at: Place | None
    was_held: bool
    version: int

    @property
    def is_added(self) -> bool:
        """It is to be added to the tree."""
        return self.state in (State.NEW, State.CHANGED)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A chat beside what is known of it.

    Attributes:
        conversation: None where there is none yet.
        chats: the chats that its nodes come from, and the row of each where it has one.
        holds_any: the conversation is one of those chats, or holds some of one.
        versions: of the ticket, which are to be added.
    """

    ticket_id: str
    conversation: Conversation | None
    chats: dict[bytes, int | None]
    holds_any: bool
    nodes: tuple[Compared, ...]
    versions: tuple[IncomingTicket, ...]

    def outcome(self) -> SavedChat:
        """Say what saving comes to."""
        added = sum(each.is_added for each in self.nodes)
        changed = tuple(each.node.source_id for each in self.nodes if each.state is State.CHANGED and each.was_held)
        is_here = bool(self.nodes) and not added
        grows = added or self.versions
        if self.conversation is None or not (self.holds_any or is_here):
            what = ChatOutcome.NEW
        else:
            what = ChatOutcome.GROWN if grows else ChatOutcome.UNCHANGED
        return SavedChat(self.ticket_id, what, added, changed)


def compare(db: Database, agent: str, chat: IncomingChat, ticket_id: str | None) -> Comparison:
    """Compare a chat with what the agent's conversation holds.

    Raises:
        NotFoundError: no such ticket.
        ErasedError: its words were erased.
        ExportError: the record holds the ticket with other words.
    """
    name = storable(ticket_id) if ticket_id is not None else _ticket_for(db, agent, chat)
    ticket_key = tickets.find(db, name)
    if ticket_key is not None:
        refuse_erased(db, ticket_key)
    elif not chat.versions and (ticket_id is not None or chat.ticket is None):
        raise NotFoundError(f"There is no ticket {name}.")
    place = conversations.find(db, agent, name) if ticket_key is not None else None
    return compare_at(db, name, place, chat, _newer_versions(db, ticket_key, chat))


def compare_at(
    db: Database,
    ticket_id: str,
    place: Conversation | None,
    chat: IncomingChat,
    versions: tuple[IncomingTicket, ...] = (),
) -> Comparison:
    """Compare a chat with what a conversation holds; None holds nothing. `versions` are to be added first."""
    chats = dict.fromkeys(chat.origin_of(node).chat for node in chat.nodes) or {chat.key: None}
    found = held(db, place.id, chats) if place else Held()
    nodes = tuple(_Comparing(db, place, chat, found).nodes())
    return Comparison(ticket_id, place, chats | found.chats, bool(found.chats), nodes, versions)


def _newer_versions(db: Database, ticket_key: int | None, chat: IncomingChat) -> tuple[IncomingTicket, ...]:
    """The versions of a chat's ticket that follow the newest one of the record; all where it has none."""
    if ticket_key is None or not chat.versions:
        return chat.versions
    known: list[str] = [
        digest
        for (digest,) in db.execute(
            "SELECT digest FROM snapshot_words WHERE ticket_id = ? ORDER BY number", (ticket_key,)
        )
    ]
    told = [snapshot_digest(version) for version in chat.versions]
    begin = told.index(known[-1]) + 1 if known[-1] in told else len(told)
    newer = {digest: version for digest, version in zip(told[begin:], chat.versions[begin:], strict=True)}
    here = {*known, *newer}
    if here.isdisjoint(told) or any(_said(node) not in here for node in chat.nodes if node.kind == TICKET.name):
        raise ExportError(
            f"The export holds ticket {chat.versions[-1].id} with other words than the record does; it was left out, "
            "so that no conversation is taken for one on other words."
        )
    return tuple(version for digest, version in newer.items() if digest not in known)


class _Comparing:
    """Goes through the nodes of a chat; each may be the same as one of the record, or as one before it."""

    def __init__(self, db: Database, place: Conversation | None, chat: IncomingChat, found: Held) -> None:
        self._chat = chat
        self._rows = found.rows
        self._texts = {
            origin: [(text.external, text.said, Place(text.interaction_id)) for text in texts]
            for origin, texts in found.texts.items()
        }
        has_tickets = place is not None and any(node.kind == TICKET.name for node in chat.nodes)
        self._root_id = root_id(db, place.id) if place else None
        self._ticket_nodes = ticket_nodes(db, place.id) if place and has_tickets else {}
        wanted = {chat.origin_of(node) for node in chat.nodes}
        self._taken = {
            text.interaction_id for origin, texts in found.texts.items() if origin in wanted for text in texts
        }
        self._held = frozenset(self._texts)

    def nodes(self) -> Iterator[Compared]:
        """Yield each node as it stands to the record and to those before it."""
        places: list[Place] = []
        for position, node in enumerate(self._chat.nodes):
            compared = self._compared(node, places)
            is_there = compared.at is not None and not compared.is_added
            places.append(compared.at if is_there and compared.at else Place(position=position))
            if compared.state is not State.KNOWN:
                texts = self._texts.setdefault(compared.origin, [])
                texts.append((kind_named(node.kind).external, _said(node), places[-1]))
                self._rows[compared.origin] = compared.version
            yield compared

    def _compared(self, node: IncomingNode, places: Sequence[Place]) -> Compared:
        origin = self._chat.origin_of(node)
        texts, next_row = self._texts.get(origin, ()), self._rows[origin] + 1
        external, said, was_held = kind_named(node.kind).external, _said(node), origin in self._held
        for known_external, known, at in texts:
            # What is not shown is the same under the same id: its wording is the machinery's own affair.
            if known_external == external and (not external or known == said):
                return Compared(node, origin, State.KNOWN, at, was_held, next_row)
        if texts:
            return Compared(node, origin, State.CHANGED, texts[-1][2], was_held, next_row)
        if (twin := self._twin(node, places)) is not None:
            return Compared(node, origin, State.SHARED, Place(twin), was_held, next_row)
        return Compared(node, origin, State.NEW, None, was_held, next_row)

    def _twin(self, node: IncomingNode, places: Sequence[Place]) -> int | None:
        """A ticket node of the record that no other incoming node is, at the same place and for the same words."""
        parent_id = self._root_id if node.parent is None else places[node.parent].interaction_id
        if node.kind != TICKET.name or parent_id is None:
            return None
        for node_id in self._ticket_nodes.get((parent_id, _said(node)), ()):
            if node_id not in self._taken:
                self._taken.add(node_id)
                return node_id
        return None


def _said(node: IncomingNode) -> str:
    """The content of a node; of a ticket node the digest of its words."""
    return str(node.meta.get("digest")) if node.kind == TICKET.name else storable(node.text)


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
