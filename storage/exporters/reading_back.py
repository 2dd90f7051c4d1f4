"""Bringing an exported conversation into a record: its tree becomes a further branch below a root."""

import json
from typing import Final

from storage.chats import IncomingChat, SavedChat
from storage.errors import ExportError, NotFoundError
from storage.exporters.json_reading import ReadTree, parse_export
from storage.interactions import Conversation, IncomingNode, Interaction
from storage.kinds import ATTACHMENT, OBSERVATION, TASK, TOOL_CALL, TOOL_RESULT, WARNING
from storage.origins import Origin
from storage.store import Store
from storage.tickets import IncomingTicket, Ticket

PROGRAM: Final = "Ticketree"
"""What an exported conversation comes from, as a chat."""

COMES_BACK: Final = frozenset(kind.name for kind in (ATTACHMENT, TOOL_CALL, TOOL_RESULT, OBSERVATION, WARNING, TASK))
"""The internal kinds that are read back: parts of the conversation, and what was chosen for it.

What stands for rows of the record that it left (summaries of nodes by their ids) would stand for others here, and
what was decided or done there (gates, overrides, copies) was not done here.
"""


def read_export(text: str | bytes, store: Store, agent: str) -> tuple[Conversation, list[int]]:
    """Add an exported tree to this agent's conversation on the same ticket, and show its chosen leaf.

    Where the agent has no conversation on the ticket, it becomes an equal tree, root apart. Else all but its root goes
    below the root, or below the nodes that are there already, by whatever way they came (see `storage.origins`);
    authors, texts, times, how answers ended, details, labels and order stay what they were. A ticket that the record
    does not hold yet is made of the versions in the export, and newer ones are added to those that it holds. With newer
    ones comes what a source said of the ticket's status, as if it were read here. What an export of a path left out
    stays out. Reading it again adds only what is new.

    Returns:
        The conversation, and the ids of the nodes in the order of the export.

    Raises:
        ExportError: it cannot be read, its words were erased, or the record holds the ticket with other words.
        ErasedError: the ticket was erased in this record.
        TurnRunningError: an answer is still being written in the conversation.
    """
    tree = parse_export(text)
    saved = save_tree(tree, store, agent)
    return store.conversation(agent, tree.ticket_id), list(saved.node_ids)


def save_tree(tree: ReadTree, store: Store, agent: str) -> SavedChat:
    """Add what is new of a tree that was read; see `read_export`."""
    _refuse_erased(tree)
    before = _newest_id(tree, store, agent)
    saved = store.save_chat(agent, _chat_of(tree), tree.ticket_id)
    if saved.added:
        _label_added(tree, saved, store, agent, before)
    return saved


def compare_tree(tree: ReadTree, store: Store, agent: str) -> SavedChat:
    """Say what `save_tree` would do; writes nothing.

    Raises:
        ExportError: the words were erased, or the record holds the ticket with other words.
        ErasedError: the ticket was erased in this record.
    """
    _refuse_erased(tree)
    return store.compare_chat(agent, _chat_of(tree), tree.ticket_id)


def is_of_this_conversation(tree: ReadTree, store: Store, agent: str) -> bool:
    """Whether everything in a tree without origins is what this agent's conversation holds under the same ids."""
    if tree.origins:
        return False
    try:
        conversation = store.conversation(agent, tree.ticket_id)
    except NotFoundError:
        return False
    wanted = {each.id: each for each in tree.interactions if each.is_external}
    if not wanted.keys() <= {node.id for node in store.nodes(conversation.id)}:
        return False
    return all(_is_same(wanted[each.id], each) for each in store.contents(conversation.id) if each.id in wanted)


def _is_same(one: Interaction, other: Interaction) -> bool:
    return (one.content, one.kind, one.node.parent_id, one.node.created_at, one.node.author) == (
        other.content, other.kind, other.node.parent_id, other.node.created_at, other.node.author
    )  # fmt: skip


def _label_added(tree: ReadTree, saved: SavedChat, store: Store, agent: str, before: int) -> None:
    """Label the nodes that are new; what was known `before`, by its id, keeps the label that it has by now, or none."""
    conversation = store.conversation(agent, saved.ticket_id)
    for read, node_id in zip(_coming_back(tree), saved.node_ids, strict=True):
        if read.node.label and node_id > before:
            store.set_label(conversation.id, node_id, read.node.label)


def _newest_id(tree: ReadTree, store: Store, agent: str) -> int:
    """The newest node that this agent has on the ticket, 0 where there is none."""
    try:
        return store.nodes(store.conversation(agent, tree.ticket_id).id)[-1].id
    except NotFoundError:
        return 0


def _chat_of(tree: ReadTree) -> IncomingChat:
    """The tree as a chat. Where it tells no origins, agent, ticket and the moment of its beginning stand for them."""
    root, *_ = tree.interactions
    newest = max(tree.tickets, key=lambda ticket: ticket.snapshot, default=None)
    rest = _coming_back(tree)
    positions: dict[int | None, int] = {each.id: position for position, each in enumerate(rest)}
    return IncomingChat(
        program=PROGRAM,
        id=json.dumps([tree.agent, tree.ticket_id, root.node.created_at]),
        nodes=tuple(_incoming(each, positions, tree.origins.get(each.id)) for each in rest),
        current=positions.get(tree.selected_id),
        versions=tuple(map(_incoming_ticket, sorted(tree.tickets, key=lambda ticket: ticket.snapshot))),
        began_at=root.node.created_at,
        source_status=tree.source_status if tree.source_status is not None else newest.status if newest else "",
    )


def _incoming(each: Interaction, positions: dict[int | None, int], origin: Origin | None) -> IncomingNode:
    node = each.node
    return IncomingNode(
        kind=each.kind,
        parent=positions.get(node.parent_id),
        author=node.author,
        text=each.content,
        status=node.status,
        created_at=node.created_at,
        replaces=positions.get(node.replaces_id),
        source_id=str(each.id),
        detail=node.detail,
        meta=node.meta if each.ticket is None else {**node.meta, "digest": each.ticket.digest},
        origin=origin,
    )


def _coming_back(tree: ReadTree) -> list[Interaction]:
    """All that is added to a record: not the root, as the conversation has one."""
    _, *rest = tree.interactions
    return [each for each in rest if each.is_external or each.kind in COMES_BACK]


def _refuse_erased(tree: ReadTree) -> None:
    if any(each.node.erased for each in tree.interactions):
        raise ExportError("The words in this export were erased before it was made; there is nothing to bring back.")


def _incoming_ticket(ticket: Ticket) -> IncomingTicket:
    return IncomingTicket(
        id=ticket.id,
        subject=ticket.subject,
        customer=ticket.customer,
        messages=ticket.messages,
        language=ticket.language,
        status=ticket.status,
        created_at=ticket.created_at,
        extra=ticket.extra,
    )
