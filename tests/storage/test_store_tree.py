"""What any store promises about conversations: they grow, and what they showed stays."""

import sys

import pytest
from desks import Desk, a_desk, a_ticket

from storage.errors import NotFoundError, RefusedError, TurnRunningError
from storage.interactions import IncomingNode, Status
from storage.kinds import AGENT_MESSAGE, InteractionKind
from storage.store import Store

OBSERVATION = InteractionKind("observation", external=False)


def test_a_conversation_opens_with_its_root_and_the_ticket(desk: Desk) -> None:
    root, ticket = desk.store.nodes(desk.id)

    assert (root.kind, root.seq, root.depth, root.parent_id) == ("root", 1, 0, None)
    assert (ticket.kind, ticket.seq, ticket.depth, ticket.parent_id) == ("ticket", 2, 1, root.id)
    assert ticket.meta["snapshot"] == 1
    assert ticket.meta["digest"] == desk.store.ticket("T-80005").digest
    assert ticket.author == "Sophie"
    assert ticket.preview == "Hammock has not arrived"
    assert desk.store.selected(desk.id) == ticket.id


def test_opening_again_finds_the_same_conversation(desk: Desk) -> None:
    assert desk.store.open_conversation("camille", "T-80005") == desk.conversation
    assert desk.store.conversation("camille", "T-80005") == desk.conversation
    assert desk.store.head(desk.id) == 2


def test_each_agent_has_a_conversation_of_their_own(desk: Desk) -> None:
    with pytest.raises(NotFoundError):
        desk.store.conversation("noah", "T-80005")
    other = a_desk(desk.store, agent="noah")
    answer = desk.ask(desk.ticket_node)

    assert other.id != desk.id
    assert desk.store.locate("camille", answer.id) == desk.conversation
    with pytest.raises(NotFoundError):
        desk.store.locate("noah", answer.id)
    with pytest.raises(NotFoundError):
        desk.store.node(other.id, answer.id)
    with pytest.raises(NotFoundError):
        desk.store.path(other.id, answer.id)
    with pytest.raises(NotFoundError):
        other.say(answer.id)
    with pytest.raises(NotFoundError):
        desk.store.select(other.id, answer.id)
    with pytest.raises(NotFoundError):
        desk.store.last_choice_below(other.id, answer.id)
    with pytest.raises(NotFoundError):
        desk.store.add_text(other.id, answer.id, "more")
    with pytest.raises(NotFoundError):
        desk.store.finish(other.id, answer.id, Status.COMPLETE, {})
    assert desk.store.requests(other.id, answer.id) == []


@pytest.mark.parametrize("ask", ["conversation", "open_conversation"])
def test_an_unknown_ticket_is_not_found(store: Store, ask: str) -> None:
    with pytest.raises(NotFoundError, match="T-0"):
        getattr(store, ask)("camille", "T-0")


def test_an_unknown_conversation_is_not_found(store: Store) -> None:
    with pytest.raises(NotFoundError):
        store.nodes(7)
    with pytest.raises(NotFoundError):
        store.head(7)
    with pytest.raises(NotFoundError):
        store.selected(7)
    with pytest.raises(NotFoundError):
        store.add_message(7, 1, "camille", "hello")
    with pytest.raises(NotFoundError):
        store.set_setting(7, "budget", 1)
    with pytest.raises(NotFoundError):
        store.settings(7)


