"""Trees to export, and what is the same about two of them."""

from collections.abc import Sequence
from functools import cache

from desks import Desk, a_desk
from hypothesis import strategies as st

from storage.exporters.export import Export, Scope
from storage.exporters.registry import EXPORTERS
from storage.interactions import Conversation, IncomingNode, Interaction, Node, Status
from storage.origins import NODE_BYTES, Origin
from storage.ticket_digests import snapshot_digest
from storage.tickets import IncomingTicket, Ticket
from storage.values import JsonObject

ENDED = [status for status in Status if status is not Status.STREAMING]
SAYS_SO = "I'm doing a test. Just repeat what I say."

texts = st.text(st.characters(codec="utf-8"), max_size=60)


@st.composite
def branches(draw: st.DrawFn, most: int = 12, tickets: Sequence[IncomingTicket] = ()) -> list[IncomingNode]:
    """Nodes of any shape of tree, with edits, any text and any end, and ticket nodes for versions of a ticket."""
    nodes: list[IncomingNode] = []
    for position in range(draw(st.integers(1, most))):
        parent = draw(st.one_of(st.none(), st.integers(0, position - 1))) if position else None
        siblings: list[int] = [earlier for earlier, node in enumerate(nodes) if node.parent == parent]
        if tickets and draw(st.integers(0, 3)) == 0:
            number = draw(st.integers(1, len(tickets)))
            meta: JsonObject = {"snapshot": number, "digest": snapshot_digest(tickets[number - 1])}
            nodes.append(IncomingNode("ticket", parent, "Sophie", created_at=draw(st.integers(0, 2**60)), meta=meta))
            continue
        nodes.append(
            IncomingNode(
                kind=draw(st.sampled_from(["agent_message", "assistant_response"])),
                parent=parent,
                author=draw(texts),
                text=draw(texts),
                status=draw(st.sampled_from(ENDED)),
                created_at=draw(st.integers(-(2**60), 2**60)),
                replaces=draw(st.one_of(st.none(), *map(st.just, siblings))),
                detail=draw(st.dictionaries(texts, st.one_of(texts, st.integers(-(2**60), 2**60)), max_size=2)),
                meta=draw(st.dictionaries(texts, st.one_of(texts, st.none(), st.booleans()), max_size=2)),
            )
        )
    return nodes


def text_of(export: Export, to: str) -> str:
    """Return an export in one format."""
    return "".join(EXPORTERS[to].render(export).chunks)


def shape_of(interactions: list[Interaction], *, below: int) -> list[tuple[object, ...]]:
    """Return what stays of nodes in whatever record they are: all but their ids and how many siblings came before."""
    position: dict[int | None, int] = {each.id: number for number, each in enumerate(interactions)}

    def place(node_id: int | None) -> int | str | None:
        return "root" if node_id == below else position.get(node_id)

    return [
        (
            place(each.node.parent_id),
            place(each.node.replaces_id),
            each.kind,
            each.node.author,
            each.node.created_at,
            each.node.status,
            each.node.depth,
            each.node.preview,
            each.content,
            each.node.detail,
            None if each.ticket else each.node.meta,
            each.ticket.digest if each.ticket else None,
        )
        for each in interactions
    ]


@cache
def _beginning() -> tuple[Interaction, Interaction]:
    desk = a_desk()
    root, first = desk.store.contents(desk.id)
    desk.store.close()
    return root, first


def one_node_export(text: str, *, author: str = "camille", ticket: Ticket | None = None) -> Export:
    """Return an export of a path that holds the root, the ticket and one message; nothing of it was ever stored."""
    root, first = _beginning()
    assert first.ticket is not None
    subject = ticket or first.ticket
    node = first.node._replace(id=3, seq=3, parent_id=first.id, depth=2, kind="agent_message", preview=text[:200])
    ticket_node = first._replace(ticket=subject, node=first.node._replace(preview=subject.subject[:200]))
    path = [root, ticket_node, Interaction(node._replace(author=author, meta={}), text)]
    nodes = [each.node for each in path]
    origins = {each.id: Origin(bytes(32), each.id.to_bytes(NODE_BYTES)) for each in path}
    return Export(Conversation(1, "camille", subject.id), subject, Scope.PATH, node.id, nodes, path, origins, "open")


def the_two_branch_sample(desk: Desk) -> dict[str, Node]:
    """Add the published two-branch sample (Onur Solmaz, "How to model an AI conversation", CC BY 4.0) by hand."""
    first = desk.answer(desk.say(desk.ticket_node, f"Node 1.\n{SAYS_SO}").id, "Node 1.")
    second = desk.answer(desk.say(first.id, f"Node 2.\n{SAYS_SO}").id, f"Node 2.\n{SAYS_SO}")
    third = desk.answer(desk.say(first.id, f"Node 3.\n{SAYS_SO}").id, "Node 3.")
    fourth = desk.answer(desk.say(third.id, f"Node 4.\n{SAYS_SO}").id, "Node 4.")
    return {"first": first, "second": second, "third": third, "fourth": fourth}
