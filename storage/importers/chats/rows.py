"""Chats that are a list of messages: how each row becomes a node, also where rows name no id or no parent."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from storage.importers.chats.notes import Notes
from storage.importers.chats.source import SourceMessage, SourceNode
from storage.importers.chats.speakers import loose_message
from storage.values import Json


@dataclass(frozen=True, slots=True)
class Placed:
    """One row of a list.

    Attributes:
        names_parent: the row has a field for its parent, whatever stands in it.
        message: None where the row is no message.
        holder: position of the earlier row inside of which this one stands.
    """

    id: str
    names_parent: bool
    parent: str
    message: SourceMessage | None
    holder: int | None = None


def loose_row(value: Json, holder: int | None = None) -> Placed:
    """Return what a row that is no object becomes."""
    return Placed("", False, "", loose_message(value), holder)


@dataclass(frozen=True, slots=True)
class Rows:
    """What the rows of a list became.

    Attributes:
        notes: what had to be repaired, as clauses.
        strays: how many of them are no messages.
    """

    nodes: tuple[SourceNode, ...]
    notes: tuple[str, ...]
    strays: int


def nodes_of(rows: Sequence[Placed], *, no_parent: str) -> Rows:
    """Let each row that is a message become a node.

    `no_parent` is the id that the program writes where there is no parent. Where no row names one, the order of the
    list is the chain. Rows of one id are all kept, the later ones under ids that tell them apart,
    except those that say the same.
    """
    is_chain = not any(row.names_parent or row.holder is not None for row in rows if row.message)
    notes = Notes()
    nodes: dict[str, SourceNode] = {}
    of_id: defaultdict[str, list[str]] = defaultdict(list)
    ids: list[str] = []
    above: str | None = None
    nameless = strays = 0
    for row in rows:
        if row.message is None:
            strays += 1
            ids.append("")
            continue
        nameless += not row.id
        if row.id and (same := of_id[row.id]):
            if again := next((each for each in same if nodes[each].message == row.message), ""):
                notes.add("a row that comes again word for word; it is kept once", row.id)
                ids.append(again)
                continue
            notes.add("an id that another message has too; all of them are kept", row.id)
        node_id = _unused(row.id or f"#{len(nodes) + 1}", nodes)
        if is_chain:
            parent = above
        elif row.parent not in ("", no_parent):
            parent = row.parent
        else:
            parent = ids[row.holder] if row.holder is not None else None
        nodes[node_id] = SourceNode(node_id, parent, is_root=parent is None and not is_chain, message=row.message)
        of_id[row.id].append(node_id)
        ids.append(node_id)
        above = node_id
    unnamed = (f"{nameless} of its messages have no id; they are known by their place",) if nameless else ()
    return Rows(tuple(nodes.values()), (*unnamed, *notes.clauses()), strays)


def _unused(node_id: str, nodes: Mapping[str, SourceNode]) -> str:
    """Return an id that no node has yet: "m", then "m#2", "m#3"."""
    tried, number = node_id, 1
    while tried in nodes:
        number += 1
        tried = f"{node_id}#{number}"
    return tried