def test_a_message_is_added_below_its_parent_and_chosen(desk: Desk) -> None:
    node = desk.say(desk.ticket_node, "make it\nshorter")

    assert (node.kind, node.parent_id, node.depth, node.seq) == ("agent_message", desk.ticket_node, 2, 3)
    assert (node.author, node.status, node.preview) == ("camille", Status.COMPLETE, "make it\nshorter")
    assert desk.store.selected(desk.id) == node.id
    assert desk.store.head(desk.id) == 3
    assert desk.store.node(desk.id, node.id) == node


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", ""),
        ("a\0b", "a\0b"),
        ("\r\n \t", "\r\n \t"),
        ("e\u0301 \U0001f9d1\u200d\U0001f680", "e\u0301 \U0001f9d1\u200d\U0001f680"),
        ("\x1b]52;c;QQ==\x07", "\x1b]52;c;QQ==\x07"),
        ("a\ud800b\udc00", "a\ufffdb\ufffd"),
        ("x" * 300_000, "x" * 300_000),
    ],
    ids=["empty", "nul", "blanks", "combining", "escape", "surrogates", "long"],
)
def test_any_text_is_kept_and_only_lone_surrogates_are_replaced(desk: Desk, text: str, kept: str) -> None:
    message = desk.say(desk.ticket_node, text)
    answer = desk.answer(message.id, text, text)

    assert [interaction.content for interaction in desk.path(answer.id)[2:]] == [kept, kept + kept]
    assert desk.store.node(desk.id, message.id).preview == kept[:200]
    assert desk.store.nodes(desk.id)[-1].preview == (kept + kept)[:200]


def test_siblings_are_numbered_by_insertion(desk: Desk) -> None:
    first = desk.say(desk.ticket_node, "one")
    second = desk.say(desk.ticket_node, "two", replaces_id=first.id)
    below = desk.say(first.id, "below")
    third = desk.say(desk.ticket_node, "three")

    numbers = {node.id: (node.n, node.m) for node in desk.store.nodes(desk.id)}
    assert [numbers[node.id] for node in (first, second, third, below)] == [(1, 3), (2, 3), (3, 3), (1, 1)]
    for node_id, (n, m) in numbers.items():
        node = desk.store.node(desk.id, node_id)
        assert (node.n, node.m) == (n, m)
    assert [(step.node.n, step.node.m) for step in desk.path(below.id)] == [(1, 1), (1, 1), (1, 3), (1, 1)]
    assert desk.store.node(desk.id, second.id).replaces_id == first.id


def test_the_first_message_can_be_edited_into_a_sibling_below_the_root(desk: Desk) -> None:
    first = desk.say(desk.root, "one")
    again = desk.say(desk.root, "two", replaces_id=first.id)

    assert (again.n, again.m) == (3, 3)


def test_only_a_sibling_can_be_replaced(desk: Desk) -> None:
    first = desk.say(desk.ticket_node)
    second = desk.say(first.id)

    with pytest.raises(RefusedError, match="same parent"):
        desk.say(desk.ticket_node, replaces_id=second.id)
    assert desk.store.head(desk.id) == 4


def test_an_unknown_parent_is_not_found(desk: Desk) -> None:
    with pytest.raises(NotFoundError, match="999"):
        desk.say(999)


def test_an_answer_grows_piece_by_piece_and_ends_once(desk: Desk) -> None:
    node = desk.begin(desk.ticket_node)
    assert (node.status, node.preview, node.author) == (Status.STREAMING, "", "built-in")
    assert node.meta == {"task": "draft-reply"}
    assert desk.store.selected(desk.id) == node.id

    desk.store.add_text(desk.id, node.id, "Dear ")
    desk.store.add_text(desk.id, node.id, "")
    desk.store.add_text(desk.id, node.id, "Sophie")
    assert desk.path(node.id)[-1].content == "Dear Sophie"
    assert desk.store.nodes(desk.id)[-1].preview == "Dear Sophie"

    ended = desk.store.finish(desk.id, node.id, Status.LENGTH, {"finish_reason": "length"})
    assert (ended.status, ended.detail, ended.preview) == (Status.LENGTH, {"finish_reason": "length"}, "Dear Sophie")
    with pytest.raises(RefusedError, match="has ended"):
        desk.store.add_text(desk.id, node.id, ", more")
    with pytest.raises(RefusedError, match="has ended"):
        desk.store.add_text(desk.id, node.id, "")
    with pytest.raises(RefusedError, match="has ended"):
        desk.store.finish(desk.id, node.id, Status.COMPLETE, {})
    assert desk.path(node.id)[-1].content == "Dear Sophie"


