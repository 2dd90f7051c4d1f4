"""The meter tells window, budget and room for the answer apart, and what the provider had in its cache."""

from dataclasses import replace

import pytest
from sample_views import a_plan

from assistant.plan.plan import Plan, Verdict
from assistant.tokens.calibration import Calibration
from assistant.tokens.sizing import Sizing
from assistant.tokens.windows import Window, WindowSource
from tui.meter_text import Remedy, meter_lines, remedies

CALIBRATED = Calibration("estimate", 1.3, 5.0, 3, answers=20)


def with_window(plan: Plan, tokens: int, *, room: int = 1_024, chosen: int | None = None) -> Plan:
    """The plan on a model that takes so much."""
    sizing = Sizing(Window(tokens, WindowSource.LEARNED, "the server said so"), room, CALIBRATED)
    return replace(plan, chosen_budget=chosen or plan.budget, sizing=sizing)


def text_of(plan: Plan, width: int, cached: float | None = None) -> str:
    return "\n".join(line.plain for line in meter_lines(plan, width, cached=cached))


FITS = with_window(a_plan(), 4_096)


def test_window_and_room_stand_beside_the_budget() -> None:
    assert "1,960 of 3,000 tokens (estimate) · 65 % · room for the answer 1,024 · window 4,096" in text_of(FITS, 120)


def test_in_eighty_columns_they_are_said_in_few_words() -> None:
    assert "1,960 of 3,000 (estimate) · room for the answer 1,024 · window 4,096" in text_of(FITS, 70)
    assert "1,960 of 3,000 (estimate) · answer 1,024 · window 4,096" in text_of(FITS, 60)
    assert "1,960 of 3,000 (estimate) · window 4,096" in text_of(FITS, 46)


def test_where_no_window_is_known_nothing_is_said_of_it() -> None:
    assert "window" not in text_of(a_plan(), 120)
    assert "answer" not in text_of(a_plan(), 120)


def test_what_the_provider_had_in_its_cache_is_told_as_a_share() -> None:
    assert "window 4,096 · cached 62 %" in text_of(FITS, 120, cached=0.62)
    assert "(estimate) · 65 % · cached 62 %" in text_of(a_plan(), 120, cached=0.62)
    assert "cached" not in text_of(FITS, 120, cached=0.0)


def test_calibrated_counts_say_on_how_many_answers_they_rest() -> None:
    plan = replace(FITS, accuracy="calibrated")
    text = text_of(plan, 140)
    assert "1,960 of 3,000 tokens (calibrated)" in text
    assert "estimate by 20 answers" in text


def test_a_budget_that_leaves_no_room_for_the_answer_is_warned_of() -> None:
    plan = with_window(a_plan(budget=3_072), 4_096, chosen=8_000)
    assert "⚠ budget 8,000 + answer 1,024 > window 4,096" in text_of(plan, 120)
    assert "1,960 of 3,072" in text_of(plan, 76)


@pytest.mark.parametrize("verdict", [Verdict.NEWEST_TOO_LARGE, Verdict.FIXED_TOO_LARGE, Verdict.TICKET_OUTSIDE])
def test_where_the_window_is_full_raising_the_budget_is_no_remedy(verdict: Verdict) -> None:
    roomy = with_window(a_plan(verdict, budget=1_700), 4_096)
    full = with_window(a_plan(verdict, budget=1_700), 2_212, room=512)
    assert Remedy.RAISE_BUDGET in remedies(roomy)
    assert Remedy.RAISE_BUDGET not in remedies(full)


def test_a_request_that_does_not_fit_into_the_window_says_so() -> None:
    plan = with_window(a_plan(Verdict.FIXED_TOO_LARGE, budget=1_700, ticket=0, turns=0), 2_212, room=512, chosen=8_000)
    leaves = "does not fit into the 1,700 tokens that the model's window leaves; configure a larger one."
    assert f"What is always sent {leaves}" in text_of(plan, 120)
    assert "What is always sent does not fit into the model's window of 2,212." in text_of(plan, 80)


@pytest.mark.parametrize("width", range(1, 130, 7))
@pytest.mark.parametrize(
    "plan",
    [FITS, with_window(a_plan(Verdict.CUT, budget=3_072, cut_turns=12, cut_tokens=91_234), 4_096, chosen=1_000_000)],
    ids=["fits", "full"],
)
def test_no_line_is_longer_than_the_meter_is_wide(plan: Plan, width: int) -> None:
    lines = meter_lines(plan, width, cached=0.999)
    assert len(lines) <= 3
    assert all(line.cell_length <= width for line in lines)
