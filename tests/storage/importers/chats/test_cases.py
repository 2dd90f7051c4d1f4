"""Every export of the cases gives what `expected.json` says; what it says in words has a test of its own below."""

import json
from pathlib import Path
from typing import Any

import pytest
from chat_exports import ChatDesk, source_of

from storage.values import Json

FILES = Path(__file__).parent / "files"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FILES / "expected.json").read_text())
DEEP, WIDE = "25-deep-5000-children-before-parents.json", "26-wide-600.json"
WARNINGS = {
    "06-current-null.json": "it names no current message; the newest end of a branch is shown",
    "07-current-dangling.json": "its current message 'gone' is not there; the newest end of a branch is shown",
    "09-cycle.json": "'x', 'y' have a place in a circle of parents, which was cut; they are a branch of their own",
    "11-dangling-parent.json": "'a2' has a parent that is not there; put below the node that lists it",
}
"""How the warnings that are expected by meaning are worded."""


def chatgpt_node(node_id: str, parent: str | None, children: list[str], message: Json) -> dict[str, Json]:
    return {"id": node_id, "parent": parent, "children": [*children], "message": message}


def said(role: str, text: str) -> Json:
    return {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}}


def deep_export(depth: int = 5_000) -> Json:
    """A chain whose every node comes before its parent."""
    nodes = {"n0": chatgpt_node("n0", None, ["n1"], None)}
    for place in range(1, depth + 1):
        children = [f"n{place + 1}"] if place < depth else []
        message = said("user" if place % 2 else "assistant", f"m{place}")
        nodes[f"n{place}"] = chatgpt_node(f"n{place}", f"n{place - 1}", children, message)
    mapping = dict(reversed(nodes.items()))
    return [{"title": "deep", "mapping": mapping, "current_node": f"n{depth}", "conversation_id": "deep"}]


def wide_export(width: int = 600) -> Json:
    """A question with so many answers."""
    names = [f"w{place}" for place in range(width)]
    mapping = {
        "root": chatgpt_node("root", None, ["u"], None),
        "u": chatgpt_node("u", "root", names, said("user", "Q")),
        **{name: chatgpt_node(name, "u", [], said("assistant", f"alt {name}")) for name in names},
    }
    return [{"title": "wide", "mapping": mapping, "current_node": names[-1], "conversation_id": "wide"}]


def bring(desk: ChatDesk, name: str) -> Any:
    made = {DEEP: deep_export, WIDE: wide_export}.get(name)
    if made:
        return desk.bring(made(), name)
    if name == "30b-later-export.json":
        desk.bring_files(FILES / "30a-first-export.json")
    return desk.bring_files(FILES / name)


@pytest.mark.parametrize("name", [*EXPECTED, "seed-chatgpt.json"])
def test_an_export_gives_what_is_expected(name: str, desk: ChatDesk) -> None:
    expected = EXPECTED.get(name, {})

    report = bring(desk, name)

    if "imported" in expected:
        assert report.imported == expected["imported"]
    if "skipped" in expected:
        assert len(report.skipped) == expected["skipped"]
    if "messages" in expected:
        assert len(desk.nodes()) + len(desk.hidden()) == expected["messages"]
    if "shown" in expected:
        assert desk.shown() == expected["shown"]
    if "depth" in expected:
        assert max(node.depth for node in desk.nodes()) == expected["depth"]
    if "roots" in expected:
        assert sum(node.depth == 1 for node in desk.nodes()) == expected["roots"]
    for key, place in expected.items():
        if key.startswith("siblings_of_"):
            (node,) = (node for node in desk.nodes() if source_of(node)["node"] == key.removeprefix("siblings_of_"))
            siblings = [each for each in desk.nodes() if each.parent_id == node.parent_id]
            assert f"{siblings.index(node) + 1}/{len(siblings)}" == place
            assert node.m == len(siblings)
    if "warnings" in expected:
        assert [line.what for line in report.repaired] == [WARNINGS[name]]


def test_the_published_sample_has_eight_shown_messages_one_hidden_and_a_fork(desk: ChatDesk) -> None:
    report = bring(desk, "seed-chatgpt.json")

    assert (report.imported, report.skipped, report.repaired, report.exit_status) == (1, (), (), 0)
    assert len(desk.nodes()) == 8
    (hidden,) = desk.hidden()
    assert (hidden.kind, hidden.author) == ("observation", "system")
    asked = ["Node 1", "Node 1", "Node 3", "Node 3", "Node 4", "Node 4"]
    assert [text.split(".")[0] for text in desk.shown()] == asked
    places = {node.preview.split(".")[0]: (node.n, node.m) for node in desk.nodes() if node.kind == "agent_message"}
    assert (places["Node 2"], places["Node 3"]) == ((1, 2), (2, 2))


def test_hidden_entries_hang_on_the_root_where_nothing_is_shown_above_them(desk: ChatDesk) -> None:
    bring(desk, "seed-chatgpt.json")

    (hidden,) = desk.hidden()

    assert hidden.parent_id == desk.store.nodes(desk.conversation().id)[0].id


