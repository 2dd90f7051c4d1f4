from dataclasses import replace

import pytest
from painted import painted_text
from rich.cells import cell_len
from sample_views import a_plan
from textual.app import App, ComposeResult

from assistant.plan.plan import Coverage, Plan, Verdict
from tui.meter_text import Remedy, meter_lines, remedies
from tui.widgets.meter import Meter

FITS = a_plan()
CUT = a_plan(Verdict.CUT, budget=1_900, turns=86, cut_turns=2, cut_tokens=131)
OUTSIDE = a_plan(Verdict.TICKET_OUTSIDE, budget=1_900, ticket=0, turns=86, cut_turns=2, cut_tokens=131)
NEWEST = a_plan(Verdict.NEWEST_TOO_LARGE, budget=1_742, ticket=0, turns=0)
FIXED = a_plan(Verdict.FIXED_TOO_LARGE, budget=1_700, ticket=0, turns=0)
COVERAGE = Coverage(13, (), tokens=4_210, expected=375, most=600, request=6_500, first_node_id=3, last_node_id=30)
NEEDED = a_plan(Verdict.NEEDS_SUMMARY, cut_turns=13, cut_tokens=4_200, to_summarise=COVERAGE)
SUMMARISED = a_plan(summary=312, summarised_turns=13, summarised_tokens=4_210)
EVERY = [FITS, CUT, OUTSIDE, NEWEST, FIXED, NEEDED, SUMMARISED]


def text_of(plan: Plan, width: int = 120) -> str:
    return "\n".join(line.plain for line in meter_lines(plan, width))


def test_a_plan_that_fits_shows_its_figures_and_parts() -> None:
    text = text_of(FITS)
    assert "1,960 of 3,000 tokens (estimate) · 65 %" in text
    assert "system 1,724 (57 %)" in text
    assert "free 1,040 (35 %)" in text
    assert "cut · estimate" in text
    assert "✂" not in text


def test_cut_turns_are_named_with_a_sign_and_a_word() -> None:
    assert "✂ 2 turns cut (131 tokens)" in text_of(CUT)
    one = a_plan(Verdict.CUT, cut_turns=1, cut_tokens=7)
    assert "✂ 1 turn cut (7 tokens)" in text_of(one)


def test_what_stands_summarised_is_named_with_a_sign_a_word_and_its_part() -> None:
    text = text_of(SUMMARISED)
    assert "∑ turns 1 to 13 summarised (4,210 tokens)" in text
    assert "▞ summary 312" in text


@pytest.mark.parametrize(
    ("width", "says"),
    [
        (120, "⚠ Turns 1 to 14 do not fit, and no summary helps: it says why."),
        (40, "⚠ No summary helps; choose:"),
    ],
)
def test_a_summary_that_would_not_be_used_is_not_announced(width: int, says: str) -> None:
    assert meter_lines(NEEDED, width, refusal="It says why.")[0].plain == says


def test_without_a_summary_the_figures_are_those_of_what_is_cut() -> None:
    *_, figures = meter_lines(NEEDED, 120, refusal="It says why.")

    assert "∑" not in figures.plain
    assert "✂ 13 turns cut (4,200 tokens)" in figures.plain


def test_parts_of_the_bar_are_told_apart_by_pattern_and_legend() -> None:
    bar, *_ = meter_lines(FITS, 60)
    assert set(bar.plain) == set("▒█▓▚·")
    assert bar.cell_length == 60
    legend = meter_lines(FITS, 60)[-1].plain
    for sign in "▒█▓▚·":
        assert sign in legend


def test_a_part_that_is_not_empty_has_at_least_one_cell() -> None:
    bar = meter_lines(a_plan(budget=100_000, ticket=1, question=1), 60)[0].plain
    assert bar.count("█") == 1
    assert bar.count("▚") == 1


def test_a_ticket_outside_takes_the_meters_place_with_what_can_be_done() -> None:
    text = text_of(OUTSIDE)
    assert text.startswith("⚠ The ticket is outside the budget")
    assert "[k] keep the ticket · [b] raise the budget · [m] summarise · [w] send without it" in text
    assert "1,829 of 1,900 tokens" in text


