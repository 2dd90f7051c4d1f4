"""A chat as its program keeps it: nodes that name each other, before anything is linked or checked."""

from dataclasses import dataclass, field

from storage.interactions import Status
from storage.kinds import InteractionKind
from storage.values import JsonObject


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """What was written in one node.

    Attributes:
        kind: an external kind is shown, an internal one is kept but not shown.
        text: as it is shown; of an internal kind, its JSON.
        author: the name that the program gives the writer, "" where it gives none.
        model: what answered, "" where the program does not say.
        facts: what else is to be kept of it, by name.
        is_unknown: it holds words, is not shown, and nothing says that it should not be.
    """

    kind: InteractionKind
    text: str
    author: str = ""
    model: str = ""
    created_at: int | None = None
    status: Status = Status.COMPLETE
    facts: JsonObject = field(default_factory=dict)
    is_unknown: bool = False


@dataclass(frozen=True, slots=True)
class SourceNode:
    """One node, with whatever it says about its place.

    Attributes:
        parent: the id of the node above, None where it names none.
        is_root: it says itself that there is no node above.
        children: the ids of the nodes below in the order in which they are shown; empty where it names none.
        message: None for a node that only holds others together.
        is_stray: something that is no message stands where one should.
    """

    id: str
    parent: str | None = None
    is_root: bool = False
    children: tuple[str, ...] = ()
    message: SourceMessage | None = None
    is_stray: bool = False


@dataclass(frozen=True, slots=True)
class SourceChat:
    """One chat.

    Attributes:
        id: the chat's own id; "" where it has none.
        nodes: in the order of the source.
        current: the id of the node that was shown last, "" where the program names none.
        notes: what had to be repaired already, as clauses.
        strays: how many entries stand where messages should, and are none.
    """

    id: str
    title: str
    created_at: int | None
    nodes: tuple[SourceNode, ...]
    current: str = ""
    notes: tuple[str, ...] = ()
    strays: int = 0
