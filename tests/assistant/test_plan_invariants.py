"""What holds for every path, question and budget."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_paths import a_path, a_task, a_ticket

from assistant.counters import EstimateCounter, TiktokenCounter
from assistant.plan import Fate, Plan, PlanSettings, StrategyName, Verdict
from assistant.planner import make_plan, prepare
from assistant.rendering import render
from assistant.tokens import Counter
from storage.interactions import Interaction
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, TICKET

TASK = a_task("You draft replies.")
COUNTERS: list[Counter] = [EstimateCounter(), TiktokenCounter("o200k_base")]

any_text = st.text(st.characters(exclude_categories=())) | st.sampled_from(["<|endoftext|>", "\x00", "a\ud800", " \n"])
tickets = st.lists(any_text, min_size=1, max_size=2).map(lambda texts: a_ticket(*texts))
steps = (
    st.tuples(st.just(AGENT_MESSAGE), any_text)
    | st.tuples(st.just(ASSISTANT_RESPONSE), any_text)
    | st.tuples(st.just(TICKET), tickets)
)
paths = st.builds(
    lambda ticket, rest: a_path((TICKET, ticket), *rest),
    tickets,
    st.lists(steps, max_size=9),
)
chosen = st.builds(
    PlanSettings,
    strategy=st.sampled_from(StrategyName),
    budget=st.integers(min_value=0, max_value=400),
    window_turns=st.integers(min_value=1, max_value=4),
    include_notes=st.booleans(),
)
questions = st.none() | any_text
counters = st.sampled_from(COUNTERS)
PINS_THE_TICKET = (StrategyName.SELECT, StrategyName.SUMMARISE)
TOO_LARGE = (Verdict.FIXED_TOO_LARGE, Verdict.NEWEST_TOO_LARGE)


def kept_places(plan: Plan) -> list[int]:
    return [place for place, item in enumerate(plan.items[1:-1]) if item.fate is Fate.SENT]


@given(paths, questions, chosen, counters)
@settings(max_examples=200, deadline=None)
def test_invariants(path: list[Interaction], question: str | None, choice: PlanSettings, counter: Counter) -> None:
    plan = make_plan(path, question, TASK, choice, counter)
    system, *history, asked = plan.items
    counts = plan.counts

    # Counts add up, and stay within the budget where the plan fits.
    assert plan.total == counter.chain(plan.chain)
    assert plan.total == (
        counts.system + counts.ticket + counts.summary + counts.turns + counts.question + counts.overhead
    )
    assert counts.free == max(0, choice.budget - plan.total)
    assert (plan.total > choice.budget) == (plan.verdict in TOO_LARGE)
    assert all(item.tokens == counter.message(item.message) for item in plan.items)

    # The system message is first and the question last, each as it is.
    assert (system.message.role, system.message.content, system.fate) == ("system", TASK.system, Fate.SENT)
    assert plan.chain[0] is system.message
    assert plan.chain[-1] is asked.message
    if question is not None:
        assert asked.message.content == "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in question)

    # Kept and cut are all that can be sent of this path, in its order, and of no other.
    rendered = [(i.id, message) for i in path if (message := render(i, include_notes=choice.include_notes))]
    planned = [(item.id, item.message) for item in (history if question is not None else [*history, asked])]
    assert planned == rendered[: len(planned)]
    assert all(message.role == "assistant" for _, message in rendered[len(planned) :])
    assert plan.cut_tokens == sum(item.tokens for item in history if item.fate is Fate.CUT)
    assert plan.cut_turns == len({item.turn for item in history if item.fate is Fate.CUT})


@given(paths, any_text, chosen, counters)
@settings(max_examples=200, deadline=None)
def test_what_is_kept_is_a_suffix_of_whole_turns_and_the_next_turn_would_not_fit(
    path: list[Interaction], question: str, choice: PlanSettings, counter: Counter
) -> None:
    plan = make_plan(path, question, TASK, choice, counter)
    history = plan.items[1:-1]
    pinned = max((place for place, item in enumerate(history) if item.kind == TICKET.name), default=None)
    if choice.strategy not in PINS_THE_TICKET:
        pinned = None
    kept = [place for place in kept_places(plan) if place != pinned]
    cut = [place for place in range(len(history)) if place not in kept and place != pinned]

    assert not kept or not cut or max(cut) < min(kept)
    assert not {history[place].turn for place in kept} & {history[place].turn for place in cut}
    if cut and plan.verdict not in TOO_LARGE:
        newest_cut = history[max(cut)].turn
        next_turn = sum(history[place].tokens for place in cut if history[place].turn == newest_cut)
        beyond_window = len({item.turn for item in history}) - newest_cut > choice.window_turns
        is_outside = choice.strategy is StrategyName.WINDOW and beyond_window
        assert is_outside or plan.total + next_turn > choice.budget


@given(paths, questions, chosen, counters)
@settings(deadline=None)
def test_the_verdict_says_what_the_plan_holds(
    path: list[Interaction], question: str | None, choice: PlanSettings, counter: Counter
) -> None:
    plan = make_plan(path, question, TASK, choice, counter)
    tickets = [item for item in plan.items if item.kind == TICKET.name]
    assert plan.ticket_sent == (tickets[-1].fate is Fate.SENT)
    if plan.verdict not in TOO_LARGE:
        has_cut = any(item.fate is Fate.CUT for item in plan.items)
        expected = (Verdict.NEEDS_SUMMARY if plan.to_summarise else Verdict.CUT) if has_cut else Verdict.FITS
        assert plan.verdict is (expected if plan.ticket_sent else Verdict.TICKET_OUTSIDE)
    else:
        may_stay = {TICKET.name} if choice.strategy in PINS_THE_TICKET else set()
        assert {item.kind for item in plan.items[1:-1] if item.fate is Fate.SENT} <= may_stay


@given(paths, questions, chosen, st.integers(min_value=0, max_value=200))
def test_a_larger_budget_never_keeps_less(
    path: list[Interaction], question: str | None, choice: PlanSettings, more: int
) -> None:
    larger = PlanSettings(choice.strategy, choice.budget + more, choice.window_turns, choice.include_notes)
    counter = COUNTERS[0]
    small, large = (make_plan(path, question, TASK, each, counter) for each in (choice, larger))
    assert set(kept_places(small)) <= set(kept_places(large))


@given(paths, st.lists(questions, min_size=1, max_size=3), chosen, counters)
@settings(deadline=None)
def test_the_same_record_gives_the_same_plan_also_by_a_prepared_path(
    path: list[Interaction], drafts: list[str | None], choice: PlanSettings, counter: Counter
) -> None:
    prepared = prepare(path, TASK, choice, counter)
    for question in drafts:
        assert prepared.plan(question) == make_plan(list(path), question, TASK, choice, counter)


@pytest.mark.parametrize("strategy", StrategyName)
def test_ten_thousand_turns_are_planned_without_recursion(strategy: StrategyName) -> None:
    path = a_path((TICKET, a_ticket("Bonjour")), *[(AGENT_MESSAGE, "shorter"), (ASSISTANT_RESPONSE, "Yes.")] * 10_000)
    choice = PlanSettings(strategy, budget=1_000_000, window_turns=20_000)
    assert make_plan(path, "now", TASK, choice, COUNTERS[0]).verdict is Verdict.FITS
