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
    assert [tree.leaf_below(FORKED, node) for node in (1, 3, 8)] == [8, 5, 8]


def test_choices_lead_the_way_down() -> None:
    choices: Mapping[int, int] = {8: 1, 4: 2}

    assert [tree.leaf_below(FORKED, node, choices) for node in (1, 3, 6)] == [4, 4, 8]
    assert tree.leaf_below(FORKED, 1, {2: 9}) == 8, "a choice of the node itself says nothing about what is below"
    assert tree.leaf_below(FORKED, 1, {3: 9}) == 5, "below an inner node that was chosen, the newest"


@settings(max_examples=40)
@given(trees())
def test_children_and_parents_agree(nodes: list[Node]) -> None:
    children = tree.children_of(nodes)

    assert sum(len(row) for row in children.values()) == len(nodes)
    assert [node.id for node in children[None]] == [ROOT]
    for node in nodes:
        assert all(child.parent_id == node.id for child in children.get(node.id, ()))
        assert node in children[node.parent_id]


@settings(max_examples=40)
@given(trees())
def test_a_path_runs_from_the_root_along_the_edges(nodes: list[Node]) -> None:
    known = tree.by_id(nodes)
    for node in nodes:
        ids = tree.path_ids(nodes, node.id)
        assert (ids[0], ids[-1], len(set(ids))) == (ROOT, node.id, len(ids))
        assert all(known[child].parent_id == above for above, child in itertools.pairwise(ids))


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


def test_depth_is_no_limit() -> None:
    depth = max(5_000, sys.getrecursionlimit() * 2)
    nodes = a_tree(*range(1, depth))

    assert tree.path_ids(nodes, depth) == list(range(1, depth + 1))
    assert tree.leaf_below(nodes, ROOT) == depth
