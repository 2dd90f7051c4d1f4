"""The nodes of a chat that comes in beside those of a conversation: which are known, new, changed or shared."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from sqlite_utils import Database

from storage.chats import IncomingChat
from storage.interactions import Conversation, IncomingNode
from storage.kinds import TICKET, kind_named
from storage.origins import Origin
from storage.sqlite.branches import root_id
from storage.sqlite.origins import Held, ticket_nodes
from storage.text import storable


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


def compare_nodes(db: Database, place: Conversation | None, chat: IncomingChat, found: Held) -> tuple[Compared, ...]:
    """Compare the nodes of a chat with what a conversation holds of them; None holds nothing."""
    return tuple(_Comparing(db, place, chat, found).nodes())


def said_by(node: IncomingNode) -> str:
    """The content of a node; of a ticket node the digest of its words."""
    return str(node.meta.get("digest")) if node.kind == TICKET.name else storable(node.text)


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
                texts.append((kind_named(node.kind).external, said_by(node), places[-1]))
                self._rows[compared.origin] = compared.version
            yield compared

    def _compared(self, node: IncomingNode, places: Sequence[Place]) -> Compared:
        origin = self._chat.origin_of(node)
        texts, next_row = self._texts.get(origin, ()), self._rows[origin] + 1
        external, said, was_held = kind_named(node.kind).external, said_by(node), origin in self._held
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
        for node_id in self._ticket_nodes.get((parent_id, said_by(node)), ()):
            if node_id not in self._taken:
                self._taken.add(node_id)
                return node_id
        return None
