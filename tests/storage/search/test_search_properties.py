"""Whatever was written: a word that was shown is found, one that was not is not, and nobody finds another's."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from desks import Clock, Desk, a_desk, a_ticket
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.errors import QueryError
from storage.search.words import keys
from storage.sqlite_store import memory_store
from storage.text import storable

AGENTS = ("camille", "noah")
WORDS = ("hammock", "Crème", "日本", "W-1", "and", "NOT", "naïve", "ham", "hammocks", "12,50", "👍", "100%_", "Ελλάδα")
ODDS = (
    "camille", "secret", "AND", "OR", "NOT", "NEAR", "(", ")", '"', "*", "^", "+", ",", "5", ":", "2:secret", "words",
    "-", "{", "}", " ", "search", "rank",
)  # fmt: skip


@pytest.fixture(scope="module")
def others_secret() -> Iterator[Desk]:
    """A record where only noah has written anything."""
    desk = a_desk(agent="noah")
    with closing(desk.store):
        a_desk(desk.store, agent="camille")
        desk.say(desk.ticket_node, "secret 5 words")
        assert desk.store.search("noah", "secret AND 5", fts=True)
        yield desk


@given(st.lists(st.tuples(st.sampled_from(AGENTS), st.lists(st.sampled_from(WORDS), max_size=5)), max_size=8))
@settings(max_examples=25, deadline=None)
def test_a_word_that_was_shown_is_found_and_one_that_was_not_is_not(said: list[tuple[str, list[str]]]) -> None:
    ticket = a_ticket("T-1", "x", subject="x", customer="x")
    with closing(memory_store(clock=Clock())) as store:
        desks = {agent: a_desk(store, agent=agent, ticket=ticket) for agent in AGENTS}
        nodes = [
            (agent, desks[agent].say(desks[agent].ticket_node, " / ".join(words)).id, words) for agent, words in said
        ]
        for agent in AGENTS:
            for word in WORDS:
                expected = [node_id for owner, node_id, words in nodes if owner == agent and word in words]
                assert [hit.node_id for hit in store.search(agent, word)] == expected[::-1], word


@given(st.text(max_size=40))
@settings(max_examples=50, deadline=None)
def test_each_piece_of_any_text_is_found(text: str) -> None:
    with closing(memory_store(clock=Clock())) as store:
        desk = a_desk(store)
        node = desk.say(desk.ticket_node, text)
        for piece in storable(text).split():
            if keys(piece):
                assert [bool(hit.matches) for hit in store.search("camille", piece) if hit.node_id == node.id] == [True]


@given(expression=st.lists(st.sampled_from(ODDS) | st.text(max_size=2), max_size=9).map("".join))
@settings(max_examples=150, deadline=None)
def test_no_expression_finds_what_another_agent_wrote_or_fails_in_another_way(
    others_secret: Desk, expression: str
) -> None:
    try:
        hits = others_secret.store.search("camille", expression, fts=True)
    except QueryError:
        return
    assert all(hit.node_id is None for hit in hits)
