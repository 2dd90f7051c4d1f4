"""Walking any tree: what each step leads to, however deep or wide the tree is."""

import itertools
import sys
from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from storage import tree
from storage.interactions import Node, Status

ROOT = 1


def a_node(node_id: int, parent_id: int | None) -> Node:
    return Node(
        id=node_id,
        conversation_id=1,
        seq=node_id,
        kind="agent_message",
        parent_id=parent_id,
        depth=0,
        n=1,
        m=1,
        author="",
        created_at=0,
        status=Status.COMPLETE,
        preview="",
    )


def a_tree(*parents: int) -> list[Node]:
    """Return the nodes 1, 2, … of which the second and later ones have these parents."""
    return [a_node(ROOT, None), *(a_node(number, parent) for number, parent in enumerate(parents, 2))]


#          1
#          2
#        3   6
#       4 5  7
#            8
FORKED = a_tree(1, 2, 3, 3, 2, 6, 7)


@st.composite
def trees(draw: st.DrawFn) -> list[Node]:
    count = draw(st.integers(0, 25))
    return a_tree(*(draw(st.integers(1, number)) for number in range(1, count + 1)))


@st.composite
def chosen_trees(draw: st.DrawFn) -> tuple[list[Node], dict[int, int]]:
    nodes = draw(trees())
    log = draw(st.lists(st.sampled_from([node.id for node in nodes]), max_size=8))
    return nodes, {node_id: when for when, node_id in enumerate(log, 1)}


def below(nodes: list[Node], node_id: int) -> set[int]:
    return {node.id for node in nodes if node_id in tree.path_ids(nodes, node.id)}


def test_the_steps_on_a_forked_tree() -> None:
    assert tree.path_ids(FORKED, 8) == [1, 2, 6, 7, 8]
    assert tree.parent(FORKED, 1) is None
    assert tree.parent(FORKED, 6) == 2
    assert [node.id for node in tree.siblings(FORKED, 6)] == [3, 6]
    assert (tree.next_sibling(FORKED, 3), tree.next_sibling(FORKED, 6)) == (6, None)
    assert (tree.previous_sibling(FORKED, 6), tree.previous_sibling(FORKED, 3)) == (3, None)
    assert [tree.last_fork_above(FORKED, node) for node in (8, 5, 3, 2, 1)] == [2, 3, 2, None, None]
    assert [tree.end_of_branch(FORKED, node) for node in (1, 6, 8)] == [2, 8, 8]
    assert [tree.leaf_below(FORKED, node) for node in (1, 3, 8)] == [8, 5, 8]


def test_choices_lead_the_way_down() -> None:
    choices: Mapping[int, int] = {8: 1, 4: 2}

    assert [tree.leaf_below(FORKED, node, choices) for node in (1, 3, 6)] == [4, 4, 8]
    assert [tree.end_of_branch(FORKED, node, choices) for node in (1, 2, 3)] == [2, 3, 4]
    assert tree.leaf_below(FORKED, 1, {2: 9}) == 8, "a choice of the node itself says nothing about what is below"
    assert tree.leaf_below(FORKED, 1, {3: 9}) == 5, "below an inner node that was chosen, the newest"


@settings(max_examples=40)
@given(trees())
def test_children_and_parents_agree(nodes: list[Node]) -> None:
    children = tree.children_of(nodes)

    assert sum(len(row) for row in children.values()) == len(nodes)
    assert [node.id for node in children[None]] == [ROOT]
    for node in nodes:
        assert all(tree.parent(nodes, child.id) == node.id for child in children.get(node.id, ()))
        assert node in children[node.parent_id]


@settings(max_examples=40)
@given(trees())
def test_a_path_runs_from_the_root_along_the_edges(nodes: list[Node]) -> None:
    for node in nodes:
        ids = tree.path_ids(nodes, node.id)
        assert (ids[0], ids[-1], len(set(ids))) == (ROOT, node.id, len(ids))
        assert all(tree.parent(nodes, child) == above for above, child in itertools.pairwise(ids))


@settings(max_examples=40)
@given(trees())
def test_siblings_are_walked_in_order_and_back(nodes: list[Node]) -> None:
    for node in nodes:
        row = [sibling.id for sibling in tree.siblings(nodes, node.id)]
        assert row == sorted(row)
        following = tree.next_sibling(nodes, node.id)
        if following is None:
            assert row[-1] == node.id
        else:
            assert tree.previous_sibling(nodes, following) == node.id


@settings(max_examples=40)
@given(trees())
def test_the_last_fork_above_is_the_nearest_with_several_children(nodes: list[Node]) -> None:
    children = tree.children_of(nodes)
    for node in nodes:
        forks = [above for above in tree.path_ids(nodes, node.id)[:-1] if len(children[above]) > 1]
        assert tree.last_fork_above(nodes, node.id) == (forks[-1] if forks else None)


@settings(max_examples=60)
@given(chosen_trees())
def test_the_leaf_below_is_the_one_chosen_last_else_the_newest(chosen: tuple[list[Node], dict[int, int]]) -> None:
    nodes, choices = chosen
    parents = {node.parent_id for node in nodes}
    for node in nodes:
        leaf = tree.leaf_below(nodes, node.id, choices)
        under = below(nodes, node.id)
        assert leaf in under
        assert leaf not in parents
        last = max(under - {node.id}, key=lambda other: (choices.get(other, 0), other), default=node.id)
        assert leaf == node.id if last == node.id else last in tree.path_ids(nodes, leaf)


@settings(max_examples=60)
@given(chosen_trees())
def test_the_end_of_a_branch_is_on_the_way_to_the_leaf(chosen: tuple[list[Node], dict[int, int]]) -> None:
    nodes, choices = chosen
    children = tree.children_of(nodes)
    for node in nodes:
        end = tree.end_of_branch(nodes, node.id, choices)
        way = tree.path_ids(nodes, tree.leaf_below(nodes, node.id, choices))
        passed = way[way.index(node.id) + 1 : way.index(end)]
        assert all(len(children[between]) == 1 for between in passed)
        assert len(children.get(end, ())) != 1


def test_depth_is_no_limit() -> None:
    depth = max(5_000, sys.getrecursionlimit() * 2)
    nodes = a_tree(*range(1, depth))

    assert tree.path_ids(nodes, depth) == list(range(1, depth + 1))
    assert tree.leaf_below(nodes, ROOT) == tree.end_of_branch(nodes, ROOT) == depth
    assert tree.last_fork_above(nodes, depth) is None
