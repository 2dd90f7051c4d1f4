"""JSON exports: complete, safe to print, and read back to an equal tree."""

import json
import tracemalloc
from collections.abc import Callable
from itertools import islice

import pytest
from desks import Clock, Desk, a_desk, a_message, a_ticket
from exports import SAYS_SO, branches, one_node_export, shape_of, text_of, the_two_branch_sample
from hostile import EVERY, Hostile
from hypothesis import given, settings

from storage.errors import ExportError, TurnRunningError
from storage.exporters.export import one_path, whole_tree
from storage.exporters.json_reading import parse_export
from storage.exporters.reading_back import read_export
from storage.exporters.registry import EXPORTERS
from storage.interactions import IncomingNode
from storage.kinds import COMPACTION, OBSERVATION, TASK, TOOL_CALL, TOOL_RESULT
from storage.sqlite_store import memory_store
from storage.tickets import RawSource, Role, TicketAttachment, TicketMessage


def exported(desk: Desk) -> str:
    return text_of(whole_tree(desk.store, desk.conversation), "json")


_MESSAGES = (
    a_message("Wo ist\r\ner?", source_id="<1@x>"),
    TicketMessage("Ann", Role.AGENT, "VIP", internal=True, attachments=(TicketAttachment("a/b", "x/y", 3),)),
)
THE_RICH_TICKET = a_ticket(
    messages=_MESSAGES, language="de", status="pending", sources=(RawSource("a.eml", "eml", b"raw"),)
)


def a_rich_desk() -> Desk:
    """A conversation that saw two snapshots of its ticket, with a fork, an edit and a second beginning."""
    desk = a_desk(ticket=THE_RICH_TICKET)
    the_two_branch_sample(desk)
    first = desk.say(desk.root, "anew")
    desk.say(desk.root, "anew, better", replaces_id=first.id)
    desk.store.save_ticket(a_ticket(messages=[*_MESSAGES, a_message("Hallo?", source_id="<2@x>")], language="de"))
    newer = desk.store.add_snapshot(desk.id, desk.ticket_node, 2)
    desk.store.set_label(desk.id, desk.ask(newer.id, "and now?").id, "the \u202enewest\x1b")
    desk.store.set_label(desk.id, first.id, "refund version")
    return desk


def read_back(text: str) -> Desk:
    """Read an export into an empty record of another agent."""
    store = memory_store(clock=Clock())
    conversation, _ = read_export(text, store, "noah")
    return Desk(store, conversation)


def imported_part(desk: Desk, text: str) -> list[tuple[object, ...]]:
    """The shape of what reading an export added: all but the root and the ticket that every conversation opens with."""
    everything = list(desk.store.contents(desk.id))
    added = everything[-(len(parse_export(text).interactions) - 1) :]
    return shape_of(added, below=desk.root)


def labels(desk: Desk) -> list[str]:
    return [node.label for node in desk.store.nodes(desk.id) if node.label]


def test_every_node_and_snapshot_is_there_with_integers_as_integers() -> None:
    desk = a_rich_desk()
    document = json.loads(exported(desk))

    assert (document["format"], document["version"], document["scope"]) == ("ticketree", 2, "tree")
    assert (document["agent"], document["ticket"]) == ("camille", "T-80005")
    assert document["selected"] == desk.store.selected(desk.id)
    nodes = {node["id"]: node for node in document["nodes"]}
    origins = {node_id: origin.text for node_id, origin in desk.store.origins(desk.id).items()}
    assert len(set(origins.values())) == len(nodes)
    assert len({text[:64] for text in origins.values()}) == 1
    for interaction in desk.store.contents(desk.id):
        node = interaction.node
        assert nodes.pop(node.id) == {
            "id": node.id, "origin": origins[node.id], "seq": node.seq, "parent": node.parent_id,
            "depth": node.depth, "n": node.n, "m": node.m, "kind": node.kind, "author": node.author,
            "created_at": node.created_at, "status": node.status.value, "erased": False, "replaces": node.replaces_id,
            "text": interaction.content, "detail": node.detail, "meta": node.meta, "label": node.label,
        }  # fmt: skip
    assert nodes == {}
    assert [ticket["snapshot"] for ticket in document["tickets"]] == [1, 2]
    assert [len(ticket["messages"]) for ticket in document["tickets"]] == [2, 3]
    assert document["tickets"][0]["messages"][1]["attachments"] == [
        {"name": "a/b", "media_type": "x/y", "size_bytes": 3}
    ]


