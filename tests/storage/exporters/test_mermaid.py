"""Mermaid exports: valid whatever the words are, within Mermaid's limits, and true to the tree."""

from random import Random

import pytest
from desks import Desk, a_desk
from exports import SAYS_SO, branches, one_node_export, text_of, texts, the_two_branch_sample
from hostile import EVERY, Hostile
from hypothesis import given, settings
from hypothesis import strategies as st
from mermaid_reader import Drawing, read_drawing, read_drawings, read_label

from storage.exporters.export import one_path, whole_tree
from storage.exporters.mermaid_labels import LONGEST, label
from storage.exporters.printable import printable
from storage.exporters.registry import EXPORTERS
from storage.interactions import IncomingNode, Status

ACTED_ON = [
    "end", "END", "o", "x", "ox--", "subgraph a", "graph TD", "direction LR", "re direction  TD", "direction\nTB",
    "click n1 call x()", "style n1 fill:#f00;", "style a:b#c; d;", "classDef a x:y#z;", "class n1 x", "linkStyle 0 x",
    "fa:fa-user", "fab:fa-x y", "`md`", '"`md`"', "`**b**` _i_", "1. one", "1) x\n2) y", "- a\n- b", "+ a", "* a",
    "# h", "> q", "a\n===", "a\n---", "- - -", "***", "    code", "a  \nb", "\\n", "C:\\new", "&lt;b&gt;", "#35;",
    "#quot;", "%%{init: {}}%%", "%% comment", "<br/>", "<script>alert(1)</script>", "</p>", "$$x^2$$\nx",
    "\ufb02\xb0\xb060\xb6\xdf", "¶ß", "www.example.com", "WWW.x.y", "https://evil.example/x", "a@b.c", "[a](b)",
    "[x]: y", "{{x}}", "((x))", "|x|", "n1 --> n2", ":::x", "@{shape: x}", "~~x~~", ";", "accTitle: x", "accDescr {",
    '"]; n9["pwned"]', '"]\nn9["pwned"]', "---\ntitle: x\n---", "x" * 500, '"' * 300, "😀" * 300,
]  # fmt: skip


def shown_as(text: str) -> str:
    """What a label may show of a text, told without the code under test's own way of cutting."""
    lines = [" ".join(line.split()) for line in printable(text).split("\n")]
    return "\n".join(line for line in lines if line).replace("\u2060", "")


def drawn(desk: Desk) -> list[Drawing]:
    return read_drawings(text_of(whole_tree(desk.store, desk.conversation), "mermaid"))


@pytest.mark.parametrize("text", ACTED_ON + [case.text for case in EVERY], ids=lambda text: ascii(text)[:24])
def test_a_label_shows_the_words_and_nothing_else_happens(text: str) -> None:
    whole = shown_as(text)
    shown = read_label(label(text))

    assert shown == (whole if len(whole) <= LONGEST and whole.count("\n") < 6 else shown)
    assert whole.startswith(shown.removesuffix("…"))


@given(st.one_of(texts, st.text('#%"`<>&;:$@|{}[]()\\/*_-+=~^.1w n\nfa\ufb02\xb0\xb6\xdf')))
def test_any_text_makes_a_valid_label(text: str) -> None:
    shown = read_label(label(text))

    assert shown_as(text).startswith(shown.removesuffix("…")) or shown == "(empty)"
    assert len(shown) <= LONGEST


def test_the_named_signs_are_entities_and_line_breaks_are_kept() -> None:
    assert label('#%"`<>\nx') == "#35;#37;#34;#96;#60;#62;<br/>x"
    assert label(" \n\t") == "(empty)"


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_hostile_words_stay_in_their_label(case: Hostile) -> None:
    drawing = read_drawing(text_of(one_node_export(case.text), "mermaid"))

    assert list(drawing.labels) == ["n1", "n2", "n3"]
    assert drawing.edges == [("n1", "n2"), ("n2", "n3")]


def test_the_two_branch_sample_is_a_chain_to_the_first_answer_and_a_fork_into_two(desk: Desk) -> None:
    the_two_branch_sample(desk)

    (drawing,) = drawn(desk)

    assert drawing.edges == [
        ("n1", "n2"), ("n2", "n3"), ("n3", "n4"),
        ("n4", "n5"), ("n5", "n6"),
        ("n4", "n7"), ("n7", "n8"), ("n8", "n9"), ("n9", "n10"),
    ]  # fmt: skip
    assert list(drawing.labels.values()) == [
        "camille · T-80005", "Hammock has not arrived", f"Node 1.\n{SAYS_SO}", "Node 1.",
        f"Node 2.\n{SAYS_SO}", f"Node 2.\n{SAYS_SO}",
        f"Node 3.\n{SAYS_SO}", "Node 3.", f"Node 4.\n{SAYS_SO}", "Node 4.",
    ]  # fmt: skip
    assert [drawing.outlines[f"n{number}"] for number in (1, 2, 3, 4)] == ["([", "[/", "(", "["]
    assert drawing.classes == {"shown": {"n1", "n2", "n3", "n4", "n7", "n8", "n9", "n10"}}
    assert drawing.dotted == []


