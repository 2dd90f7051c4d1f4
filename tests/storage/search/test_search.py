"""What any store promises about finding: everything that was shown, newest first, and no other agent's words."""

from collections.abc import Sequence

import pytest
from desks import NOON, Desk, a_desk, a_message, a_ticket
from hostile import EVERY

from storage.errors import NotFoundError, QueryError
from storage.interactions import IncomingNode, Status
from storage.kinds import InteractionKind
from storage.search.hit import Hit
from storage.search.words import keys
from storage.store import Store
from storage.text import storable


def found(desk: Desk, query: str, *, fts: bool = False, unfinished: bool = False) -> list[int | None]:
    return [hit.node_id for hit in desk.store.search(desk.agent, query, fts=fts, unfinished=unfinished)]


def test_a_message_is_found_with_all_that_is_needed_to_show_and_open_it(desk: Desk) -> None:
    node = desk.say(desk.ticket_node, "Please mention the crème brûlée in it.")

    (hit,) = desk.store.search("camille", "CREME brulee")

    assert hit == Hit(
        id=hit.id,
        ticket_id="T-80005",
        node_id=node.id,
        snapshot=None,
        position=None,
        kind="agent_message",
        author="camille",
        created_at=node.created_at,
        snippet="Please mention the crème brûlée in it.",
        matches=((19, 24), (25, 31)),
    )


def test_a_ticket_is_found_by_its_messages_and_by_its_id_subject_and_customer(store: Store) -> None:
    store.save_ticket(a_ticket("T-7", "Where is it?", "It arrived, thank you.", subject="Hammock", customer="Sophie"))

    (message,) = store.search("camille", "thank")
    assert (message.ticket_id, message.node_id, message.kind) == ("T-7", None, "ticket")
    assert (message.snapshot, message.position, message.author, message.created_at) == (1, 2, "Sophie", NOON)
    for query in ("T-7", "hammock", "sophie"):
        (head,) = store.search("camille", query)
        assert (head.ticket_id, head.node_id, head.snapshot, head.position) == ("T-7", None, 1, None)
        assert head.snippet == "T-7\nHammock\nSophie"


def test_a_message_of_the_ticket_is_told_by_its_place_in_the_newest_version_that_holds_it(store: Store) -> None:
    first, second = a_message("first", source_id="1"), a_message("second", source_id="2")
    store.save_ticket(a_ticket("T-7", messages=(first,)))
    store.save_ticket(a_ticket("T-7", messages=(first, second)))

    assert [(hit.snapshot, hit.position) for hit in store.search("camille", "first")] == [(2, 1)]
    assert [(hit.snapshot, hit.position) for hit in store.search("camille", "second")] == [(2, 2)]
    assert len(store.search("camille", "hammock")) == 1, "the same subject is found once"


def test_the_newest_come_first_and_pages_follow_each_other_without_gap_or_double(desk: Desk) -> None:
    at, said = desk.ticket_node, []
    for number in range(7):
        at = desk.say(at, f"please {number}").id
        said.append(at)

    pages: list[Sequence[Hit]] = []
    before = None
    while page := desk.store.search("camille", "please", limit=3, before=before):
        pages.append(page)
        before = page[-1].id

    assert [len(page) for page in pages] == [3, 3, 1]
    assert [hit.node_id for page in pages for hit in page] == said[::-1]


def test_every_agent_finds_the_tickets_and_their_own_conversations_alone(desk: Desk) -> None:
    other = a_desk(desk.store, agent="noah")
    mine = desk.say(desk.ticket_node, "offer a refund for the hammock")
    theirs = other.say(other.ticket_node, "offer a voucher for the hammock")

    assert found(desk, "offer") == [mine.id]
    assert found(other, "offer") == [theirs.id]
    assert found(desk, "voucher") == []
    assert found(desk, "hammock") == [mine.id, None, None]
    assert desk.store.search("nobody", "offer") == []
    assert [hit.node_id for hit in desk.store.search("nobody", "hammock")] == [None, None]


def test_a_search_can_be_narrowed_to_one_ticket(desk: Desk) -> None:
    other = a_desk(desk.store, ticket=a_ticket("T-2"))
    mine, theirs = desk.say(desk.ticket_node, "hammock, please"), other.say(other.ticket_node, "hammock, please")

    def narrowed(query: str, ticket_id: str, **how: bool) -> list[int | None]:
        return [hit.node_id for hit in desk.store.search("camille", query, ticket_id=ticket_id, **how)]

    assert narrowed("hammock", "T-80005") == [mine.id, None, None]
    assert narrowed("hammock", "T-2") == [theirs.id, None, None]
    assert narrowed("ple", "T-2", unfinished=True) == [theirs.id]
    assert narrowed("please OR nothing", "T-2", fts=True) == [theirs.id]
    with pytest.raises(QueryError):
        narrowed("a) OR (please", "T-2", fts=True)
    with pytest.raises(NotFoundError):
        narrowed("hammock", "T-3")