def test_what_is_read_is_what_went_out() -> None:
    desk = a_rich_desk()

    tree = parse_export(exported(desk))

    assert list(tree.interactions) == list(desk.store.contents(desk.id))
    assert list(tree.tickets) == [desk.store.ticket("T-80005", number) for number in (1, 2)]
    assert (tree.agent, tree.ticket_id, tree.selected_id) == ("camille", "T-80005", desk.store.selected(desk.id))


def test_an_export_read_into_another_record_gives_an_equal_tree() -> None:
    desk = a_rich_desk()
    text = exported(desk)

    other = read_back(text)

    root, *rest = desk.store.contents(desk.id)
    assert imported_part(other, text) == shape_of(rest, below=root.id)
    chosen = other.path(other.store.selected(other.id))
    assert [each.content for each in chosen[1:]] == [
        each.content for each in desk.path(desk.store.selected(desk.id))[1:]
    ]
    assert labels(other) == labels(desk) == ["refund version", "the \u202enewest\x1b"]
    for number in (1, 2):
        read, original = other.store.ticket("T-80005", number), desk.store.ticket("T-80005", number)
        assert read == original


def hung(desk: Desk) -> list[tuple[object, ...]]:
    """What hangs on which node, by its words."""
    words = {each.id: each.content for each in desk.store.contents(desk.id)}
    return [
        (words[each.node.parent_id or 0], each.kind, each.node.author, each.content, each.node.meta)
        for each in desk.store.contents(desk.id, hanging=True)
        if not each.is_external
    ]


def test_what_hangs_on_nodes_and_is_not_shown_goes_out_and_comes_back() -> None:
    desk = a_rich_desk()
    question = desk.say(desk.ticket_node, "which parcel?")
    hanging = [(TOOL_CALL, "find"), (TOOL_RESULT, "W-1\x00"), (OBSERVATION, "hidden"), (TASK, ""), (COMPACTION, "sum")]
    for kind, text in hanging:
        desk.store.add_internal(desk.id, question.id, kind, "machine", text=text, meta={"kind": kind.name})
    for text in (exported(desk), text_of(one_path(desk.store, desk.conversation), "json")):
        tree = parse_export(text)
        assert [each.content for each in tree.interactions if not each.is_external] == [said for _, said in hanging]
    assert list(parse_export(exported(desk)).interactions) == list(desk.store.contents(desk.id, hanging=True))

    other = read_back(exported(desk))

    # A summary stands for nodes by their ids, which are others here.
    assert hung(other) == [each for each in hung(desk) if each[1] != COMPACTION.name]
    assert len(hung(other)) == 4
    read_export(exported(desk), other.store, "noah")
    assert len(hung(other)) == 4
    markdown = text_of(whole_tree(desk.store, desk.conversation), "markdown")
    assert ("which parcel?" in markdown, "hidden" in markdown) == (True, False)


def test_labels_of_earlier_nodes_stay_when_what_hangs_on_new_ones_is_added() -> None:
    desk = a_rich_desk()
    other = read_back(exported(desk))
    for node in other.store.nodes(other.id):
        other.store.set_label(other.id, node.id, "")
    later = desk.ask(desk.ticket_node, "once more")
    for number in range(30):
        desk.store.add_internal(desk.id, later.id, OBSERVATION, "x", text=str(number), meta={})

    read_export(exported(desk), other.store, "noah")

    assert (labels(other), len(hung(other))) == ([], 30)


def test_reading_again_labels_what_is_new_and_leaves_the_labels_that_there_are() -> None:
    desk = a_rich_desk()
    other = read_back(exported(desk))
    for node in other.store.nodes(other.id):
        other.store.set_label(other.id, node.id, "")
    later = desk.ask(desk.ticket_node, "once more")
    desk.store.set_label(desk.id, later.id, "later")

    read_export(exported(desk), other.store, "noah")

    assert labels(other) == ["later"]


def test_an_export_without_labels_is_read_and_a_label_is_cut_to_its_length() -> None:
    document = json.loads(exported(a_rich_desk()))
    for node in document["nodes"]:
        del node["label"]
    document["nodes"][-1]["label"] = "a\n" * 100

    tree = parse_export(json.dumps(document))

    assert [each.node.label for each in tree.interactions if each.node.label] == ["a " * 30]
    document["nodes"][-1]["label"] = 1
    with pytest.raises(ExportError, match="'label'"):
        parse_export(json.dumps(document))