def test_an_answer_does_not_end_as_streaming(desk: Desk) -> None:
    node = desk.begin(desk.ticket_node)

    with pytest.raises(RefusedError):
        desk.store.finish(desk.id, node.id, Status.STREAMING, {})
    assert desk.store.node(desk.id, node.id).status is Status.STREAMING


def test_the_preview_of_a_long_stream_is_its_first_characters(desk: Desk) -> None:
    node = desk.begin(desk.ticket_node)
    for _ in range(50):
        desk.store.add_text(desk.id, node.id, "0123456789")

    assert desk.store.node(desk.id, node.id).preview == "0123456789" * 20
    assert desk.store.finish(desk.id, node.id, Status.COMPLETE, {}).preview == "0123456789" * 20


def test_while_an_answer_is_written_its_conversation_takes_no_node_and_others_do(desk: Desk) -> None:
    running = desk.begin(desk.ticket_node)
    other = a_desk(desk.store, ticket=a_ticket("T-2"))

    with pytest.raises(TurnRunningError):
        desk.say(desk.ticket_node)
    with pytest.raises(TurnRunningError):
        desk.begin(desk.ticket_node)
    with pytest.raises(TurnRunningError):
        desk.store.add_snapshot(desk.id, desk.ticket_node, 1)
    assert other.say(other.ticket_node).status is Status.COMPLETE
    assert desk.store.close_crashed() == []

    desk.store.finish(desk.id, running.id, Status.INTERRUPTED, {})
    assert desk.say(running.id).parent_id == running.id


def test_a_path_holds_the_contents_and_the_ticket(desk: Desk) -> None:
    answer = desk.ask(desk.ticket_node, "make it shorter")
    desk.say(desk.ticket_node, "elsewhere")

    path = desk.path(answer.id)

    assert [step.kind for step in path] == ["root", "ticket", "agent_message", "assistant_response"]
    assert [step.content for step in path] == ["", "", "make it shorter", "Dear Sophie, it is on its way."]
    assert [step.ticket for step in path] == [None, desk.store.ticket("T-80005"), None, None]
    assert [step.node for step in path] == [desk.store.node(desk.id, step.id) for step in path]
    assert [step.id for step in desk.path(desk.root)] == [desk.root]


def test_a_newer_snapshot_enters_below_a_node(desk: Desk) -> None:
    answer = desk.ask(desk.ticket_node)
    desk.store.save_ticket(a_ticket("T-80005", "Where is my hammock?", "It came, but it is red."))

    node = desk.store.add_snapshot(desk.id, answer.id, 2)

    assert (node.kind, node.parent_id, node.meta["snapshot"]) == ("ticket", answer.id, 2)
    assert desk.store.selected(desk.id) == node.id
    first, second = (step.ticket for step in desk.path(node.id) if step.ticket)
    assert (len(first.messages), len(second.messages)) == (1, 2)
    with pytest.raises(RefusedError, match="not newer"):
        desk.store.add_snapshot(desk.id, node.id, 2)
    with pytest.raises(NotFoundError):
        desk.store.add_snapshot(desk.id, node.id, 3)


def test_internal_interactions_hang_on_a_node_and_are_no_nodes(desk: Desk) -> None:
    message = desk.say(desk.ticket_node)
    hung = desk.store.add_internal(desk.id, message.id, OBSERVATION, "gate", text="fine", meta={"rule": "r1"})
    answer = desk.answer(message.id)

    assert hung not in {node.id for node in desk.store.nodes(desk.id)}
    assert (answer.n, answer.m, answer.seq) == (1, 1, 5)
    assert desk.store.tickets("camille")[0].nodes == 3
    with pytest.raises(NotFoundError):
        desk.store.node(desk.id, hung)
    with pytest.raises(NotFoundError):
        desk.say(hung)
    with pytest.raises(NotFoundError):
        desk.store.select(desk.id, hung)
    with pytest.raises(NotFoundError):
        desk.store.locate("camille", hung)
    with pytest.raises(RefusedError, match="agent_message"):
        desk.store.add_internal(desk.id, message.id, AGENT_MESSAGE, "x", text="", meta={})