def test_a_dotted_edge_leads_from_an_edit_to_what_it_replaces(desk: Desk) -> None:
    first = desk.say(desk.ticket_node, "one")
    desk.answer(first.id, status=Status.INTERRUPTED)
    desk.say(desk.ticket_node, "two", replaces_id=first.id)

    (drawing,) = drawn(desk)

    assert drawing.dotted == [("n5", "n3")]
    assert drawing.labels["n4"].endswith("\n(stopped before its end)")


def test_a_path_is_drawn_alone_and_marked_to_its_end(desk: Desk) -> None:
    second = the_two_branch_sample(desk)["second"]

    drawing = read_drawing(text_of(one_path(desk.store, desk.conversation, second.id), "mermaid"))

    assert drawing.edges == [(f"n{number}", f"n{number + 1}") for number in range(1, 6)]
    assert drawing.classes == {"shown": set(drawing.labels)}


def test_a_long_run_is_folded_as_little_as_it_takes_and_the_diagram_says_so() -> None:
    desk = a_desk()
    desk.store.add_branch(
        desk.id,
        [IncomingNode("agent_message", number - 1 if number else None, "noah", "hm") for number in range(5_000)],
    )

    (drawing,) = drawn(desk)

    (folded,) = drawing.classes["folded"]
    assert drawing.labels[folded] == "… 4,798 messages folded …"
    assert drawing.comments == [
        "%% 4,798 messages in a run without a fork are folded, so that the diagram can be drawn."
    ]
    assert len(drawing.labels) == 5_000 + 2 - 4_798 + 1


def test_a_tree_that_just_fits_is_drawn_whole(desk: Desk) -> None:
    desk.store.add_branch(
        desk.id, [IncomingNode("agent_message", number - 1 if number else None, "noah", "") for number in range(398)]
    )

    (drawing,) = drawn(desk)

    assert len(drawing.labels) == 400
    assert "folded" not in drawing.classes


@pytest.mark.parametrize("edited", [False, True])
def test_600_siblings_are_all_drawn_in_several_diagrams(edited: bool) -> None:
    desk = a_desk()
    desk.store.add_branch(
        desk.id,
        [IncomingNode("agent_message", None, "noah", f"sibling {number}", replaces=0 if edited and number else None)
         for number in range(600)],
    )  # fmt: skip
    rendered = EXPORTERS["mermaid"].render(whole_tree(desk.store, desk.conversation))
    drawings = read_drawings("".join(rendered.chunks))

    own = [name for drawing in drawings for name in drawing.labels if name not in drawing.classes.get("elsewhere", ())]
    assert rendered.suffix == ".md"
    assert len(own) == len(set(own)) == 602
    assert sum(len(drawing.edges) for drawing in drawings) == 601
    assert sum(len(drawing.dotted) for drawing in drawings) == (599 if edited else 0)
    assert [sentence for sentence in rendered.remarks if f"{len(drawings)} diagrams" in sentence]


@settings(max_examples=30, deadline=None)
@given(branches())
def test_every_node_and_edge_of_any_tree_is_drawn(nodes: list[IncomingNode]) -> None:
    desk = a_desk()
    desk.store.add_branch(desk.id, nodes)

    (drawing,) = drawn(desk)

    assert len(drawing.labels) == len(nodes) + 2
    assert len(drawing.edges) == len(nodes) + 1
    assert len(drawing.dotted) == sum(node.replaces is not None for node in nodes)
    desk.store.close()


@settings(max_examples=6, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from([1, 3, 30, 2_000]), st.integers(400, 1_200))
def test_large_trees_of_any_shape_stay_within_the_limits_and_lose_no_branch(
    random: Random, reach: int, size: int
) -> None:
    nodes: list[IncomingNode] = []
    for number in range(size):
        parent = random.randint(max(0, number - reach), number - 1) if number else None
        edits = number > 1 and nodes[-1].parent == parent
        text = random.choice(ACTED_ON)
        nodes.append(IncomingNode("agent_message", parent, "noah", text, replaces=number - 1 if edits else None))
    desk = a_desk()
    desk.store.add_branch(desk.id, nodes)

    drawings = drawn(desk)

    own = {name for drawing in drawings for name in drawing.labels if name not in drawing.classes.get("elsewhere", ())}
    edges = {edge for drawing in drawings for edge in drawing.edges}
    assert {end for _, end in edges} == own - {"n1"}
    assert len(edges) == len(own) - 1
    desk.store.close()
