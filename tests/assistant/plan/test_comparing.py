"""The strategies side by side: each row is the plan that a request with this strategy would have."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_paths import a_task, long_path, of_tokens, with_hanging, worked_example
from scripted_provider import ScriptedProvider

from assistant.plan.comparing import Compared, compare, shared_tokens
from assistant.plan.messages import Message
from assistant.plan.plan import PlanSettings, StrategyName, Verdict
from assistant.plan.planner import make_plan, prepare
from assistant.plan.sticky import KEPT_FROM
from assistant.tokens.counters import EstimateCounter
from storage.interactions import Interaction
from storage.kinds import COMPACTION

TASK = a_task()
MODEL = ScriptedProvider()
COUNTER = EstimateCounter()


def compared(
    path: list[Interaction], chosen: PlanSettings, question: str | None = "shorter", *, previous: tuple[str, ...] = ()
) -> dict[StrategyName, Compared]:
    messages = [Message("user", text) for text in previous]
    rows = compare(prepare(path, TASK, chosen, COUNTER), question, previous=messages)
    return {row.strategy: row for row in rows}


def summarised(path: list[Interaction], turns: int) -> list[Interaction]:
    return with_hanging(path, 2 * turns - 1, COMPACTION, "They talked.", {"covers": {"last_turn": turns}})


def begun_with(path: list[Interaction], strategy: StrategyName, budget: int, kept_from: int) -> list[Interaction]:
    """The path whose last answer was asked for with a request that began with this interaction."""
    *before, last = path
    meta = {"task": TASK.name, "task_version": TASK.version, "strategy": strategy.value, "budget": budget}
    return [*before, last._replace(node=last.node._replace(meta={**meta, KEPT_FROM: kept_from}))]


@settings(max_examples=60, deadline=None)
@given(
    turns=st.integers(0, 9),
    summary=st.integers(0, 4),
    chosen=st.builds(
        PlanSettings,
        strategy=st.sampled_from(StrategyName),
        budget=st.integers(0, 900),
        window_turns=st.integers(1, 4),
        sticky=st.booleans(),
    ),
    held=st.tuples(st.sampled_from(StrategyName), st.integers(1, 20)),
    question=st.none() | st.just("") | st.integers(1, 300).map(of_tokens),
)
def test_each_row_is_the_plan_of_its_strategy_and_counts_every_turn(
    turns: int, summary: int, chosen: PlanSettings, held: tuple[StrategyName, int], question: str | None
) -> None:
    path = begun_with(long_path(turns), held[0], chosen.budget, held[1])
    if 0 < summary <= turns:
        path = summarised(path, summary)
    rows = compared(path, chosen, question)

    assert list(rows) == list(StrategyName)
    for strategy, row in rows.items():
        assert row.plan == make_plan(path, question, TASK, replace(chosen, strategy=strategy), COUNTER)
        assert row.sent_turns + row.cut_turns + row.summarised_turns == row.plan.items[-1].turn
        assert min(row.sent_turns, row.cut_turns, row.summarised_turns) >= 0
        if row.is_expected:
            assert row.total <= chosen.budget
        else:
            assert row.total == row.plan.total


def test_the_worked_example_side_by_side() -> None:
    rows = compared(worked_example(), PlanSettings(budget=150), question=of_tokens(19))

    assert {name: (row.sent_turns, row.cut_turns, row.plan.ticket_sent) for name, row in rows.items()} == {
        StrategyName.CUT: (1, 1, False),
        StrategyName.SELECT: (0, 2, True),
        StrategyName.WINDOW: (1, 1, False),
        StrategyName.SUMMARISE: (0, 2, True),
    }


def test_a_needed_summary_gives_the_figures_that_are_expected_once_it_stands() -> None:
    path = long_path(8)
    rows = compared(path, PlanSettings(budget=500))
    row, cut = rows[StrategyName.SUMMARISE], rows[StrategyName.CUT]
    coverage = row.plan.to_summarise

    assert coverage is not None
    assert row.plan.verdict is Verdict.NEEDS_SUMMARY
    assert (row.cut_turns, row.summarised_turns) == (0, coverage.turns)
    assert row.total == coverage.request - coverage.tokens + coverage.expected
    assert not cut.is_expected
    assert cut.total == cut.plan.total


def test_the_shared_beginning_ends_at_the_first_message_that_differs() -> None:
    path = long_path(3)
    plan = make_plan(path, "shorter", TASK, PlanSettings(), COUNTER)
    sent = [message.content for message in plan.chain]

    for same in range(len(sent)):
        previous = [Message("user", text) for text in (*sent[:same], "another", *sent[same + 1 :])]
        assert shared_tokens(plan.items, previous) == sum(item.tokens for item in plan.items[:same])
    assert shared_tokens(plan.items, []) == 0


def test_a_strategy_that_keeps_another_beginning_shares_less_of_the_previous_request() -> None:
    path = long_path(6)
    before = make_plan(path[:-2], "make it shorter, please (5)", TASK, PlanSettings(), COUNTER)
    rows = compared(path, PlanSettings(window_turns=2), previous=tuple(each.content for each in before.chain))

    assert rows[StrategyName.CUT].shared_tokens == before.total - before.counts.overhead
    assert rows[StrategyName.WINDOW].shared_tokens == before.counts.system
    assert 0 < rows[StrategyName.WINDOW].shared < rows[StrategyName.CUT].shared < 1


@pytest.mark.parametrize(("turns", "turns_summarised"), [(8, 0), (14, 2)])
def test_a_summary_that_is_still_to_be_made_is_in_no_cache(turns: int, turns_summarised: int) -> None:
    path = long_path(turns)
    if turns_summarised:
        path = summarised(path, turns_summarised)
    plan = make_plan(path, "shorter", TASK, PlanSettings(StrategyName.SUMMARISE, 500), COUNTER)
    row = compared(path, PlanSettings(budget=500), previous=tuple(each.content for each in plan.chain))
    assert row[StrategyName.SUMMARISE].is_expected
    assert row[StrategyName.SUMMARISE].shared_tokens == plan.counts.system + plan.counts.ticket


def test_nothing_to_ask_again_is_said() -> None:
    with pytest.raises(ValueError, match="nothing to ask again"):
        compared([], PlanSettings(), None)
