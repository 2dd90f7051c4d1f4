"""Chats that are a list of messages: how each row becomes a node, also where rows name no id or no parent."""

from collections.abc import Sequence
from dataclasses import dataclass

from storage.importers.chats.source import SourceMessage, SourceNode


@dataclass(frozen=True, slots=True)
class Placed:
    """One message of a list.

    Attributes:
        names_parent: the row has a field for its parent, whatever stands in it.
        holder: position of the earlier row inside of which this one stands.
    """

    id: str
    names_parent: bool
    parent: str
    message: SourceMessage
    holder: int | None = None


def nodes_of(rows: Sequence[Placed], *, no_parent: str) -> tuple[tuple[SourceNode, ...], tuple[str, ...]]:
    """Return the nodes, and what had to be repaired.

    `no_parent` is the id that the program writes where there is no parent. Where no row names one, the order of the
    list is the chain.
    """
    is_chain = not any(row.names_parent or row.holder is not None for row in rows)
    nameless = sum(not row.id for row in rows)
    nodes: list[SourceNode] = []
    above: str | None = None
    for number, row in enumerate(rows, 1):
        node_id = row.id or f"#{number}"
        if is_chain:
            parent = above
        elif row.parent not in ("", no_parent):
            parent = row.parent
        else:
            parent = nodes[row.holder].id if row.holder is not None else None
        nodes.append(SourceNode(node_id, parent, is_root=parent is None and not is_chain, message=row.message))
        above = node_id
    notes = (f"{nameless} of its messages have no id; they are known by their place",) if nameless else ()
    return tuple(nodes), notes
