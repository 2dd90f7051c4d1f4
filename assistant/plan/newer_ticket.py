"""A ticket that has grown since a branch took it in: what the next request takes in, and which answers are stale.

Pure functions of a branch and the ticket's newest snapshot.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from storage.interactions import Interaction, Node, Status
from storage.kinds import ASSISTANT_RESPONSE, TICKET
from storage.tickets import Role, Ticket, TicketMessage


def newer_ticket(path: Sequence[Interaction], newest: Ticket) -> Ticket | None:
    """The newest snapshot, where it is newer than those on a path; a path without any, such as an import, has none."""
    known = [entry.ticket.snapshot for entry in path if entry.ticket is not None]
    return newest if known and newest.snapshot > max(known) and not newest.erased else None


def taking_in(path: Sequence[Interaction], newest: Ticket) -> tuple[Interaction, ...]:
    """The path that the next request is planned on: with a newer snapshot at its end, where there is one.

    That entry has the id 0, which no node of the record has, until it is taken in.
    """
    ticket = newer_ticket(path, newest)
    if ticket is None:
        return tuple(path)
    return (*path, unrecorded_ticket(ticket, max(entry.node.depth for entry in path) + 1))


def stale_answers(branch: Sequence[Interaction], newest: Ticket) -> frozenset[int]:
    """The answers of a branch that know less of what the customer wrote than the newest snapshot tells.

    An answer knows the last snapshot above it. One that is above none, and one without words, is not stale.
    """
    stale: set[int] = set()
    knows_all = True
    for entry in branch:
        if entry.ticket is not None:
            knows_all = entry.ticket.snapshot >= newest.snapshot or not new_messages(entry.ticket, newest)
        elif not knows_all and entry.kind == ASSISTANT_RESPONSE.name and entry.content.strip():
            stale.add(entry.id)
    return frozenset(stale)


def stale_in_tree(nodes: Iterable[Node], newest: Ticket, snapshot: Callable[[int], Ticket]) -> frozenset[int]:
    """The stale answers of a whole tree, by the beginnings of their words.

    Args:
        nodes: in insertion order, so that parents come first.
        newest: the ticket's newest snapshot.
        snapshot: gives an older one.
    """
    stale: set[int] = set()
    behind: set[int] = set()
    is_behind: dict[int, bool] = {}
    for node in nodes:
        if node.kind == TICKET.name:
            match node.meta.get("snapshot"):
                case int(number) if number < newest.snapshot:
                    if number not in is_behind:
                        is_behind[number] = bool(new_messages(snapshot(number), newest))
                    if is_behind[number]:
                        behind.add(node.id)
        elif node.parent_id in behind:
            behind.add(node.id)
            if node.kind == ASSISTANT_RESPONSE.name and node.preview.strip():
                stale.add(node.id)
    return frozenset(stale)


def new_messages(known: Ticket, newest: Ticket) -> tuple[TicketMessage, ...]:
    """What the customer wrote that an older snapshot does not hold, oldest first; a changed text is new."""
    if known.erased or newest.erased:
        return ()
    left = Counter(_words(message) for message in known.messages if _is_customers(message))
    found = []
    for message in newest.messages:
        if not _is_customers(message):
            continue
        words = _words(message)
        if left[words]:
            left[words] -= 1
        else:
            found.append(message)
    return tuple(found)


def unrecorded_ticket(ticket: Ticket, depth: int) -> Interaction:
    """A ticket node that is not in the record yet; its id is 0."""
    return Interaction(unrecorded(TICKET.name, depth, ticket.customer), "", ticket)


def unrecorded(kind: str, depth: int, author: str) -> Node:
    """A node that is not in the record yet; its id is 0."""
    return Node(
        id=0,
        conversation_id=0,
        seq=0,
        kind=kind,
        parent_id=None,
        depth=depth,
        n=1,
        m=1,
        author=author,
        created_at=0,
        status=Status.COMPLETE,
        preview="",
    )


def _is_customers(message: TicketMessage) -> bool:
    return message.role is Role.CUSTOMER and not message.internal


def _words(message: TicketMessage) -> str:
    return " ".join(message.text.split())
