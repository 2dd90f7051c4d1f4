"""JSON exports on their way between desks: equal trees, and nothing that comes home comes twice."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from chat_exports import ChatDesk, Said, as_chatgpt
from desks import Clock, Desk, a_desk, a_ticket
from exports import branches, text_of
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.audit.verification import verify
from storage.errors import ErasedError, ExportError, RefusedError
from storage.exporters.export import one_path, whole_tree
from storage.exporters.json_reading import parse_export
from storage.exporters.reading_back import compare_tree, read_export, save_tree
from storage.importers.importing import import_paths
from storage.importers.report import ImportReport
from storage.interactions import IncomingNode, Node, Status
from storage.kinds import OBSERVATION, ROOT
from storage.sqlite_store import SqliteStore, memory_store
from storage.store import Store
from storage.ticket_digests import snapshot_digest
from storage.tickets import IncomingTicket
from storage.values import Json

FIRST = a_ticket()
SECOND = a_ticket("T-80005", "Where is my hammock?", "It is here.")
THIRD = a_ticket("T-80005", "Where is my hammock?", "It is here.", "Thank you.")


@pytest.fixture
def stores() -> Iterator[list[SqliteStore]]:
    with ExitStack() as stack:
        made = [memory_store(clock=Clock(10**15 * number)) for number in range(1, 4)]
        for store in made:
            stack.callback(store.close)
        yield made


def exported(desk: Desk) -> str:
    return text_of(whole_tree(desk.store, desk.conversation), "json")


def read(text: str, store: Store, agent: str = "camille") -> Desk:
    return Desk(store, read_export(text, store, agent)[0])


def told(text: str, but: str = "") -> Mapping[str, Json]:
    """What an export says, whatever record it left: without ids, its agent and what the root says of itself."""
    document = json.loads(text)
    place: dict[int | None, int | None] = {None: None} | {
        node["id"]: number for number, node in enumerate(document["nodes"])
    }
    nodes = []
    for node in document["nodes"]:
        meta = {name: value for name, value in node["meta"].items() if name != "snapshot"}
        hanging = [_without(each, "id", "seq") for each in node.get("internal", ())]
        at = {"parent": place[node["parent"]], "replaces": place[node["replaces"]]}
        nodes.append(_without({**node, **at, "meta": meta, "internal": hanging}, "id", "seq", but))
    nodes[0] = _without(nodes[0], "origin", "author", "meta")
    return {
        "nodes": nodes,
        "selected": place[document["selected"]],
        "tickets": [_without(each, "status") for each in document["tickets"]],
    }


def _without(fields: Mapping[str, Json], *names: str) -> dict[str, Json]:
    return {name: value for name, value in fields.items() if name not in names}


@settings(max_examples=25, deadline=None)
@given(branches(most=10, tickets=(FIRST, SECOND)), st.data())
def test_any_tree_is_equal_after_any_number_of_trips(nodes: list[IncomingNode], data: st.DataObject) -> None:
    with ExitStack() as stack:
        stores = [memory_store(clock=Clock(10**15 * number)) for number in range(1, 4)]
        for store in stores:
            stack.callback(store.close)
        first = a_desk(stores[0])
        stores[0].save_ticket(SECOND)
        ids = first.store.add_branch(first.id, nodes)
        first.store.select(first.id, data.draw(st.sampled_from([first.ticket_node, *ids])))
        first.store.set_label(first.id, data.draw(st.sampled_from(ids)), "a label")
        first.store.add_internal(first.id, data.draw(st.sampled_from(ids)), OBSERVATION, "x", text="seen", meta={})

        second = read(exported(first), stores[1], "noah")
        third = read(exported(second), stores[2])
        heads = [desk.store.head(desk.id) for desk in (first, second, third)]
        for text in (exported(first), exported(second), exported(third)):
            for desk in (first, second, third):
                read(text, desk.store, desk.agent)

        assert told(exported(second)) == told(exported(first))
        assert told(exported(third)) == told(exported(first))
        assert [desk.store.head(desk.id) for desk in (first, second, third)] == heads
        assert all(verify(store).holds for store in stores)


def test_a_conversation_that_comes_into_an_empty_record_has_one_ticket_node(stores: list[SqliteStore]) -> None:
    desk = a_desk(stores[0])
    desk.ask(desk.ticket_node)

    for store in stores[1:]:
        desk = read(exported(desk), store)

    assert [(node.kind, node.n, node.m) for node in desk.store.nodes(desk.id)] == [
        ("root", 1, 1), ("ticket", 1, 1), ("agent_message", 1, 1), ("assistant_response", 1, 1),
    ]  # fmt: skip


def test_two_equal_ticket_nodes_side_by_side_stay_two(stores: list[SqliteStore]) -> None:
    desk = a_desk(stores[0])
    stores[0].save_ticket(SECOND)
    for _ in range(2):
        desk.ask(stores[0].add_snapshot(desk.id, desk.ticket_node, 2).id)
    stores[0].add_branch(
        desk.id, [IncomingNode("ticket", None, "Sophie", meta={"snapshot": 1, "digest": snapshot_digest(FIRST)})]
    )

    other = read(exported(desk), stores[1])

    assert told(exported(other)) == told(exported(desk))
    assert [node.kind for node in other.store.nodes(other.id)].count("ticket") == 4


def test_what_was_said_elsewhere_comes_home_once_and_is_shown(stores: list[SqliteStore]) -> None:
    home = a_desk(stores[0])
    home.ask(home.ticket_node, "first")
    away = read(exported(home), stores[1], "noah")
    away.ask(away.store.selected(away.id), "second")
    before = list(home.store.contents(home.id))

    read(exported(away), home.store)

    after = list(home.store.contents(home.id))
    assert [each.content for each in after[: len(before)]] == [each.content for each in before]
    assert [each.content for each in after[len(before) :]] == ["second", "Dear Sophie, it is on its way."]
    assert [each.content for each in home.path(home.store.selected(home.id))] == [each.content for each in after]
    assert told(exported(home)) == told(exported(away))


def test_desks_that_began_apart_share_the_ticket_and_keep_their_answers_beside_each_other(
    stores: list[SqliteStore],
) -> None:
    one, other = a_desk(stores[0]), a_desk(stores[1], agent="noah")
    one.ask(one.ticket_node, "mine")
    other.ask(other.ticket_node, "yours")
    stores[0].save_ticket(SECOND)
    stores[1].save_ticket(SECOND)
    read(exported(one), other.store, "noah")
    read(exported(other), one.store)
    for desk in (one, other):
        mine = next(node for node in desk.store.nodes(desk.id) if node.preview == "mine")
        desk.ask(desk.store.add_snapshot(desk.id, mine.id, 2).id, f"newer, by {desk.agent}")

    read(exported(one), other.store, "noah")
    read(exported(other), one.store)

    assert _below(one) == _below(other) == {
        ("mine", "ticket"), ("yours", "ticket"), ("ticket", "root"), ("ticket", "mine"),
        ("newer, by camille", "ticket"), ("newer, by noah", "ticket"),
        ("Dear Sophie, it is on its way.", "mine"), ("Dear Sophie, it is on its way.", "yours"),
        ("Dear Sophie, it is on its way.", "newer, by camille"), ("Dear Sophie, it is on its way.", "newer, by noah"),
    }  # fmt: skip
    assert [desk.store.head(desk.id) for desk in (one, other)] == [11, 11]


def _below(desk: Desk) -> set[tuple[str, str]]:
    """Each node below its parent, by their words."""
    nodes = {node.id: node for node in desk.store.nodes(desk.id)}
    return {(_words(node), _words(nodes[node.parent_id])) for node in nodes.values() if node.parent_id is not None}


def _words(node: Node) -> str:
    return node.kind if node.kind in ("root", "ticket") else node.preview


@dataclass(frozen=True)
class Act:
    """One thing that happens on a desk; `choice` chooses among its nodes, `to` is where an export goes."""

    what: str
    at: int
    to: int
    choice: int


ACTS = st.builds(
    Act, st.sampled_from(["say", "say", "send", "send path"]), st.integers(0, 2), st.integers(0, 2), st.integers(0, 99)
)


@settings(max_examples=40, deadline=None)
@given(st.lists(ACTS, max_size=14), st.sets(st.integers(0, 2)))
def test_whatever_way_exports_go_every_desk_holds_each_message_once(acts: Sequence[Act], own: set[int]) -> None:
    with ExitStack() as stack:
        agents = ["camille", "noah", "camille"]
        stores: list[Store] = [memory_store(clock=Clock(10**15 * number)) for number in range(1, 4)]
        for number, store in enumerate(stores):
            stack.callback(store.close)
            store.save_ticket(FIRST)
            if number in own or number == 0:
                store.open_conversation(agents[number], FIRST.id)
        said = 0
        for act in [*acts, *(Act("send", at, to, 0) for at, to in ((0, 1), (1, 2), (2, 0), (0, 1), (1, 2)))]:
            store = stores[act.at]
            if not any(ticket.nodes for ticket in store.tickets(agents[act.at])):
                continue
            desk = Desk(store, store.conversation(agents[act.at], FIRST.id))
            before = store.nodes(desk.id)
            match act.what:
                case "say":
                    said += 1
                    desk.say(before[act.choice % len(before)].id, f"message {said}")
                case "send":
                    read(exported(desk), stores[act.to], agents[act.to])
                case _:
                    leaf = before[act.choice % len(before)].id
                    read(text_of(one_path(store, desk.conversation, leaf), "json"), stores[act.to], agents[act.to])
            assert [node.id for node in store.nodes(desk.id)][: len(before)] == [node.id for node in before]

        desks = [Desk(store, store.conversation(agent, FIRST.id)) for store, agent in zip(stores, agents, strict=True)]
        once = Counter({"": 1, FIRST.subject: 1} | {f"message {number + 1}": 1 for number in range(said)})
        for desk in desks:
            assert Counter(node.preview for node in desk.store.nodes(desk.id)) == once
            assert _below(desk) == _below(desks[0])
        for desk in desks:
            assert compare_tree(parse_export(exported(desk)), stores[0], "camille").added == 0


def test_a_text_that_was_changed_on_its_way_becomes_a_sibling_with_a_warning(
    stores: list[SqliteStore], tmp_path: Path
) -> None:
    desk = a_desk(stores[0])
    question = desk.say(desk.ticket_node, "which parcel?")
    desk.answer(question.id, "the blue one")
    forged = exported(desk).replace("the blue one", "the red one")

    report = brought(forged, stores[0], tmp_path)

    assert (report.imported, len(report.repaired)) == (1, 1)
    assert "has another text than" in report.repaired[0].what
    blue, red = desk.store.nodes(desk.id)[-2:]
    assert (blue.preview, red.preview) == ("the blue one", "the red one")
    assert (red.parent_id, red.replaces_id, red.n) == (question.id, blue.id, 2)
    other = read(exported(desk), stores[1])
    assert told(exported(other)) == told(exported(desk))
    for text, store in ((forged, stores[0]), (exported(other), stores[0]), (exported(desk), stores[1])):
        again = brought(text, store, tmp_path)
        assert (again.imported, again.unchanged, again.repaired) == (0, 1, ())


def brought(text: str, store: SqliteStore, folder: Path, *, check: bool = False) -> ImportReport:
    """Import an export as the command does."""
    path = folder / "export.json"
    path.write_text(text)
    return import_paths(store, [path], agent="camille", check=check)


def test_a_chat_of_another_program_is_known_by_whatever_way_it_came(stores: list[SqliteStore], tmp_path: Path) -> None:
    chat = as_chatgpt([Said("a", None, True, "Q"), Said("b", 0, False, "A"), Said("c", 0, False, "B")], 2)
    one, other = ChatDesk(stores[0], tmp_path), ChatDesk(stores[1], tmp_path)
    one.bring(chat)
    text = exported(Desk(one.store, one.conversation()))

    brought(text, other.store, tmp_path)
    report = other.bring(chat)

    assert (report.imported, report.unchanged) == (0, 1)
    assert other.tree() == one.tree()


def test_newer_versions_of_the_ticket_come_with_the_answers_to_them(stores: list[SqliteStore]) -> None:
    home, away = a_desk(stores[0]), read(exported(a_desk(stores[0])), stores[1])
    stores[1].save_ticket(SECOND)
    away.ask(stores[1].add_snapshot(away.id, away.ticket_node, 2).id, "and now?")
    stores[1].save_ticket(THIRD)

    read(exported(away), home.store)

    assert [home.store.ticket("T-80005", number).messages for number in (1, 2, 3)] == [
        away.store.ticket("T-80005", number).messages for number in (1, 2, 3)
    ]
    assert told(exported(home)) == told(exported(away))
    assert compare_tree(parse_export(exported(away)), home.store, "camille").outcome == "unchanged"
    assert verify(home.store).holds


def _refused(ticket: IncomingTicket, text: str, store: Store) -> None:
    store.save_ticket(ticket)
    before = store.ticket(ticket.id)
    with pytest.raises(ExportError, match="other words"):
        read(text, store)
    assert (store.ticket(ticket.id), [each.nodes for each in store.tickets("camille")]) == (before, [0])


def test_a_ticket_that_went_on_in_another_way_takes_nothing_in(stores: list[SqliteStore]) -> None:
    desk = a_desk(stores[0])
    stores[0].save_ticket(SECOND)
    desk.store.add_snapshot(desk.id, desk.ticket_node, 2)
    stores[1].save_ticket(FIRST)

    _refused(a_ticket("T-80005", "Where is my hammock?", "Never mind."), exported(desk), stores[1])


def test_a_path_without_its_ticket_is_not_taken_for_one_on_other_words(stores: list[SqliteStore]) -> None:
    desk = a_desk(stores[0])
    said = desk.say(desk.root, "anew")

    _refused(
        a_ticket("T-80005", "of another customer"),
        text_of(one_path(desk.store, desk.conversation, said.id), "json"),
        stores[1],
    )


def test_what_comes_is_told_before_and_an_export_that_cannot_be_added_whole_leaves_no_ticket(
    stores: list[SqliteStore],
) -> None:
    desk = a_desk(stores[0])
    desk.ask(desk.ticket_node)
    tree = parse_export(exported(desk))
    (*rest, last) = tree.interactions
    broken = replace(tree, interactions=(*rest, last._replace(node=last.node._replace(status=Status.STREAMING))))

    assert compare_tree(tree, stores[1], "camille").added == 3
    with pytest.raises(RefusedError):
        save_tree(broken, stores[1], "camille")

    assert stores[1].tickets("camille") == []


def test_an_export_of_the_first_version_comes_in_once(stores: list[SqliteStore], tmp_path: Path) -> None:
    desk = a_desk(stores[0])
    desk.ask(desk.ticket_node)
    document = json.loads(exported(desk))
    for node in document["nodes"]:
        del node["origin"]
    text = json.dumps({**document, "version": 1})

    assert [brought(text, stores[1], tmp_path).imported for _ in range(2)] == [1, 0]
    assert brought(text, stores[0], tmp_path).unchanged == 1

    other = Desk(stores[1], stores[1].conversation("camille", "T-80005"))
    assert told(exported(other), but="origin") == told(exported(desk), but="origin")


@pytest.mark.parametrize("version", [1, 2])
def test_an_export_of_a_ticket_that_was_erased_since_says_when_and_by_whom(
    version: int, stores: list[SqliteStore], tmp_path: Path
) -> None:
    desk = a_desk(stores[0])
    desk.ask(desk.ticket_node)
    document = json.loads(exported(desk))
    for node in document["nodes"] if version == 1 else ():
        del node["origin"]
    text = json.dumps({**document, "version": version})
    stores[0].erase("T-80005", "noah", "retention")

    for check in (False, True):
        report = brought(text, stores[0], tmp_path, check=check)
        assert "takes nothing new: [erased on" in report.skipped[0].reason
        assert "by noah: retention" in report.skipped[0].reason
    with pytest.raises(ErasedError):
        read(text, stores[0], "noah")


def test_the_origin_of_a_node_is_the_same_after_its_words_were_erased(stores: list[SqliteStore]) -> None:
    desk = a_desk(stores[0])
    desk.ask(desk.ticket_node)
    before = desk.store.origins(desk.id)

    desk.store.erase("T-80005", "noah", "retention")

    assert desk.store.origins(desk.id) == before
    assert {node.kind for node in desk.store.nodes(desk.id)} > {ROOT.name}
