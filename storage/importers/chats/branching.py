"""From linked nodes to what the record takes in: shown messages as a tree, all others hanging on it."""

from collections.abc import Mapping
from dataclasses import dataclass

from storage.importers.chats.fields import name_of
from storage.importers.chats.linking import Forest
from storage.importers.chats.source import SourceChat, SourceMessage
from storage.interactions import IncomingNode
from storage.kinds import ASSISTANT_RESPONSE, kind_named
from storage.values import Json


@dataclass(frozen=True, slots=True)
class Branch:
    """The nodes of a chat as the record takes them in.

    Attributes:
        current: position of the node to show, None where none is shown.
        notes: what had to be decided about the current node, as clauses.
    """

    nodes: tuple[IncomingNode, ...]
    current: int | None
    notes: tuple[str, ...]


def branch_of(program: str, chat_id: str, chat: SourceChat, forest: Forest) -> Branch:
    """Let each shown message stand below the nearest shown one above it; what is not shown hangs on that one."""
    nodes: list[IncomingNode] = []
    shown_at: dict[str, int | None] = {}
    for node_id, parent_id in forest.parents.items():
        above = shown_at[parent_id] if parent_id is not None else None
        message = forest.nodes[node_id].message
        shown_at[node_id] = above
        if message is not None:
            if message.kind.external:
                shown_at[node_id] = len(nodes)
            source: dict[str, Json] = {"program": program, "chat": chat_id, "node": node_id}
            nodes.append(_incoming(program, message, source, above))
    current, note = _current(chat.current, nodes, shown_at)
    return Branch(tuple(nodes), current, (note,) if note else ())


def _incoming(program: str, message: SourceMessage, source: dict[str, Json], above: int | None) -> IncomingNode:
    is_answer = message.kind is ASSISTANT_RESPONSE
    meta: dict[str, Json] = {"source": {**source, **message.facts}}
    if message.model:
        meta["model"] = message.model
    if message.author:
        meta["author"] = message.author
    return IncomingNode(
        kind=message.kind.name,
        parent=above,
        author=(message.model or program) if is_answer else "" if message.kind.external else message.author or program,
        text=message.text,
        status=message.status,
        created_at=message.created_at,
        source_id=str(source["node"]),
        meta=meta,
    )


def _current(named: str, nodes: list[IncomingNode], shown_at: Mapping[str, int | None]) -> tuple[int | None, str]:
    """Return the position of the node that was shown last, and a note where the source does not tell it."""
    if (position := shown_at.get(named)) is not None:
        return position, ""
    shown = [position for position, node in enumerate(nodes) if kind_named(node.kind).external]
    inner = {nodes[position].parent for position in shown}
    leaves = [position for position in shown if position not in inner]
    newest = max(leaves, key=lambda position: (nodes[position].created_at or 0, position), default=None)
    if named and named not in shown_at:
        return newest, f"its current message {name_of(named)!r} is not there; the newest end of a branch is shown"
    if len(leaves) > 1:
        what = "its current message is none that is shown" if named else "it names no current message"
        return newest, f"{what}; the newest end of a branch is shown"
    return newest, ""
