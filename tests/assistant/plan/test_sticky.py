"""The sticky cut: successive requests share their beginning until it does not fit any more, then jump."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from long_talk import add_turns, talk
from scripted_provider import ScriptedProvider, words
from turn_desk import TASK, a_desk, collected

from assistant.builtin.assistant import request_body
from assistant.plan.plan import Fate, Plan, PlanSettings, StrategyName, Verdict
from assistant.plan.planner import make_plan
from assistant.plan.sticky import begin
from assistant.tokens.counters import EstimateCounter
from storage.interactions import Conversation
from storage.kinds import COMPACTION
from storage.sqlite_store import memory_store
from storage.store import Store

SELECT = PlanSettings(StrategyName.SELECT, budget=1_000, sticky=True)


@pytest.fixture
def store() -> Iterator[Store]:
    record = memory_store()
    yield record
    record.close()


def planned(store: Store, conversation: Conversation, choice: PlanSettings, at_id: int | None = None) -> Plan:
    at_id = store.selected(conversation.id) if at_id is None else at_id
    return make_plan(store.branch(conversation.id, at_id), "next", TASK, choice, EstimateCounter())


def chains(provider: ScriptedProvider) -> list[list[bytes]]:
    return [[request_body([message], "m") for message in chain] for chain in provider.chains]


async def test_each_request_goes_on_where_the_one_before_ended_until_it_jumps(store: Store) -> None:
    provider = ScriptedProvider(words("word " * 60))
    desk = a_desk(store, provider, settings=SELECT)
    conversation = desk.opened()
    totals = []
    for number in range(30):
        totals.append(planned(store, conversation, SELECT).total)
        await collected(desk.send(conversation, f"wish {number}"))

    sent = chains(provider)
    jumps = [number for number in range(1, 30) if sent[number][: len(sent[number - 1])] != sent[number - 1]]
    assert jumps == [13, 18, 23, 28]
    for number in jumps:
        assert totals[number - 1] > 900
        assert 600 < totals[number] <= 700
        assert sent[number][:2] == sent[number - 1][:2]
    assert max(totals) <= 1_000


async def test_what_is_held_is_read_from_the_record_so_a_restart_sends_the_same(store: Store) -> None:
    desk = a_desk(store, ScriptedProvider(words("word " * 60)), settings=SELECT)
    conversation = desk.opened()
    for number in range(15):
        await collected(desk.send(conversation, f"wish {number}"))

    held, afresh = (planned(store, conversation, replace(SELECT, sticky=sticky)) for sticky in (True, False))

    assert held == planned(store, conversation, SELECT)
    assert held.total < afresh.total
    assert held.cut_turns > afresh.cut_turns


async def test_asking_again_sends_what_the_first_answer_was_asked_with(store: Store) -> None:
    provider = ScriptedProvider(words("word " * 60))
    desk = a_desk(store, provider, settings=SELECT)
    conversation = desk.opened()
    for number in range(15):
        await collected(desk.send(conversation, f"wish {number}"))

    await collected(desk.ask_again(conversation, store.selected(conversation.id)))

    assert provider.chains[-1] == provider.chains[-2]


@pytest.mark.parametrize(
    "other",
    [replace(SELECT, budget=1_010), replace(SELECT, strategy=StrategyName.CUT)],
)
async def test_another_choice_begins_afresh_with_the_newest_turns_that_fit(store: Store, other: PlanSettings) -> None:
    desk = a_desk(store, ScriptedProvider(words("word " * 60)), settings=SELECT)
    conversation = desk.opened()
    for number in range(15):
        await collected(desk.send(conversation, f"wish {number}"))

    assert planned(store, conversation, other) == replace(
        planned(store, conversation, replace(other, sticky=False)), sizing=other.sizing
    )


async def test_a_fresh_history_is_cut_like_without(store: Store) -> None:
    conversation, _ = talk(store, 20)
    for strategy in StrategyName:
        choice = replace(SELECT, strategy=strategy)
        assert planned(store, conversation, choice) == planned(store, conversation, replace(choice, sticky=False))


async def test_with_summaries_the_summary_is_what_is_held(store: Store) -> None:
    conversation, answers = talk(store, 8)
    covers = {"first_turn": 1, "last_turn": 5}
    store.add_internal(conversation.id, answers[3], COMPACTION, "model", text="So far.", meta={"covers": covers})
    choice = replace(SELECT, strategy=StrategyName.SUMMARISE)
    before = planned(store, conversation, choice)
    add_turns(store, conversation, [9])

    after = planned(store, conversation, choice)

    assert (before.verdict, after.verdict) == (Verdict.FITS, Verdict.FITS)
    assert after.chain[: len(before.chain) - 1] == before.chain[:-1]


async def test_appending_to_one_branch_leaves_the_next_request_of_every_other_as_it_is(store: Store) -> None:
    conversation, answers = talk(store, 12)
    leaves = [answers[3], answers[6], *add_turns(store, conversation, [90, 91], at_id=answers[5])[-1:]]
    choices = [replace(SELECT, strategy=strategy) for strategy in StrategyName]

    def bodies() -> list[bytes]:
        return [request_body(planned(store, conversation, each, at).chain, "m") for at in leaves for each in choices]

    before = bodies()
    last = add_turns(store, conversation, [13, 14], at_id=answers[-1])[-1]
    store.add_internal(conversation.id, answers[8], COMPACTION, "model", text="A secret of one branch.", meta={})
    store.add_internal(conversation.id, last, COMPACTION, "model", text="Another secret.", meta={})

    assert bodies() == before
    assert not any(b"secret" in body for body in before)
    summarised = planned(store, conversation, choices[-1], answers[-1])
    assert Fate.SUMMARISED in [item.fate for item in summarised.items]


sizes = st.lists(st.integers(min_value=1, max_value=50), max_size=12)


@given(sizes, st.integers(min_value=-10, max_value=300), st.none() | st.integers(min_value=0, max_value=12))
@settings(deadline=None)
def test_what_is_begun_with_fits_wherever_anything_does(tokens: list[int], room: int, held: int | None) -> None:
    def tokens_from(place: int) -> int:
        return sum(tokens[place:])

    starts = list(range(len(tokens) + 1))
    place = begin(starts, tokens_from, room, held, budget=300)
    assert tokens_from(place) <= room or place == len(tokens)
    if held is None:
        assert place == 0 or tokens_from(place - 1) > room
    elif tokens_from(min(held, len(tokens))) <= room:
        assert place == min(held, len(tokens))
    else:
        assert tokens_from(place) <= room - 90 or all(tokens_from(each) > room - 90 for each in starts[:-1])
