"""Window, budget and room for the answer are three things, read from one record in one way."""

from dataclasses import replace

import pytest
from desks import A_REQUEST, Desk, a_desk
from sample_paths import a_task, of_tokens, worked_example

from assistant.errors import PlanStoppedError
from assistant.plan.plan import Plan, PlanSettings, Verdict
from assistant.plan.planner import make_plan
from assistant.plan.settings import plan_settings, with_sizing
from assistant.plan.stopping import check_verdict
from assistant.tokens.counters import EstimateCounter, TiktokenCounter
from assistant.tokens.sizing import UNSIZED, Limits, Sizing, answer_room, read_sizing
from assistant.tokens.windows import Window, WindowSource
from storage.measures import LearnedWindow, PromptCount
from storage.sqlite_store import memory_store

URL = "http://localhost:8000/v1"
NEAR = TiktokenCounter("cl100k_base", "near")
EXACT = TiktokenCounter("o200k_base", "exact")
TASK = a_task(of_tokens(1_724))


def window(tokens: int) -> Window:
    return Window(tokens, WindowSource.CONFIGURED, "configured")


def sizing(tokens: int, room: int) -> Sizing:
    return Sizing(window(tokens), room)


def plan(budget: int, with_: Sizing) -> Plan:
    settings = PlanSettings(budget=budget, sizing=with_)
    return make_plan(worked_example(), of_tokens(19), TASK, settings, EstimateCounter())


def desk_that_knows(*counts: PromptCount, learned: LearnedWindow | None = None) -> Desk:
    """A record in which requests to qwen3 were counted so, and perhaps one refused."""
    desk = a_desk(memory_store())
    for count in counts:
        desk.store.add_prompt_count(desk.id, _sent(desk), NEAR.name, count)
    if learned is not None:
        desk.store.learn_window(desk.id, _sent(desk), learned)
    return desk


def _sent(desk: Desk) -> int:
    return desk.store.record_request(
        desk.id, desk.answer(desk.ticket_node).id, replace(A_REQUEST, task_version="3", base_url=URL, model="qwen3")
    )


@pytest.mark.parametrize(
    ("tokens", "max_output", "room"),
    [(1_024, None, 256), (4_096, None, 1_024), (8_192, None, 1_024), (128_000, None, 1_024), (4_096, 600, 600)],
)
def test_the_room_for_the_answer_scales_with_small_windows(tokens: int, max_output: int | None, room: int) -> None:
    assert answer_room(window(tokens), max_output) == room


def test_without_a_window_only_a_configured_length_of_answers_is_known() -> None:
    assert answer_room(None, None) == 0
    assert answer_room(None, 800) == 800
    assert Sizing(None, 800).spendable(3_000) == 3_000


def test_a_budget_is_spent_as_far_as_the_window_leaves_room_for_the_answer() -> None:
    made = plan(3_000, sizing(2_400, 500))
    assert (made.budget, made.chosen_budget, made.is_window_full) == (1_900, 3_000, True)
    assert (made.verdict, made.total) == (Verdict.TICKET_OUTSIDE, 1_829)
    assert made == replace(plan(1_900, sizing(2_400, 500)), chosen_budget=3_000)


def test_a_window_with_room_changes_nothing() -> None:
    made = plan(3_000, sizing(8_192, 1_024))
    assert not made.is_window_full
    assert made == replace(plan(3_000, UNSIZED), sizing=sizing(8_192, 1_024))


def test_a_window_without_room_for_anything_stops_the_request() -> None:
    assert plan(3_000, sizing(1_000, 1_000)).verdict is Verdict.FIXED_TOO_LARGE


def test_the_json_of_a_plan_tells_window_budget_and_room_apart() -> None:
    document = plan(5_000, sizing(4_096, 1_024)).as_json()
    assert (document["window"], document["budget"], document["chosen_budget"]) == (4_096, 3_072, 5_000)
    assert document["answer_room"] == 1_024


def test_a_budget_that_nobody_chose_is_no_larger_than_the_window_leaves() -> None:
    small = with_sizing(PlanSettings(), sizing(2_048, 512))
    assert small.budget == 1_536
    assert plan_settings({}, small).budget == 1_536
    assert plan_settings({"budget": 9_000}, small).budget == 9_000, "what was chosen stays as it was chosen"


def test_what_is_known_is_read_from_the_record_and_the_configuration() -> None:
    desk = desk_that_knows(learned=LearnedWindow(4_096, False, None))

    read = read_sizing(desk.store, URL, "qwen3", NEAR, Limits(max_output_tokens=300))
    assert read.window is not None
    assert (read.window.tokens, read.answer_room, read.calibration) == (4_096, 300, None)
    assert read_sizing(desk.store, URL, "qwen3", NEAR, Limits(window=9_000)).window == window(9_000)
    assert read_sizing(desk.store, URL, "other", NEAR, Limits()) == UNSIZED
    assert read_sizing(desk.store, "", "saved-replies", NEAR, Limits(window=9_000)) == UNSIZED


def test_only_near_counts_are_calibrated_and_the_same_record_calibrates_the_same() -> None:
    desk = desk_that_knows(*[PromptCount(3, tokens, round(1.3 * tokens) + 15) for tokens in (300, 500, 900)])

    read = read_sizing(desk.store, URL, "qwen3", NEAR, Limits())
    assert read.calibration is not None
    assert read.counter(NEAR).accuracy == "calibrated"
    assert read.counter(EXACT) is EXACT
    assert read == read_sizing(desk.store, URL, "qwen3", NEAR, Limits())
    assert read_sizing(desk.store, URL, "qwen3", EXACT, Limits()).calibration is None
    assert read_sizing(desk.store, URL, "qwen3", EstimateCounter(), Limits()).calibration is None


def test_between_renewals_another_answer_changes_nothing() -> None:
    counts = [PromptCount(3, tokens, round(1.3 * tokens) + 15) for tokens in range(300, 1_200, 100)]
    desk = desk_that_knows(*counts[:3])
    early = read_sizing(desk.store, URL, "qwen3", NEAR, Limits())
    for count in counts[3:9]:
        desk.store.add_prompt_count(desk.id, _sent(desk), NEAR.name, replace(count, reported=2 * count.reported))
        assert read_sizing(desk.store, URL, "qwen3", NEAR, Limits()) == early

    desk.store.add_prompt_count(desk.id, _sent(desk), NEAR.name, counts[3])
    late = read_sizing(desk.store, URL, "qwen3", NEAR, Limits())
    assert late.calibration is not None
    assert late.calibration.answers == 10


def test_a_request_that_the_window_does_not_take_is_stopped_with_what_helps() -> None:
    with pytest.raises(PlanStoppedError, match="the 500 that the model's window of 1,000 leaves") as stopped:
        check_verdict(plan(3_000, sizing(1_000, 500)), on_purpose=False)
    assert "configure a larger window" in str(stopped.value)
    with pytest.raises(PlanStoppedError, match=r"more than the budget of 1,500\. .* or raise the budget"):
        check_verdict(plan(1_500, UNSIZED), on_purpose=False)
