"""What became of answers, and the report of a task, from logs without words."""

from assistant.money.price_file import load_prices
from assistant.plan.became import Became, became
from assistant.tasks.report import RuleCounts, TaskReport, percentile, task_reports
from storage.answer_log import Logged
from storage.interactions import Status
from storage.usage import Call, Usage
from storage.values import Json, JsonObject

TASK: JsonObject = {"task": "draft-reply", "task_version": "v1"}
ROOT = 1


def entry(
    id_: int, kind: str, parent_id: int, *, replaces: int | None = None, status: Status = Status.COMPLETE,
    meta: JsonObject | None = None, at: int = 100, ticket: str = "T-1",
) -> Logged:  # fmt: skip
    return Logged(id_, 1, ticket, kind, parent_id, replaces, at, status, meta or {})


def answer(id_: int, parent_id: int, *, replaces: int | None = None, status: Status = Status.COMPLETE,
           meta: JsonObject = TASK, at: int = 100) -> Logged:  # fmt: skip
    return entry(id_, "assistant_response", parent_id, replaces=replaces, status=status, meta=meta, at=at)


def message(id_: int, parent_id: int, *, replaces: int | None = None) -> Logged:
    return entry(id_, "agent_message", parent_id, replaces=replaces)


def copy(id_: int, answer_id: int) -> Logged:
    return entry(id_, "copy", answer_id)


def gate(id_: int, answer_id: int, *, name: str = "rules", **results: str) -> Logged:
    listed: list[Json] = [{"rule": rule, "version": 1, "result": result} for rule, result in results.items()]
    return entry(id_, "gate", answer_id, meta={"gate": name, "results": listed})


def call(node_id: int, latency_ms: int | None = 500, *, number: int = 1, failed: bool = False,
         task: str = "draft-reply") -> Call:  # fmt: skip
    usage = Usage(prompt=100, completion=20)
    return Call(
        number, node_id, 1, "T-1", 100, task, "v1", "openai", "https://api.openai.com/v1", "gpt-4.1-mini", usage,
        latency_ms, failed,
    )  # fmt: skip


def test_an_answer_is_copied_edited_or_open() -> None:
    log = [answer(2, ROOT), message(3, 2), answer(4, 3), copy(5, 4), answer(6, ROOT, meta=TASK)]
    assert became(log, ()) == {2: Became.EDITED, 4: Became.COPIED, 6: Became.OPEN}


def test_one_that_was_copied_itself_counts_as_copied_whatever_followed() -> None:
    log = [answer(2, ROOT), copy(3, 2), message(4, 2), answer(5, 4), copy(6, 5)]
    assert became(log, ()) == {2: Became.COPIED, 5: Became.COPIED}


def test_an_edit_of_the_question_makes_edited_of_its_answer_also_over_several_edits() -> None:
    log = [
        message(2, ROOT), answer(3, 2), message(4, ROOT, replaces=2), answer(5, 4), message(6, ROOT, replaces=4),
        answer(7, 6), message(8, 7), answer(9, 8), copy(10, 9),
    ]  # fmt: skip
    assert became(log, ()) == dict.fromkeys((3, 5, 7), Became.EDITED) | {9: Became.COPIED}


def test_what_was_asked_again_or_whose_question_was_edited_is_discarded() -> None:
    log = [message(2, ROOT), answer(3, 2), answer(4, 2, replaces=3), copy(5, 4)]
    assert became(log, ()) == {3: Became.DISCARDED, 4: Became.COPIED}
    log = [message(2, ROOT), answer(3, 2), message(4, ROOT, replaces=2), answer(5, 4)]
    assert became(log, ()) == {3: Became.DISCARDED, 5: Became.OPEN}


def test_what_was_never_copied_is_discarded_once_its_ticket_is_closed() -> None:
    log = [answer(2, ROOT), message(3, 2), answer(4, 3)]
    assert set(became(log, ()).values()) == {Became.OPEN}
    assert set(became(log, {"T-1"}).values()) == {Became.DISCARDED}


def test_answers_for_colleagues_and_failed_ones_are_told_apart() -> None:
    internal = {**TASK, "audience": "internal"}
    log = [answer(2, ROOT, meta=internal), answer(3, ROOT, status=Status.ERROR), answer(4, ROOT, status=Status.LENGTH)]
    assert became(log, {"T-1"}) == {2: Became.INTERNAL, 3: Became.UNFINISHED, 4: Became.DISCARDED}


def report_of(log: list[Logged], calls: list[Call], since: int | None = None) -> TaskReport:
    (report,) = task_reports(calls, log, (), load_prices(), since=since)
    return report


def test_of_a_check_that_was_made_twice_the_last_counts_and_an_override_only_of_what_failed() -> None:
    log = [
        answer(2, ROOT), gate(3, 2, amounts="pass", dates="pass"), gate(4, 2, amounts="fail", dates="unknown"),
        entry(5, "override", 2), answer(6, ROOT), gate(7, 6, amounts="fail"), entry(8, "override", 6),
        gate(9, 6, amounts="fail"), entry(10, "repair", 6), entry(11, "repair", 6),
    ]  # fmt: skip
    report = report_of(log, [])
    assert report.rules == (RuleCounts("amounts", 0, 2, 0, 1), RuleCounts("dates", 0, 0, 1, 0))
    assert (report.overrides, report.repairs) == (1, 1)


def test_earlier_answers_are_not_counted_but_their_branches_are_followed() -> None:
    log = [answer(2, ROOT, at=10), message(3, 2), answer(4, 3, at=200), copy(5, 4)]
    assert report_of(log, [], since=100).answers == {Became.COPIED: 1}


def test_times_are_of_calls_that_ended_well() -> None:
    calls = [call(2, ms, number=ms) for ms in range(1, 101)]
    calls += [call(2, 90_000, number=200, failed=True), call(2, None, number=201)]
    report = report_of([answer(2, ROOT)], calls)
    assert (report.p50_ms, report.p95_ms) == (50, 95)
    assert (report.spending.calls, report.spending.failed, report.spending.usage.prompt) == (102, 1, 10_200)
    assert [percentile(values, 95) for values in ([], [7], [7, 9])] == [None, 7, 9]


def test_an_erased_answer_counts_for_the_task_of_its_call_and_an_imported_one_for_none() -> None:
    log = [answer(2, ROOT, meta={}), answer(3, ROOT, meta={})]
    calls = [call(2, number=2, task="self-check"), call(2, number=1)]
    reports = task_reports(calls, log, (), load_prices(), since=None)
    assert [(each.of.task, dict(each.answers)) for each in reports] == [
        ("draft-reply", {Became.OPEN: 1}), ("self-check", {}),
    ]  # fmt: skip
