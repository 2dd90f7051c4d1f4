"""What any store promises about reading a whole tree, and about branches that come from elsewhere."""

import pytest
from desks import Desk, a_desk, a_ticket

from storage.errors import NotFoundError, RefusedError, TurnRunningError
from storage.interactions import IncomingNode, Status
from storage.sqlite.capabilities.trees import CONTENTS_AT_ONCE
from storage.store import Store
from storage.tickets import Ticket

LONG_AGO = 1_300_000_000_000_000


def a_branch() -> list[IncomingNode]:
    return [
        IncomingNode("agent_message", None, "noah", "Is it late?", created_at=LONG_AGO),
        IncomingNode("assistant_response", 0, "gpt-4.1", "It is.", Status.LENGTH, LONG_AGO + 1, detail={"a": 1}),
        IncomingNode("agent_message", 1, "noah", "Why?"),
        IncomingNode("agent_message", 1, "noah", "How late?", replaces=2, meta={"from": "elsewhere"}),
    ]


def a_ticket_node(ticket: Ticket) -> IncomingNode:
    return IncomingNode("ticket", None, "Sophie", meta={"snapshot": ticket.snapshot, "digest": ticket.digest})


def test_the_contents_of_a_tree_are_those_of_its_paths_in_insertion_order(desk: Desk) -> None:
    first = desk.ask(desk.ticket_node, "one")
    desk.ask(desk.ticket_node, "two")
    last = desk.ask(first.id, "three\0")

    contents = list(desk.store.contents(desk.id))

    assert [each.node for each in contents] == desk.store.nodes(desk.id)
    assert [each for each in contents if each.id in {step.id for step in desk.path(last.id)}] == desk.path(last.id)
    assert [each.content for each in contents[2::2]] == ["one", "two", "three\0"]


def test_a_tree_of_many_batches_is_read_whole(desk: Desk) -> None:
    desk.store.add_branch(
        desk.id, [IncomingNode("agent_message", None, "noah", str(number)) for number in range(2 * CONTENTS_AT_ONCE)]
    )

    assert [each.content for each in desk.store.contents(desk.id)][2:] == list(map(str, range(2 * CONTENTS_AT_ONCE)))


def test_contents_are_of_one_conversation_only(desk: Desk) -> None:
    other = a_desk(desk.store, agent="noah")
    other.ask(other.ticket_node, "mine")
    desk.ask(desk.ticket_node, "yours")

    assert "mine" not in [each.content for each in desk.store.contents(desk.id)]
    with pytest.raises(NotFoundError):
        desk.store.contents(99)


def test_a_branch_stands_below_the_root_with_its_own_times_and_changes_no_view(desk: Desk) -> None:
    kept = list(desk.store.contents(desk.id))
    chosen = desk.store.selected(desk.id)

    ids = desk.store.add_branch(desk.id, a_branch())

    contents = list(desk.store.contents(desk.id))
    question, answer, why, how_late = contents[2:]
    assert [each.content for each in contents[:2]] == [each.content for each in kept]
    assert [each.id for each in contents[2:]] == ids
    assert (question.node.parent_id, question.node.n, question.node.m) == (desk.root, 2, 2)
    assert (question.node.author, question.content, question.node.created_at) == ("noah", "Is it late?", LONG_AGO)
    assert (answer.node.status, answer.node.detail, answer.node.preview) == (Status.LENGTH, {"a": 1}, "It is.")
    assert why.node.created_at > LONG_AGO + 1
    assert (how_late.node.parent_id, how_late.node.replaces_id) == (answer.id, why.id)
    assert how_late.node.meta == {"from": "elsewhere"}
    assert desk.store.selected(desk.id) == chosen


def test_a_branch_can_bring_the_conversations_own_ticket(desk: Desk) -> None:
    ticket = desk.store.ticket("T-80005")

    (node_id,) = desk.store.add_branch(desk.id, [a_ticket_node(ticket)])

    (*_, last) = desk.store.contents(desk.id)
    assert (last.id, last.ticket, last.node.preview) == (node_id, ticket, ticket.subject)


def test_a_branch_cannot_bring_another_ticket(desk: Desk) -> None:
    desk.store.save_ticket(a_ticket("T-64704", "It smells."))

    with pytest.raises(RefusedError):
        desk.store.add_branch(desk.id, [a_ticket_node(desk.store.ticket("T-64704"))])


@pytest.mark.parametrize(
    "wrong",
    [
        IncomingNode("root", None, "noah"),
        IncomingNode("assistant_response", None, "noah", status=Status.STREAMING),
        IncomingNode("agent_message", 0, "noah", replaces=0),
    ],
    ids=["second root", "unfinished", "replaces its parent"],
)
def test_a_branch_that_breaks_a_rule_leaves_nothing(desk: Desk, wrong: IncomingNode) -> None:
    with pytest.raises(RefusedError):
        desk.store.add_branch(desk.id, [IncomingNode("agent_message", None, "noah", "first"), wrong])

    assert len(desk.store.nodes(desk.id)) == 2


def test_a_branch_waits_for_the_answer_that_is_being_written(store: Store) -> None:
    desk = a_desk(store)
    desk.begin(desk.ticket_node)

    with pytest.raises(TurnRunningError):
        desk.store.add_branch(desk.id, a_branch())
    with pytest.raises(NotFoundError):
        desk.store.add_branch(99, a_branch())
