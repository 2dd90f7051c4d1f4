"""What holds for every path, question and budget."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sample_paths import a_path, a_task, a_ticket, of_tokens, with_hanging

from assistant.plan.messages import Message
from assistant.plan.plan import Fate, Plan, PlannedItem, PlanSettings, StrategyName, Verdict
from assistant.plan.planner import make_plan, prepare
from assistant.plan.rendering import render
from assistant.tokens.counter import Counter
from assistant.tokens.counters import EstimateCounter, TiktokenCounter
from storage.interactions import Interaction
from storage.kinds import (
    AGENT_MESSAGE,
    ASSISTANT_RESPONSE,
    COMPACTION,
    OBSERVATION,
    TICKET,
    TOOL_CALL,
    TOOL_RESULT,
    InteractionKind,
)

TASK = a_task("You draft replies.")
COUNTERS: list[Counter] = [EstimateCounter(), TiktokenCounter("o200k_base")]

any_text = st.text(st.characters(exclude_categories=())) | st.sampled_from(["<|endoftext|>", "\x00", "a\ud800", " \n"])
long_texts = st.integers(min_value=20, max_value=120).map(of_tokens)
tickets = st.lists(any_text, min_size=1, max_size=2).map(lambda texts: a_ticket(*texts))
steps = (
    st.tuples(st.just(AGENT_MESSAGE), any_text | long_texts)
    | st.tuples(st.just(ASSISTANT_RESPONSE), any_text | long_texts)
    | st.tuples(st.just(TICKET), tickets)
)
hanging = st.tuples(
    st.integers(min_value=0, max_value=9),
    st.sampled_from([COMPACTION, COMPACTION, TOOL_CALL, TOOL_RESULT, OBSERVATION]),
    any_text | long_texts,
)


def a_branch(
    ticket: object, rest: Sequence[tuple[InteractionKind, str]], notes: Sequence[tuple[int, InteractionKind, str]]
) -> list[Interaction]:
    """A path with internal interactions on some of its nodes, in the order in which they were added."""
    path = a_path((TICKET, ticket), *rest)  # type: ignore[arg-type]  # what the strategies above make
    nodes = [entry.id for entry in path]
    for at, kind, text in notes:
        place = next(place for place, entry in enumerate(path) if entry.id == nodes[at % len(nodes)])
        path = with_hanging(path, place, kind, text, {"covers": {"first_turn": 1, "last_turn": at + 1}})
    return path


paths = st.builds(a_branch, tickets, st.lists(steps, max_size=9), st.lists(hanging, max_size=3))
chosen = st.builds(
    PlanSettings,
    strategy=st.sampled_from(StrategyName),
    budget=st.integers(min_value=0, max_value=400) | st.integers(min_value=0, max_value=1_200),
    window_turns=st.integers(min_value=1, max_value=4),
    include_notes=st.booleans(),
)
questions = st.none() | any_text
counters = st.sampled_from(COUNTERS)
PINS_THE_TICKET = (StrategyName.SELECT, StrategyName.SUMMARISE)
TOO_LARGE = (Verdict.FIXED_TOO_LARGE, Verdict.NEWEST_TOO_LARGE)


def history_of(plan: Plan) -> list[PlannedItem]:
    """What the path gave, without the system message, the question and a compaction."""
    return [item for item in plan.items[1:-1] if item.kind != COMPACTION.name]


def kept_places(plan: Plan) -> list[int]:
    return [place for place, item in enumerate(history_of(plan)) if item.fate is Fate.SENT]


@given(paths, questions, chosen, counters)
@settings(max_examples=200, deadline=None)
def test_invariants(path: list[Interaction], question: str | None, choice: PlanSettings, counter: Counter) -> None:
    plan = make_plan(path, question, TASK, choice, counter)
    system, asked, history, counts = plan.items[0], plan.items[-1], history_of(plan), plan.counts
    summaries = [item for item in plan.items if item.kind == COMPACTION.name]

    # Counts add up, and stay within the budget where the plan fits.
    assert plan.total == counter.chain(plan.chain)
    assert plan.total == (
        counts.system + counts.ticket + counts.summary + counts.turns + counts.question + counts.overhead
    )
    assert counts.free == max(0, choice.budget - plan.total)
    assert (plan.total > choice.budget) == (plan.verdict in TOO_LARGE)
    assert all(item.tokens == counter.message(item.message) for item in plan.items)
    assert counts.summary == sum(item.tokens for item in summaries)

    # The system message is first and the question last, each as it is.
    assert (system.message.role, system.message.content, system.fate) == ("system", TASK.system, Fate.SENT)
    assert plan.chain[0] is system.message
    assert plan.chain[-1] is asked.message
    if question is not None:
        assert asked.message.content == "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in question)

    # Kept, cut and covered are all that can be sent of this path, in its order, and of no other; tool traffic and
    # observations of earlier answers are no part of it.
    sendable = [i for i in path if i.is_external]
    rendered = [(i.id, message) for i in sendable if (message := render(i, include_notes=choice.include_notes))]
    planned = [(item.id, item.message) for item in (history if question is not None else [*history, asked])]
    assert planned == rendered[: len(planned)]
    assert all(message.role == "assistant" for _, message in rendered[len(planned) :])
    for fate, tokens in ((Fate.CUT, plan.cut_tokens), (Fate.SUMMARISED, plan.summarised_tokens)):
        assert tokens == sum(item.tokens for item in history if item.fate is fate)
    assert plan.cut_turns == len({item.turn for item in history if item.fate is Fate.CUT})

    # What is sent begins where the next request may begin, too.
    first = plan.items[plan.first_kept]
    assert first.fate is Fate.SENT
    assert all(item.fate is Fate.SENT for item in plan.items[plan.first_kept :])


@given(paths, any_text, chosen, counters)
@example(
    a_branch(a_ticket(""), [(AGENT_MESSAGE, "0")], [(0, COMPACTION, "covers nothing")]),
    "",
    PlanSettings(StrategyName.WINDOW, 52, window_turns=1),
    EstimateCounter(),
)
@settings(max_examples=200, deadline=None)
def test_what_is_kept_is_a_suffix_of_whole_turns_and_the_next_turn_would_not_fit(
    path: list[Interaction], question: str, choice: PlanSettings, counter: Counter
) -> None:
    plan = make_plan(path, question, TASK, choice, counter)
    history = history_of(plan)
    pinned = max((place for place, item in enumerate(history) if item.kind == TICKET.name), default=None)
    if choice.strategy not in PINS_THE_TICKET:
        pinned = None
    places = {fate: [at for at, item in enumerate(history) if item.fate is fate and at != pinned] for fate in Fate}
    covered, cut, kept = places[Fate.SUMMARISED], places[Fate.CUT], places[Fate.SENT]

    assert sorted([*covered, *cut, *kept]) == [at for at in range(len(history)) if at != pinned]
    assert [*covered, *cut, *kept] == sorted([*covered, *cut, *kept])
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
    assert (plan.to_summarise is not None) == (plan.verdict is Verdict.NEEDS_SUMMARY)
    if plan.verdict not in TOO_LARGE:
        has_cut = any(item.fate is Fate.CUT for item in plan.items)
        expected = (Verdict.NEEDS_SUMMARY if plan.to_summarise else Verdict.CUT) if has_cut else Verdict.FITS
        assert plan.verdict is (expected if plan.ticket_sent else Verdict.TICKET_OUTSIDE)
    else:
        may_stay = {TICKET.name} if choice.strategy in PINS_THE_TICKET else set()
        assert {item.kind for item in history_of(plan) if item.fate is Fate.SENT} <= may_stay


@given(paths, questions, chosen, counters)
@settings(max_examples=200, deadline=None)
def test_a_compaction_stands_for_all_before_it_and_only_where_it_is_chosen(
    path: list[Interaction], question: str | None, choice: PlanSettings, counter: Counter
) -> None:
    plan = make_plan(path, question, TASK, choice, counter)
    summaries = [place for place, item in enumerate(plan.items) if item.kind == COMPACTION.name]
    if choice.strategy is not StrategyName.SUMMARISE:
        assert summaries == []
        assert all(item.fate is not Fate.SUMMARISED for item in plan.items)
        return
    # The newest one of those that stand for something before the question.
    before = [place for place, item in enumerate(plan.items[:-1]) if item.id is not None]
    known = {plan.items[place].id for place in before}
    usable = []
    nodes_before: set[int] = set()
    for entry in path:
        if entry.kind == COMPACTION.name and entry.content.strip() and nodes_before:
            if entry.node.parent_id in reached(path, plan, question):
                usable.append(entry.id)
        elif entry.id in known and entry.is_external:
            nodes_before.add(entry.id)
    assert [plan.items[place].id for place in summaries] == ([max(usable)] if usable else [])
    if summaries:
        (place,) = summaries
        earlier = plan.items[1:place]
        assert earlier
        assert all(item.fate is Fate.SUMMARISED or item.kind == TICKET.name for item in earlier)
        assert all(item.fate is not Fate.SUMMARISED for item in plan.items[place:])


def reached(path: list[Interaction], plan: Plan, question: str | None) -> set[int]:
    """The nodes before the question."""
    nodes = [entry.id for entry in path if entry.is_external]
    asked = plan.items[-1].id
    return set(nodes if question is not None or asked is None else nodes[: nodes.index(asked)])


@given(paths, any_text, chosen)
@settings(max_examples=200, deadline=None)
def test_a_summary_as_long_as_was_expected_makes_the_plan_fit(
    path: list[Interaction], question: str, choice: PlanSettings
) -> None:
    choice, counter = replace(choice, strategy=StrategyName.SUMMARISE), COUNTERS[0]
    plan = make_plan(path, question, TASK, choice, counter)
    coverage = plan.to_summarise
    if coverage is None:
        return
    assert all(item in plan.items or item._replace(fate=Fate.CUT) in plan.items
               or item._replace(fate=Fate.SUMMARISED) in plan.items for item in coverage.items)  # fmt: skip
    assert coverage.expected <= coverage.most
    place = next(place for place, entry in enumerate(path) if entry.id == coverage.last_node_id)
    frame = counter.message(render_of("x"))
    made = with_hanging(path, place, COMPACTION, "x" * 4 * (coverage.expected - frame))
    after = make_plan(made, question, TASK, choice, counter)
    assert (after.verdict, after.cut_turns) == (Verdict.FITS, 0)
    assert after.counts.summary <= coverage.expected


def render_of(summary: str) -> Message:
    (_, _, compaction) = with_hanging(a_path((AGENT_MESSAGE, "x")), 1, COMPACTION, summary)
    message = render(compaction)
    assert message is not None
    return message


@given(paths, questions, chosen, st.integers(min_value=0, max_value=200))
def test_a_larger_budget_never_keeps_less(
    path: list[Interaction], question: str | None, choice: PlanSettings, more: int
) -> None:
    larger = replace(choice, budget=choice.budget + more)
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