def test_an_answer_is_found_once_it_has_ended_however_it_did(desk: Desk) -> None:
    question = desk.say(desk.ticket_node)
    answer = desk.begin(question.id)
    desk.store.add_text(desk.id, answer.id, "Your ham")
    assert found(desk, "your") == []
    desk.store.add_text(desk.id, answer.id, "mock is late")
    desk.store.finish(desk.id, answer.id, Status.INTERRUPTED, {})

    assert found(desk, "hammock late") == [answer.id], "also a word that came in two pieces"
    assert found(desk, "ham") == []


def test_every_branch_is_found_and_the_machinery_is_not(desk: Desk) -> None:
    first = desk.say(desk.ticket_node, "friendlier")
    second = desk.say(desk.ticket_node, "friendlier and shorter", replaces_id=first.id)
    (third,) = desk.store.add_branch(desk.id, [IncomingNode("agent_message", None, "noah", "friendlier, imported")])
    desk.store.add_internal(
        desk.id, first.id, InteractionKind("retrieval", external=False), "tool", text="friendlier", meta={}
    )

    assert found(desk, "friendlier") == [third, second.id, first.id]


def test_a_node_is_found_by_its_newest_label_which_the_hit_tells_from_its_text(desk: Desk) -> None:
    node = desk.say(desk.ticket_node, "offer a voucher")

    for label in ("draft for Noah", "Refund version"):
        desk.store.set_label(desk.id, node.id, label)

    (called,) = desk.store.search("camille", "refund")
    assert (called.node_id, called.is_label, called.snippet) == (node.id, True, "Refund version")
    assert called.matches == ((0, 6),)
    (said,) = desk.store.search("camille", "voucher")
    assert (said.node_id, said.is_label, said.snippet) == (node.id, False, "offer a voucher")
    assert found(desk, "vers", unfinished=True) == [node.id]
    assert found(desk, "draft") == []


@pytest.mark.parametrize(
    ("query", "how"), [("refund", {}), ("refu", {"unfinished": True}), ("refund OR x", {"fts": True})]
)
def test_a_node_that_matches_by_text_and_by_label_is_one_hit_of_its_label(
    desk: Desk, query: str, how: dict[str, bool]
) -> None:
    written = desk.begin(desk.ticket_node)
    desk.store.set_label(desk.id, written.id, "refund, first")
    desk.store.add_text(desk.id, written.id, "a refund")
    desk.store.finish(desk.id, written.id, Status.COMPLETE, {})
    node = desk.say(written.id, "offer a refund")
    desk.store.set_label(desk.id, node.id, "refund version")

    def hits(ticket_id: str | None = None) -> list[tuple[int | None, str]]:
        pages: list[Hit] = []
        while page := desk.store.search(
            "camille", query, ticket_id=ticket_id, limit=1, before=pages[-1].id if pages else None, **how
        ):
            pages += page
        return [(hit.node_id, hit.snippet) for hit in pages]

    assert hits() == hits("T-80005") == [(node.id, "refund version"), (written.id, "refund, first")]
    desk.store.set_label(desk.id, node.id, "the other version")
    assert hits() == [(node.id, "offer a refund"), (written.id, "refund, first")]
    desk.store.set_label(desk.id, node.id, "")
    assert hits() == [(node.id, "offer a refund"), (written.id, "refund, first")]


def test_labels_take_no_place_in_a_page_from_nodes_that_match_twice(desk: Desk) -> None:
    nodes = [desk.say(desk.ticket_node, f"refund {number}").id for number in range(6)]
    for node_id in nodes[::2]:
        desk.store.set_label(desk.id, node_id, f"refund for {node_id}")

    first = desk.store.search("camille", "refund", limit=4)
    rest = desk.store.search("camille", "refund", limit=4, before=first[-1].id)

    assert [hit.node_id for hit in (*first, *rest)] == [*nodes[4::-2], *nodes[5::-2]]
    assert [len(first), len(rest)] == [4, 2]


def test_labels_that_were_replaced_take_no_place_in_a_page(desk: Desk) -> None:
    nodes = [desk.ticket_node, desk.say(desk.ticket_node).id, desk.begin(desk.ticket_node).id]
    for label in ("mine", "mine, still", "mine, at last"):
        for node_id in nodes:
            desk.store.set_label(desk.id, node_id, label)

    first = desk.store.search("camille", "mine", limit=2)
    rest = desk.store.search("camille", "mine", limit=2, before=first[-1].id)

    assert [hit.node_id for hit in (*first, *rest)] == nodes[::-1], "also one that is being written"


def test_a_label_that_was_taken_off_is_not_found_until_it_is_put_back(desk: Desk) -> None:
    for label, expected in (("refund", [desk.ticket_node]), ("", []), ("?!", []), ("refund", [desk.ticket_node])):
        desk.store.set_label(desk.id, desk.ticket_node, label)

        assert found(desk, "refund") == expected