@pytest.mark.parametrize(
    ("plan", "words", "expected"),
    [
        (NEWEST, "Your message does not fit", (Remedy.SHORTEN, Remedy.RAISE_BUDGET)),
        (FIXED, "What is always sent does not fit into the budget of 1,700 tokens", (Remedy.RAISE_BUDGET,)),
        (FITS, "of 3,000", ()),
        (
            NEEDED,
            "Turns 1 to 14 do not fit. Enter first asks for a summary of them (4,210 tokens), then sends it",
            (Remedy.LEAVE_OUT, Remedy.RAISE_BUDGET),
        ),
    ],
)
def test_other_verdicts_say_what_stands_in_the_way(plan: Plan, words: str, expected: tuple[Remedy, ...]) -> None:
    assert words in text_of(plan)
    assert remedies(plan) == expected


def test_a_request_that_is_summarised_first_shows_what_is_expected_then_and_how_many_calls_it_takes() -> None:
    text = text_of(NEEDED)
    assert "≈ 2,665 of 3,000 tokens (estimate)" in text
    assert "∑ turns 1 to 14 summarised (4,210 tokens)" in text
    assert "✂" not in text
    assert "calls" not in text
    assert "4,210 tokens, at least 2 calls" in text_of(replace(NEEDED, chosen_budget=3_000))
    assert "(2 calls or more)" in text_of(replace(NEEDED, chosen_budget=3_000), 80)


def test_keys_are_those_that_the_app_gives() -> None:
    lines = meter_lines(OUTSIDE, 120, {Remedy.KEEP_TICKET: "F2"})
    assert "[F2] keep the ticket · raise the budget" in lines[1].plain


@pytest.mark.parametrize("width", [*range(40, 121, 5), 1, 2, 3, 7, 20])
@pytest.mark.parametrize("plan", EVERY, ids=lambda plan: plan.verdict.value)
def test_every_verdict_fits_any_width_in_one_to_three_lines(plan: Plan, width: int) -> None:
    lines = meter_lines(plan, width)
    assert 1 <= len(lines) <= 3
    assert all(cell_len(line.plain) <= width for line in lines)


@pytest.mark.parametrize("width", range(40, 121, 5))
def test_at_usual_widths_nothing_that_matters_is_cut_off(width: int) -> None:
    assert "1,829 of 1,900" in text_of(a_plan(Verdict.CUT, budget=1_900, ticket=0, turns=86, cut_turns=2), width)
    assert "✂ 2 turns cut" in text_of(CUT, width)
    outside = text_of(OUTSIDE, width)
    assert "ticket is outside the budget" in outside
    for remedy in remedies(OUTSIDE):
        assert remedy.value in outside
    needed = text_of(NEEDED, width)
    assert "Enter" in needed
    for remedy in remedies(NEEDED):
        assert remedy.value in needed
    assert "1 to 13 summarised" in text_of(SUMMARISED, width)


def test_no_room_and_no_budget_are_no_error() -> None:
    assert meter_lines(FITS, 0) == []
    assert meter_lines(a_plan(budget=0), 60)


class MeterApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.picked: list[Remedy] = []

    def compose(self) -> ComposeResult:
        yield Meter()

    def on_meter_picked(self, message: Meter.Picked) -> None:
        self.picked.append(message.remedy)


async def test_the_meter_takes_as_many_lines_as_its_words() -> None:
    app = MeterApp()
    async with app.run_test(size=(60, 10)) as pilot:
        meter = app.query_one(Meter)
        assert meter.size.height == 0
        for plan, height in ((CUT, 3), (OUTSIDE, 3), (None, 0)):
            meter.show(plan)
            await pilot.pause()
            assert meter.size.height == height
        meter.show(FITS)
        await pilot.resize_terminal(110, 10)
        await pilot.pause()
        assert meter.size.height == 2
        assert "1,960 of 3,000" in painted_text(app)


async def test_a_click_on_a_remedy_picks_it() -> None:
    app = MeterApp()
    async with app.run_test(size=(100, 10)) as pilot:
        app.query_one(Meter).show(OUTSIDE)
        await pilot.pause()
        await pilot.click(Meter, offset=(3, 1))
        await pilot.click(Meter, offset=(30, 1))
        await pilot.click(Meter, offset=(3, 0))
        assert app.picked == [Remedy.KEEP_TICKET, Remedy.RAISE_BUDGET]
