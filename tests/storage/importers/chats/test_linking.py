from hypothesis import given, settings
from hypothesis import strategies as st

from storage.importers.chats.linking import Forest, link
from storage.importers.chats.source import SourceNode

IDS = st.sampled_from([*"abcdefgh", "gone"])
NODES = st.lists(
    st.builds(
        SourceNode,
        id=st.sampled_from("abcdefgh"),
        parent=st.none() | IDS,
        is_root=st.booleans(),
        children=st.lists(IDS, max_size=4).map(tuple),
    ),
    max_size=8,
    unique_by=lambda node: node.id,
)


def linked(*nodes: SourceNode) -> dict[str, str | None]:
    return dict(link(nodes).parents)


def notes(*nodes: SourceNode) -> tuple[str, ...]:
    return link(nodes).notes


def node(node_id: str, parent: str | None = None, children: str = "", *, is_root: bool = False) -> SourceNode:
    return SourceNode(node_id, parent, is_root, tuple(children))


@settings(deadline=None)
@given(NODES)
def test_whatever_nodes_say_each_is_in_the_forest_once_and_after_its_parent(nodes: list[SourceNode]) -> None:
    forest: Forest = link(nodes)

    seen: set[str | None] = {None}
    for node_id, parent_id in forest.parents.items():
        assert parent_id in seen
        seen.add(node_id)
    assert seen - {None} == {each.id for each in nodes}
    assert forest.roots >= bool(nodes)


@settings(deadline=None)
@given(NODES)
def test_a_node_s_own_word_counts_unless_it_leads_in_a_circle(nodes: list[SourceNode]) -> None:
    first = {each.id: each for each in nodes}
    forest = link(nodes)

    for node_id, parent_id in forest.parents.items():
        if (named := first[node_id].parent) in first:
            assert parent_id in (named, None)


@settings(deadline=None)
@given(st.permutations(range(40)))
def test_the_order_of_the_source_does_not_matter_where_pointers_agree(order: list[int]) -> None:
    nodes = [
        SourceNode(
            str(place), str(place // 3) if place else None, False, tuple(map(str, range(3 * place, 3 * place + 3)))
        )
        for place in range(40)
    ]
    nodes[0] = SourceNode("0", None, True, ("1", "2"))

    assert linked(*(nodes[place] for place in order)) == linked(*nodes)


def test_children_stand_in_their_parent_s_order_and_behind_them_those_it_does_not_list() -> None:
    assert list(linked(node("d", "a"), node("c", "a"), node("b", "a"), node("a", None, "bc"))) == ["a", "b", "c", "d"]


def test_a_parent_that_is_only_named_by_its_list_of_children_is_found() -> None:
    assert linked(node("b"), node("a", None, "b")) == {"a": None, "b": "a"}
    assert notes(node("b"), node("a", None, "b")) == ()


def test_what_says_it_has_no_parent_but_is_listed_is_put_below_and_said() -> None:
    nodes = node("a", None, "b", is_root=True), node("b", is_root=True)

    assert linked(*nodes) == {"a": None, "b": "a"}
    assert notes(*nodes) == ("'b' has no parent by its own word, but another node lists it; put below that one",)


def test_a_missing_parent_is_replaced_by_the_node_that_lists_it_or_makes_a_branch_of_its_own() -> None:
    nodes = node("a", None, "b"), node("b", "gone"), node("c", "gone")

    assert linked(*nodes) == {"a": None, "b": "a", "c": None}
    assert notes(*nodes) == (
        "'b' has a parent that is not there; put below the node that lists it",
        "'c' has a parent that is not there; it begins a branch of its own",
    )


def test_contradictions_are_settled_and_said() -> None:
    nodes = node("a", None, "c"), node("b", None, "c"), node("c", "b")

    assert linked(*nodes) == {"a": None, "b": None, "c": "b"}
    assert notes(*nodes) == (
        "'c' has two nodes that list it as a child",
        "'c' has one parent by its own word, but another node lists it; its own word counts",
    )


def test_circles_are_cut_at_their_first_node_also_the_smallest_one() -> None:
    nodes = node("a", "a"), node("b", "d"), node("c", "b"), node("d", "c"), node("e", "d")

    assert linked(*nodes) == {"a": None, "b": None, "c": "b", "d": "c", "e": "d"}
    assert len(notes(*nodes)) == 1


def test_many_repairs_of_one_kind_are_one_clause() -> None:
    nodes = [node(name, "gone") for name in "abcde"]

    assert notes(*nodes) == ("'a', 'b', 'c' and 2 more have a parent that is not there; it begins a branch of its own",)


def test_a_chain_of_a_hundred_thousand_is_linked_without_recursion() -> None:
    nodes = [SourceNode(str(place), str(place - 1) if place else None) for place in reversed(range(100_000))]

    assert link(nodes).roots == 1
