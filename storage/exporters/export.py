"""What is exported, and what a format makes of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from storage.errors import TurnRunningError
from storage.interactions import Conversation, Interaction, Node, Status
from storage.origins import Origin
from storage.store import Store
from storage.tickets import Ticket


class Scope(StrEnum):
    """How much of a conversation goes out."""

    TREE = "tree"
    PATH = "path"


@dataclass(frozen=True, slots=True)
class Export:
    """A conversation, or one path of it, as it goes out.

    Attributes:
        ticket: the newest snapshot; those that the conversation saw stand in their ticket nodes.
        selected_id: the leaf of the shown path.
        nodes: in insertion order, the root first.
        interactions: the same nodes with their contents, each followed by the internal interactions that hang on it;
            may be an iterator, so it is read only once.
        origins: where each of these was added first, by its id.
        source_status: the status of the ticket that a source named last, "" where none did; `ticket` has the one now.
    """

    conversation: Conversation
    ticket: Ticket
    scope: Scope
    selected_id: int
    nodes: Sequence[Node]
    interactions: Iterable[Interaction]
    origins: Mapping[int, Origin]
    source_status: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """An export in one format.

    Attributes:
        suffix: of a file that holds it, such as ".json".
        chunks: the text in pieces, made as they are asked for.
        remarks: sentences on what the text leaves out or how it must be read.
    """

    suffix: str
    chunks: Iterator[str]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exporter:
    """A format.

    Attributes:
        scope: what goes out where nothing else is asked for.
        render: a pure function of the export: the same record gives the same text.
    """

    name: str
    scope: Scope
    render: Callable[[Export], Rendered]


def whole_tree(store: Store, conversation: Conversation) -> Export:
    """Return the whole conversation as it goes out; contents are read a few at a time.

    Raises:
        TurnRunningError: an answer is still being written.
    """
    selected_id = store.selected(conversation.id)
    nodes = store.nodes(conversation.id)
    _refuse_unfinished(nodes)
    ticket, origins = store.ticket(conversation.ticket_id), store.origins(conversation.id)
    last_id = nodes[-1].id

    def is_told(each: Interaction) -> bool:
        """What is added while the contents are read belongs to the next export."""
        return each.id in origins and (each.id if each.is_external else each.node.parent_id or 0) <= last_id

    everything = store.contents(conversation.id, hanging=True)
    told, said = filter(is_told, everything), _source_status(store, ticket)
    return Export(conversation, ticket, Scope.TREE, selected_id, nodes, told, origins, said)


def one_path(store: Store, conversation: Conversation, node_id: int | None = None) -> Export:
    """Return the path to a node, by default to the one chosen last, as it goes out.

    Raises:
        NotFoundError: no such node in this conversation.
        TurnRunningError: an answer on the path is still being written.
    """
    leaf_id = store.selected(conversation.id) if node_id is None else node_id
    branch = store.branch(conversation.id, leaf_id)
    nodes = [each.node for each in branch if each.is_external]
    _refuse_unfinished(nodes)
    ticket, origins = store.ticket(conversation.ticket_id), store.origins(conversation.id)
    said = _source_status(store, ticket)
    return Export(conversation, ticket, Scope.PATH, leaf_id, nodes, branch, origins, said)


def _source_status(store: Store, ticket: Ticket) -> str:
    said = store.lifecycle(ticket.id).named_by_source
    return said.status if said else ""


def _refuse_unfinished(nodes: Iterable[Node]) -> None:
    if any(node.status is Status.STREAMING for node in nodes):
        raise TurnRunningError("An answer is still being written here; export it when it has ended.")
