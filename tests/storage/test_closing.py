"""Closing, reopening and retention: logs, rules and a clock that may go backwards."""

import pytest
from desks import Clock, a_desk, a_ticket
from hypothesis import given
from hypothesis import strategies as st

from storage.endings import Erasure, Hold, Lifecycle, StatusChange, day_of
from storage.retention import DAY_US, Due, RetentionRules, closed_since, due_tickets
from storage.store import Store
from storage.tickets import RawSource


def imported(status: str, day: int) -> StatusChange:
    return StatusChange(status, imported=True, set_at=day * DAY_US)


def by_agent(status: str, day: int) -> StatusChange:
    return StatusChange(status, imported=False, set_at=day * DAY_US)


def ticket(*changes: StatusChange, formats: str = "", hold: Hold | None = None, name: str = "T-1") -> Lifecycle:
    return Lifecycle(name, frozenset(formats.split()), changes, hold)


def test_closing_and_reopening_are_a_log_and_say_whether_anything_changed(store: Store) -> None:
    desk = a_desk(store)
    assert [store.close_ticket("T-80005", "noah") for _ in range(2)] == [True, False]
    assert store.ticket("T-80005").status == "closed"
    desk.say(desk.ticket_node, "one more question")
    assert [store.reopen_ticket("T-80005", "camille") for _ in range(2)] == [True, False]

    (lifecycle,) = store.lifecycles()
    assert [(change.status, change.imported) for change in lifecycle.changes] == [
        ("open", True), ("closed", False), ("open", False),
    ]  # fmt: skip


def test_reading_the_same_source_again_does_not_undo_what_an_agent_did(store: Store) -> None:
    store.save_ticket(a_ticket())
    store.close_ticket("T-80005", "noah")
    store.save_ticket(a_ticket())
    assert store.ticket("T-80005").status == "closed"
    store.save_ticket(a_ticket(status="pending"))
    assert store.ticket("T-80005").status == "pending"


def test_lifecycles_tell_formats_and_holds_and_leave_erased_tickets_out(store: Store) -> None:
    store.save_ticket(a_ticket("T-1", sources=(RawSource("a", "csv", b"1"), RawSource("b", "eml", b"2"))))
    store.save_ticket(a_ticket("T-2"))
    store.save_ticket(a_ticket("T-3"))
    store.hold_ticket("T-2", "noah", "lawsuit")
    store.erase("T-3", "noah", "asked for")

    first, second = store.lifecycles()
    assert (first.ticket_id, first.formats, first.hold) == ("T-1", frozenset({"csv", "eml"}), None)
    assert second.hold is not None
    assert (second.hold.ticket_id, second.hold.reason) == ("T-2", "lawsuit")


RULES = RetentionRules(30, closed_means={"csv": frozenset({"done", "solved"})})


@pytest.mark.parametrize(
    ("lifecycle", "day"),
    [
        (ticket(imported("open", 1)), None),
        (ticket(imported("closed", 1)), 1),
        (ticket(imported("done", 1)), None),
        (ticket(imported("done", 1), formats="csv"), 1),
        (ticket(imported("closed", 1), formats="csv"), None),
        (ticket(imported("solved", 1), imported("done", 3), formats="csv eml"), 1),
        (ticket(imported("open", 1), by_agent("closed", 2), formats="csv"), 2),
        (ticket(imported("closed", 1), by_agent("open", 2)), None),
        (ticket(imported("closed", 1), by_agent("open", 2), by_agent("closed", 5)), 5),
        (ticket(imported("open", 9), by_agent("closed", 2)), 9),
        (ticket(), None),
    ],
)
def test_since_when_a_ticket_is_closed(lifecycle: Lifecycle, day: int | None) -> None:
    assert closed_since(lifecycle, RULES) == (None if day is None else day * DAY_US)


def test_a_ticket_is_due_when_grace_and_retention_are_over_and_not_a_moment_earlier() -> None:
    rules = RetentionRules(30, grace_days_for_reopening=14)
    hold = Hold("T-2", "noah", "lawsuit", 0)
    tickets = [
        ticket(by_agent("closed", 2), name="T-1"),
        ticket(by_agent("closed", 1), name="T-2", hold=hold),
        ticket(by_agent("open", 1), name="T-3"),
    ]

    assert due_tickets(tickets, rules, 46 * DAY_US) == [
        Due("T-2", DAY_US, 45 * DAY_US, hold), Due("T-1", 2 * DAY_US, 46 * DAY_US, None),
    ]  # fmt: skip
    assert [due.ticket_id for due in due_tickets(tickets, rules, 46 * DAY_US - 1)] == ["T-2"]


@given(st.lists(st.tuples(st.sampled_from(["open", "closed"]), st.integers(-9, 9), st.booleans()), max_size=6))
def test_a_clock_that_goes_backwards_makes_no_ticket_due_earlier(changes: list[tuple[str, int, bool]]) -> None:
    log = [StatusChange(status, is_imported, day * DAY_US) for status, day, is_imported in changes]
    since = closed_since(ticket(*log), RetentionRules(30))
    opened = [at for at, change in enumerate(log) if change.status == "open"]
    closing = opened[-1] + 1 if opened else 0

    expected = max(change.set_at for change in log[: closing + 1]) if closing < len(log) else None
    assert since == expected


@pytest.mark.parametrize(
    ("micros", "day"), [(0, "1970-01-01"), (-1, "1969-12-31"), (1_750_000_000_000_000, "2025-06-15"), (2**62, "?")]
)
def test_a_day_is_told_in_utc_whatever_the_clock_said(micros: int, day: str) -> None:
    assert day_of(micros) == day
    assert Erasure("T-1", "noah", "why", micros, {}).notice == f"[erased on {day} by noah: why]"


def test_with_a_clock_that_goes_backwards_everything_goes_on_in_the_order_of_insertion(store: Store) -> None:
    desk = a_desk(store)
    first = desk.ask(desk.ticket_node)
    clock = store._clock  # type: ignore[attr-defined]  # the test's own clock
    assert isinstance(clock, Clock)
    clock.now = -60_000_000

    second = desk.ask(first.id)
    store.close_ticket("T-80005", "noah")

    assert [node.seq for node in store.nodes(desk.id)] == [1, 2, 3, 4, 5, 6]
    assert second.created_at < first.created_at
    assert (second.n, second.m, store.selected(desk.id)) == (1, 1, second.id)
    assert due_tickets(store.lifecycles(), RetentionRules(0), clock.now) == []
    store.erase("T-80005", "noah", "asked for")
    assert store.node(desk.id, second.id).preview == "[erased on 1969-12-31 by noah: asked for]"