def test_a_label_is_found_by_its_own_agent_and_with_its_own_ticket_alone(desk: Desk) -> None:
    a_desk(desk.store, agent="noah")
    other = a_desk(desk.store, ticket=a_ticket("T-2"))
    desk.store.set_label(desk.id, desk.ticket_node, "refund version")

    assert desk.store.search("noah", "refund") == []
    assert len(desk.store.search("camille", "refund", ticket_id="T-80005")) == 1
    assert desk.store.search("camille", "refund", ticket_id=other.conversation.ticket_id) == []


def test_all_words_must_be_there_and_a_phrase_side_by_side(desk: Desk) -> None:
    node = desk.say(desk.ticket_node, "order W-1234567 of 12,50 €, 日本語のハンモック")

    for query in ("w-1234567", "12,50", "€ order", "of ORDER", "日本語", "ハンモック", "本語の"):
        assert found(desk, query) == [node.id], query
    for query in ("1234567-W", "order kettle", "50,12", "本日", "orde"):
        assert found(desk, query) == [], query


def test_a_query_that_is_still_typed_finds_the_words_that_go_on(desk: Desk) -> None:
    node = desk.say(desk.ticket_node, "hammocks, hammering")

    assert found(desk, "hamm", unfinished=True) == [node.id, None, None]
    assert found(desk, "hammer", unfinished=True) == [node.id]
    assert found(desk, "hamm") == []
    assert found(desk, "hammer ", unfinished=True) == []
    assert found(desk, "hammerings", unfinished=True) == []


def test_a_beginning_of_very_many_words_finds_them_all(desk: Desk) -> None:
    at = desk.ticket_node
    nodes = [at := desk.say(at, f"word{number}").id for number in range(210)]

    assert found(desk, "word", unfinished=True) == nodes[:-21:-1]
    assert found(desk, "word20", unfinished=True) == [*nodes[209:199:-1], nodes[20]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("hammock NOT kettle", "ac"),
        ("HAMM* AND Crème", "c"),
        ('"no hammock" OR kettle', "bc"),
        ("NEAR(kettle hammock, 2)", "b"),
        ("NEAR(kettle hammock, 1)", ""),
        ("(creme OR kettle) NOT hammock", ""),
        ("^creme", "c"),
        ("日本*", "a"),
    ],
)
def test_an_expression_is_one_only_on_request(store: Store, query: str, expected: str) -> None:
    desk = a_desk(store, ticket=a_ticket("T-1", "x", subject="x"))
    texts = {"a": "hammock 日本語", "b": "kettle and no hammock", "c": "crème no hammock"}
    nodes = {desk.say(desk.ticket_node, text).id: name for name, text in texts.items()}

    hits = store.search("camille", query, fts=True)

    assert "".join(sorted(nodes[hit.node_id] for hit in hits if hit.node_id is not None)) == expected
    assert all(isinstance(hit, Hit) for hit in store.search("camille", query)), "literally it is no error"


@pytest.mark.parametrize(
    "query",
    ['a" OR b NEAR(', "AND b", "a OR", "(a", "a) OR (b", "-a", "words:a", "{words} : a", "a, 5", "a\0b", "a + *"],
)
def test_an_expression_that_cannot_be_read_is_one_sentence(desk: Desk, query: str) -> None:
    with pytest.raises(QueryError) as caught:
        desk.store.search("camille", query, fts=True)
    assert str(caught.value).endswith("AND, OR, NOT and NEAR between words.")


@pytest.mark.parametrize("fts", [False, True])
@pytest.mark.parametrize("query", ["", "?!", "\u202e", "word " * 1_000])
def test_a_query_that_asks_for_nothing_or_too_much_is_one_sentence(desk: Desk, query: str, fts: bool) -> None:
    with pytest.raises(QueryError, match=r"\.$"):
        desk.store.search("camille", query, fts=fts)


def test_hostile_text_is_found_literally_wherever_it_stands(desk: Desk) -> None:
    at, nodes = desk.ticket_node, {}
    for hostile in EVERY:
        at = nodes[hostile] = desk.say(at, hostile.text).id
        desk.store.save_ticket(a_ticket(f"T-{hostile.id}", f"see {hostile.text}", subject=hostile.text))

    for hostile, node_id in nodes.items():
        if not keys(storable(hostile.text)):
            with pytest.raises(QueryError, match=r"no word or number|Type a word"):
                desk.store.search("camille", hostile.text)
            continue
        hits = desk.store.search("camille", hostile.text, limit=1_000)
        assert node_id in {hit.node_id for hit in hits}, hostile.id
        assert {None, 1} == {hit.position for hit in hits if hit.ticket_id == f"T-{hostile.id}"}, hostile.id
        assert all(hit.matches for hit in hits), hostile.id
