"""Bringing an exported conversation into a record: its tree becomes a further branch below a root."""

from storage.errors import ExportError, NotFoundError
from storage.exporters.json_reading import ReadTree, parse_export
from storage.interactions import Conversation, IncomingNode, Interaction
from storage.store import Store
from storage.tickets import IncomingTicket, Ticket
from storage.values import JsonObject


def read_export(text: str | bytes, store: Store, agent: str) -> tuple[Conversation, list[int]]:
    """Add an exported tree to this agent's conversation on the same ticket, and show its chosen leaf.

    All but its root goes below the root that the conversation has; authors, texts, times, how answers ended, details
    and order stay what they were. A ticket that the record does not hold yet is made of the snapshots in the export.
    What an export of a path left out stays out.

    Returns:
        The conversation, and the ids of the added nodes in the order of the export.

    Raises:
        ExportError: it cannot be read, or the record holds the ticket with other words.
        TurnRunningError: an answer is still being written in the conversation.
    """
    tree = parse_export(text)
    numbers = _snapshot_numbers(store, tree)
    nodes = _incoming(tree, numbers)
    conversation = store.open_conversation(agent, tree.ticket_id)
    ids = store.add_branch(conversation.id, nodes)
    chosen = next(position for position, each in enumerate(tree.interactions) if each.id == tree.selected_id)
    if chosen > 0:
        store.select(conversation.id, ids[chosen - 1])
    return conversation, ids


def _incoming(tree: ReadTree, numbers: dict[str, int]) -> list[IncomingNode]:
    _, *rest = tree.interactions
    positions: dict[int | None, int] = {each.id: position for position, each in enumerate(rest)}
    return [
        IncomingNode(
            kind=each.kind,
            parent=positions.get(each.node.parent_id),
            author=each.node.author,
            text=each.content,
            status=each.node.status,
            created_at=each.node.created_at,
            replaces=positions.get(each.node.replaces_id),
            detail=each.node.detail,
            meta=_meta(each, tree, numbers),
        )
        for each in rest
    ]


def _meta(interaction: Interaction, tree: ReadTree, numbers: dict[str, int]) -> JsonObject:
    """A ticket node names its snapshot by the number that it has in this record."""
    ticket = interaction.ticket
    if ticket is None:
        return interaction.node.meta
    if ticket.digest not in numbers:
        raise ExportError(
            f"The export holds ticket {tree.ticket_id} with other words than the record does; it was left out, so that "
            "no conversation is taken for one on other words."
        )
    return {**interaction.node.meta, "snapshot": numbers[ticket.digest], "digest": ticket.digest}


def _snapshot_numbers(store: Store, tree: ReadTree) -> dict[str, int]:
    """The number in this record of each snapshot that it holds, by digest."""
    try:
        newest = store.ticket(tree.ticket_id)
    except NotFoundError:
        for ticket in sorted(tree.tickets, key=lambda ticket: ticket.snapshot):
            store.save_ticket(_incoming_ticket(ticket))
        newest = store.ticket(tree.ticket_id)
    snapshots = (store.ticket(tree.ticket_id, number) for number in range(1, newest.snapshots + 1))
    return {snapshot.digest: snapshot.snapshot for snapshot in snapshots}


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
