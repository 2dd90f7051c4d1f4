from hypothesis import given
from hypothesis import strategies as st
from sample_views import a_node, a_tree

from assistant.plan.plan import Fate
from storage.interactions import Node, Status
from storage.kinds import TICKET
from tui.outline_rows import GUIDE_LEVELS, OutlineRow, outline_rows


def drawn(nodes: list[Node], path: tuple[int, ...] = (), folded: frozenset[int] = frozenset()) -> list[str]:
    return [row.guides + str(row.id) for row in outline_rows(nodes, path, {}, {}, folded)]


@st.composite
def trees(draw: st.DrawFn) -> list[Node]:
    parents: list[int | None] = [None]
    for node_id in range(2, draw(st.integers(1, 40)) + 1):
        parents.append(draw(st.integers(max(1, node_id - 4), node_id - 1)))
    return a_tree(parents)


def test_a_line_without_forks_stays_in_one_column() -> None:
    assert drawn(a_tree([None, 1, 2, 3])) == ["2", "3", "4"]


def test_the_newest_branch_goes_straight_on_and_the_others_branch_off_above_it() -> None:
    #       1 ─ 2 ─ 3 ┬ 4 ─ 5 ┬ 6
    #                 │       └ 8 ─ 9
    #                 └ 7
    nodes = a_tree([None, 1, 2, 3, 4, 5, 3, 5, 8])
    assert drawn(nodes) == ["2", "3", "├ 4", "│ 5", "│ ├ 6", "│ 8", "│ 9", "7"]


def test_the_shown_path_is_one_column_wherever_it_forks() -> None:
    nodes = a_tree([None, 1, 2, 3, 4, 5, 3, 5, 8])
    assert drawn(nodes, path=(1, 2, 3, 4, 5, 6)) == ["2", "3", "├ 7", "4", "5", "├ 8", "│ 9", "6"]


def test_a_folded_node_hides_what_is_below_and_says_how_much() -> None:
    nodes = a_tree([None, 1, 2, 3, 4, 5, 3, 5, 8])
    rows = outline_rows(nodes, (), {}, {}, frozenset({4}))
    assert [row.id for row in rows] == [2, 3, 4, 7]
    assert [row.folded_away for row in rows] == [0, 0, 4, 0]


def test_rows_carry_path_leaf_fate_and_tokens() -> None:
    rows = outline_rows(a_tree([None, 1, 2, 2]), (1, 2, 4), {2: Fate.CUT}, {2: 45})
    assert [(row.on_path, row.chosen, row.fate, row.tokens) for row in rows] == [
        (True, False, Fate.CUT, 45),
        (False, False, None, None),
        (True, True, None, None),
    ]


def test_an_empty_conversation_has_no_rows() -> None:
    assert outline_rows([], (), {}, {}) == []
    assert outline_rows(a_tree([None]), (1,), {}, {}) == []


def test_labels_are_safe_and_on_one_line() -> None:
    def label(node: Node) -> str:
        return OutlineRow(node, "", 0, False, False, None, None, 0).label

    assert label(a_node(3, text="Dear\n\x1bSophie\u202e")) == "Dear ␛Sophie‹U+202E›"
    ticket = a_node(2, TICKET, text="whatever")
    assert label(ticket) == "ticket"
    assert label(ticket._replace(meta={"snapshot": 2})) == "ticket, version 2"


def test_what_the_agent_called_a_node_stands_before_its_words() -> None:
    def label(node: Node) -> str:
        return OutlineRow(node._replace(label="refund\x1b version"), "", 0, False, False, None, None, 0).label

    assert label(a_node(3, text="Dear Sophie")) == "# refund␛ version · Dear Sophie"
    assert label(a_node(3)) == "# refund␛ version"
    assert label(a_node(2, TICKET)) == "# refund␛ version · ticket"


def test_an_answer_without_text_is_labelled_by_how_it_ended() -> None:
    failed = a_node(3, text="")._replace(status=Status.ERROR)
    assert OutlineRow(failed, "", 0, False, False, None, None, 0).label == "failed"


@given(trees(), st.data())
def test_every_visible_node_has_one_row_after_its_parent_and_the_straight_line_comes_last(
    nodes: list[Node], data: st.DataObject
) -> None:
    folded = (
        data.draw(st.frozensets(st.sampled_from([node.id for node in nodes[1:]]))) if len(nodes) > 1 else frozenset()
    )
    parents = {node.id: node.parent_id for node in nodes}

    def hidden(node_id: int) -> bool:
        above = parents[node_id]
        while above is not None:
            if above in folded:
                return True
            above = parents[above]
        return False

    rows = outline_rows(nodes, (), {}, {}, folded)
    places = {row.id: at for at, row in enumerate(rows)}
    assert sorted(places) == sorted(node.id for node in nodes[1:] if not hidden(node.id))
    assert len(places) == len(rows)
    for node in nodes[1:]:
        if node.id in places and node.parent_id in places:
            assert places[node.parent_id] < places[node.id]
    for parent in nodes:
        siblings = [node.id for node in nodes if node.parent_id == parent.id and node.id in places]
        assert sorted(siblings, key=places.__getitem__) == siblings
    assert sum(1 + row.folded_away for row in rows) == len(nodes) - 1


@given(trees(), st.data())
def test_the_shown_path_never_indents(nodes: list[Node], data: st.DataObject) -> None:
    parents = {node.id: node.parent_id for node in nodes}
    path = [data.draw(st.sampled_from([node.id for node in nodes]))]
    while (above := parents[path[-1]]) is not None:
        path.append(above)
    for row in outline_rows(nodes, path, {}, {}):
        if row.on_path:
            assert row.guides == ""


@given(trees())
def test_a_branch_is_joined_to_the_line_that_it_leaves(nodes: list[Node]) -> None:
    rows = [row for row in outline_rows(nodes, (), {}, {}) if row.levels <= GUIDE_LEVELS]
    assert all(row.levels == len(row.guides) // 2 for row in rows)
    guides = {row.id: row.guides for row in rows}
    for row in rows:
        outer = guides.get(row.node.parent_id or 0, "").replace("├", "│")
        straight = row.node.n == row.node.m
        assert row.guides == (outer if straight else f"{outer}├ ")


def test_ten_thousand_nodes_in_one_chain_or_in_nested_forks_need_no_recursion() -> None:
    chain = a_tree([None, *range(1, 10_000)])
    assert len(outline_rows(chain, (), {}, {})) == 9_999
    forks = a_tree([None, *(parent for parent in range(1, 10_000, 2) for _ in range(2))])
    rows = outline_rows(forks, (), {}, {})
    assert len(rows) == 10_000
    assert max(len(row.guides) for row in rows) <= 2 * GUIDE_LEVELS