def test_every_content_type_is_kept_and_an_unknown_one_is_named(desk: ChatDesk) -> None:
    bring(desk, "14-every-content-type.json")

    shown = {str(source_of(node)["node"]): node for node in desk.nodes()}
    texts = {each.id: each.content for each in desk.store.contents(desk.conversation().id)}
    kept = "".join(str(source_of(node).get("raw", "")) for node in desk.nodes())

    assert texts[shown["k_text"].id] == "plain"
    assert texts[shown["k_multi"].id] == "[image]\ncaption\nspoken"
    assert texts[shown["k_code"].id] == "```python\nprint(1)\n```"
    assert texts[shown["k_err"].id] == "E: boom"
    assert "'hologram_2031'" in texts[shown["k_new"].id]
    assert '"hologram_2031","blob":{"a":[1,2]}' in kept
    assert "sediment://file_0" in kept
    hidden = [json.loads(each.text)["id"] for each in desk.hidden()]
    assert hidden == ["k_mec", "k_rec", "k_th", "k_partsnull", "k_noparts", "k_nocontent"]


def test_times_that_cannot_be_right_neither_order_anything_nor_stop_it(desk: ChatDesk) -> None:
    bring(desk, "15-times-and-title-null.json")

    assert [node.preview for node in desk.nodes()] == ["Q", "A one", "A two"]
    (ticket,) = desk.store.tickets("camille")
    assert ticket.subject == "untitled"
    assert [source_of(node).get("create_time") for node in desk.nodes()] == [None, 1e12, -1]


def test_hostile_text_is_stored_as_it_came_and_half_a_character_is_kept_escaped(desk: ChatDesk) -> None:
    bring(desk, "16-text-hazards.json")

    question, half, _ = desk.nodes()
    texts = {each.id: each.content for each in desk.store.contents(desk.conversation().id)}
    (_, _, source) = desk.store.sources(desk.conversation().ticket_id)[0]

    assert texts[question.id].startswith("nul\0 bell\a esc\x1b[31m rtl\u202e zwj")
    assert texts[half.id] == "lone \ufffd end"
    assert "lone \\ud83d end" in str(source_of(half)["raw"])
    assert b"lone \\ud83d end" in source


def test_bad_entries_are_named_and_the_good_ones_imported(desk: ChatDesk) -> None:
    report = bring(desk, "20-mixed-good-and-bad.json")

    assert report.exit_status == 1
    assert [line.name.rpartition("#")[2] for line in report.skipped] == ["2", "3", "4", "5", "6"]
    assert [line.reason for line in report.skipped] == [
        *["it is no chat of a program that is known"] * 3,
        *["this chat of ChatGPT holds no messages"] * 2,
    ]


def test_an_empty_list_is_said_and_no_failure(desk: ChatDesk) -> None:
    report = bring(desk, "23-empty-list.json")

    assert [line.reason for line in report.skipped] == ["it holds an empty list: no tickets and no chats"]
    assert report.exit_status == 0


def test_a_file_that_is_cut_off_is_refused_with_line_and_column_and_nothing_is_written(desk: ChatDesk) -> None:
    report = bring(desk, "24-truncated.json")

    (line,) = report.skipped
    assert "it ends too early (line 1, column 401)" in line.reason
    assert report.exit_status == 2
    assert desk.store.tickets("camille") == []


def test_a_bomb_is_refused_before_it_is_unpacked(desk: ChatDesk) -> None:
    report = bring(desk, "29-bomb.zip")

    (line,) = report.skipped
    assert line.name.endswith("29-bomb.zip#conversations.json")
    assert "48 MiB, 1,028 times what it is packed" in line.reason
    assert (report.imported, report.exit_status) == (0, 2)


def test_a_later_export_adds_exactly_what_is_new_and_moves_nothing(desk: ChatDesk) -> None:
    bring(desk, "30a-first-export.json")
    before = list(desk.store.contents(desk.conversation().id))

    for expected in (1, 0):
        report = desk.bring_files(FILES / "30b-later-export.json")
        assert (report.imported, report.unchanged) == (expected, 1 - expected)

    after = list(desk.store.contents(desk.conversation().id))
    assert [each.content for each in after[: len(before)]] == [each.content for each in before]
    assert [each.content for each in after[len(before) :]] == ["A two"]
    assert desk.shown() == ["Q", "A one"]


def test_what_has_neither_writer_nor_place_is_set_aside_and_said(desk: ChatDesk) -> None:
    report = bring(desk, "33-openwebui-orphan-current.json")

    assert [line.what for line in report.repaired] == [
        "'z' has neither a writer nor a place; set aside, and kept with the source",
        "its current message 'z' is not there; the newest end of a branch is shown",
    ]
    (_, _, source) = desk.store.sources(desk.conversation().ticket_id)[0]
    assert b'"followUps"' in source