def test_a_branch_holds_what_hangs_on_its_nodes_and_nothing_of_other_branches(desk: Desk) -> None:
    here, there = desk.say(desk.ticket_node, "here"), desk.say(desk.ticket_node, "there")
    shared = desk.store.add_internal(desk.id, desk.ticket_node, OBSERVATION, "x", text="shared", meta={"a": 1})
    mine = desk.store.add_internal(desk.id, here.id, OBSERVATION, "x", text="mine", meta={})
    desk.store.add_internal(desk.id, there.id, OBSERVATION, "x", text="not mine", meta={})

    branch = desk.store.branch(desk.id, here.id)

    assert [entry.id for entry in branch] == [desk.root, desk.ticket_node, shared, here.id, mine]
    assert [entry.is_external for entry in branch] == [True, True, False, True, False]
    assert (branch[2].content, branch[2].node.meta, branch[2].node.parent_id) == ("shared", {"a": 1}, desk.ticket_node)
    assert [entry for entry in branch if entry.is_external] == desk.store.path(desk.id, here.id)
    with pytest.raises(NotFoundError):
        desk.store.branch(desk.id, mine)


def test_what_is_shown_is_the_tree_and_one_branch_of_it(desk: Desk) -> None:
    first = desk.say(desk.ticket_node, "first")
    deep = desk.say(first.id, "deep")
    other = desk.say(desk.ticket_node, "other")
    desk.store.add_internal(desk.id, other.id, OBSERVATION, "x", text="hangs", meta={})

    shown = desk.store.shown(desk.id)

    assert (shown.head, list(shown.nodes)) == (desk.store.head(desk.id), desk.store.nodes(desk.id))
    assert list(shown.branch) == desk.store.branch(desk.id, other.id)
    assert desk.store.shown(desk.id, other.id) == desk.store.shown(desk.id, 10_000) == shown
    assert list(desk.store.shown(desk.id, first.id).branch) == desk.store.branch(desk.id, deep.id)
    with pytest.raises(NotFoundError):
        desk.store.shown(desk.id + 1)


@pytest.mark.parametrize("aside", [0, 1, 30])
def test_a_path_is_the_same_however_much_stands_beside_it(desk: Desk, aside: int) -> None:
    texts = [f"message {number}" for number in range(6)]
    at = desk.ticket_node
    for text in texts:
        at = desk.say(at, text).id
    answer = desk.begin(at)
    for piece in ("Dear ", "", "Sophie"):
        desk.store.add_text(desk.id, answer.id, piece)
    half = desk.path(answer.id)
    desk.store.finish(desk.id, answer.id, Status.COMPLETE, {})
    for number in range(aside):
        desk.say(desk.ticket_node, f"aside {number}")

    path = desk.path(answer.id)

    assert half[-1].content == "Dear Sophie"
    assert [entry.content for entry in path[2:]] == [*texts, "Dear Sophie"]
    assert [entry.node for entry in path] == [desk.store.node(desk.id, entry.id) for entry in path]
    assert [(entry.node.n, entry.node.m) for entry in path[2:]] == [(1, 1 + aside), *[(1, 1)] * 6]


def test_internal_interactions_are_added_while_an_answer_is_written(desk: Desk) -> None:
    running = desk.begin(desk.ticket_node)
    desk.store.add_internal(desk.id, running.id, OBSERVATION, "tool", text="42", meta={})

    with pytest.raises(TurnRunningError):
        desk.say(desk.ticket_node)
    assert desk.store.tickets("camille")[0].running


def test_a_chain_deeper_than_recursion_goes_has_a_path_and_a_leaf(desk: Desk) -> None:
    depth = sys.getrecursionlimit() + 100
    chain = [IncomingNode("agent_message", number - 1 if number else None, "camille") for number in range(depth)]
    *_, leaf = desk.store.add_branch(desk.id, chain)

    assert [step.node.depth for step in desk.path(leaf)] == list(range(depth + 1))
    assert desk.store.last_choice_below(desk.id, desk.store.path(desk.id, leaf)[1].id) == leaf