@settings(max_examples=20, deadline=None)
@given(branches(most=8))
def test_any_tree_survives_the_way_out_and_back(nodes: list[IncomingNode]) -> None:
    desk = a_desk()
    desk.store.add_branch(desk.id, nodes)
    text = exported(desk)

    other = read_back(text)
    again = exported(other)

    root, *rest = desk.store.contents(desk.id)
    assert list(parse_export(text).interactions) == [root, *rest]
    assert imported_part(other, text) == shape_of(rest, below=root.id)
    assert exported(other) == again
    desk.store.close()
    other.store.close()


def test_reading_back_adds_branches_below_the_ticket_that_is_there_and_leaves_the_others_as_they_were() -> None:
    desk, store = a_rich_desk(), memory_store(clock=Clock())
    other = a_desk(store, agent="noah", ticket=THE_RICH_TICKET)
    other.ask(other.ticket_node, "of my own")
    before = list(store.contents(other.id))

    _, (ticket_node, *ids) = read_export(exported(desk), store, "noah")

    after = list(store.contents(other.id))
    assert after[0].node.m == 1
    assert [each.content for each in after[: len(before)]] == [each.content for each in before]
    assert ticket_node == other.ticket_node
    assert [each.id for each in after[len(before) :]] == ids
    assert [each.content for each in after[len(before) :]] == [each.content for each in desk.store.contents(desk.id)][
        2:
    ]
    assert store.selected(other.id) in ids


def test_a_path_reads_back_as_a_chain(desk: Desk) -> None:
    second = the_two_branch_sample(desk)["second"]
    text = text_of(one_path(desk.store, desk.conversation, second.id), "json")

    other = read_back(text)

    assert json.loads(text)["scope"] == "path"
    assert json.loads(text)["selected"] == second.id
    assert [each.content for each in other.path(other.store.selected(other.id))[2:]] == [
        each.content for each in desk.path(second.id)[2:]
    ]


def test_an_edit_whose_original_is_not_on_the_path_reads_back_alone(desk: Desk) -> None:
    first = desk.say(desk.ticket_node, "one")
    desk.say(desk.ticket_node, "two", replaces_id=first.id)

    other = read_back(text_of(one_path(desk.store, desk.conversation), "json"))

    assert other.store.nodes(other.id)[-1].replaces_id is None


def test_a_snapshot_is_found_by_its_words_whatever_its_number_is() -> None:
    desk = a_desk(ticket=a_ticket("T-80005", "first", "second"))
    text = exported(desk)
    store = memory_store(clock=Clock())
    store.save_ticket(a_ticket("T-80005", "first"))
    store.save_ticket(a_ticket("T-80005", "first", "second"))

    conversation, (ticket_node,) = read_export(text, store, "noah")

    assert store.node(conversation.id, ticket_node).meta["snapshot"] == 2


def test_a_ticket_with_other_words_under_the_same_id_is_refused_and_nothing_is_written(desk: Desk) -> None:
    text = exported(desk)
    store = memory_store()
    store.save_ticket(a_ticket("T-80005", "of another customer"))

    with pytest.raises(ExportError, match="other words"):
        read_export(text, store, "noah")

    assert [ticket.nodes for ticket in store.tickets("noah")] == [0]


def test_erased_words_do_not_go_out_and_what_says_so_does_not_come_back_as_words() -> None:
    desk = a_rich_desk()
    desk.store.erase("T-80005", "noah", "retention")

    for to in ("json", "markdown", "mermaid"):
        text = text_of(whole_tree(desk.store, desk.conversation), to)
        assert "retention" in text
        assert not any(word in text for word in ("Wo ist", "Hallo", "Sophie", SAYS_SO, "anew, better"))
    tree = parse_export(exported(desk))
    assert list(tree.interactions) == list(desk.store.contents(desk.id))
    with pytest.raises(ExportError, match="erased"):
        read_back(exported(desk))


def test_an_unfinished_answer_does_not_go_out(desk: Desk) -> None:
    done = desk.ask(desk.ticket_node)
    desk.begin(done.id)

    with pytest.raises(TurnRunningError):
        whole_tree(desk.store, desk.conversation)
    with pytest.raises(TurnRunningError):
        one_path(desk.store, desk.conversation)
    assert "it is on its way" in text_of(one_path(desk.store, desk.conversation, done.id), "json")


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_hostile_words_come_back_unchanged_and_nothing_drives_a_terminal(case: Hostile) -> None:
    text = text_of(one_node_export(case.text, author=case.text), "json")

    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    (*_, last) = parse_export(text).interactions
    assert (last.content, last.node.author) == (case.text, case.text)


def test_a_long_conversation_goes_out_in_pieces_and_comes_back() -> None:
    desk, size = a_desk(), 1_200
    desk.store.add_branch(
        desk.id,
        [IncomingNode("agent_message", number - 1 if number else None, "noah", "y" * 8_000) for number in range(size)],
    )
    chunks = EXPORTERS["json"].render(whole_tree(desk.store, desk.conversation)).chunks
    next(chunks)
    tracemalloc.start()
    length = sum(map(len, islice(chunks, size)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert length > 9_000_000
    assert peak < 4_000_000
    assert len(read_back(exported(desk)).store.nodes(1)) == size + 2


def changed(change: Callable[[dict[str, object]], object]) -> str:
    desk = a_desk()
    desk.ask(desk.ticket_node)
    document = json.loads(exported(desk))
    change(document)
    return json.dumps(document)


def node(document: dict[str, object], position: int) -> dict[str, object]:
    nodes = document["nodes"]
    assert isinstance(nodes, list)
    found: dict[str, object] = nodes[position]
    return found


def ticket(document: dict[str, object]) -> dict[str, object]:
    tickets = document["tickets"]
    assert isinstance(tickets, list)
    found: dict[str, object] = tickets[0]
    return found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda it: it.update(format="other"), "no conversation that Ticketree exported"),
        (lambda it: it.update(version=3), "newer Ticketree"),
        (lambda it: it.update(version=True), "'version' of the document is not a whole number"),
        (lambda it: it.pop("nodes"), "'nodes' of the document is not a list"),
        (lambda it: it.update(nodes=[]), "no nodes"),
        (lambda it: it.update(nodes=[5]), "nodes[0] of the document is no object"),
        (lambda it: it.update(selected=99), "the chosen node"),
        (lambda it: it.update(ticket="T-1"), "another ticket"),
        (lambda it: it.update(scope="half"), "one of tree, path"),
        (lambda it: node(it, 2).update(parent=4), "nodes[2] of the document is not an earlier node"),
        (lambda it: node(it, 2).update(parent=None), "may stand here"),
        (lambda it: node(it, 2).update(id=1), "an id of its own"),
        (lambda it: node(it, 2).update(id=2.0), "a whole number"),
        (lambda it: node(it, 2).pop("origin"), "'origin' of nodes[2] of the document is not text"),
        (lambda it: node(it, 2).update(origin="ab/cd"), "the origin of a node"),
        (lambda it: node(it, 2).update(created_at=2**63), "a whole number"),
        (lambda it: node(it, 2).update(kind="root"), "may stand here"),
        (lambda it: node(it, 2).update(kind="hologram"), "that this Ticketree knows"),
        (lambda it: node(it, 2).update(status="streaming"), "how a content ended"),
        (lambda it: node(it, 2).update(status="fine"), "one of streaming, complete"),
        (lambda it: node(it, 2).update(text=None), "'text' of nodes[2] of the document is not text"),
        (lambda it: node(it, 2).update(meta=[]), "an object"),
        (lambda it: node(it, 3).update(replaces=2), "a sibling"),
        (lambda it: node(it, 1).update(meta={"snapshot": 7}), "a snapshot in this export"),
        (lambda it: ticket(it).update(subject="forged"), "the digest of its words"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_damaged_export_is_refused_with_the_place(change: Callable[[dict[str, object]], object], said: str) -> None:
    text = changed(change)
    store = memory_store()

    with pytest.raises(ExportError) as caught:
        read_export(text, store, "noah")

    assert said in str(caught.value)
    assert store.tickets("noah") == []


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, b"\xff\xfe\x00", "[]", "null", "{}", '{"format": 7}'])
def test_what_is_no_export_is_one_sentence(text: str | bytes) -> None:
    with pytest.raises(ExportError):
        parse_export(text)


def test_what_a_later_version_adds_is_left_out() -> None:
    text = changed(lambda it: it.update(labels=[1, 2], nodes=[{**node(it, 0), "mood": "good"}], selected=1))

    assert len(parse_export(text).interactions) == 1
