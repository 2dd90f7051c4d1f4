"""Closing, reopening and retention: logs, rules and a clock that may go backwards."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from desks import Clock, a_desk, a_message, a_ticket
from hypothesis import given
from hypothesis import strategies as st

from storage.closed_means import ClosedMeans
from storage.endings import Erasure, Hold, Lifecycle, StatusChange, day_of
from storage.retention import DAY_US, Due, RetentionRules, closed_since, due_tickets
from storage.sqlite_store import memory_store
from storage.store import Store
from storage.tickets import IncomingTicket, RawSource, Role, SaveOutcome


def imported(status: str, day: int) -> StatusChange:
    return StatusChange(status, imported=True, set_at=day * DAY_US, closed=status in ("closed", "solved"))


def by_agent(status: str, day: int) -> StatusChange:
    return StatusChange(status, imported=False, set_at=day * DAY_US, closed=status == "closed")


def ticket(*changes: StatusChange, hold: Hold | None = None, name: str = "T-1") -> Lifecycle:
    return Lifecycle(name, frozenset(), changes, hold)


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


MEANS = ClosedMeans({"csv": frozenset({"done", "solved"}), "mbox": frozenset({"closed"})})


@pytest.mark.parametrize(
    ("status", "formats", "says_closed"),
    [
        ("closed", "", True),
        ("closed", "json", True),
        ("done", "", False),
        ("done", "json", False),
        ("done", "csv", True),
        ("done", "csv json", True),
        ("closed", "csv", False),
        ("closed", "csv mbox", True),
        ("open", "csv", False),
    ],
)
def test_what_a_source_calls_closed_is_told_by_its_format(status: str, formats: str, says_closed: bool) -> None:
    assert MEANS.says_closed(status, formats.split(), imported=True) is says_closed


def test_what_an_agent_does_here_means_what_it_says_whatever_the_source_calls_it() -> None:
    assert MEANS.says_closed("closed", ["csv"], imported=False)
    assert not MEANS.says_closed("done", ["csv"], imported=False)


def from_csv(status: str, text: str = "Where is my hammock?") -> IncomingTicket:
    return a_ticket("T-1", text, status=status, sources=(RawSource("a.csv", "csv", f"{status} {text}".encode()),))


@pytest.fixture
def meaning() -> Iterator[Store]:
    """A record for which "done" and "solved" of a CSV file mean closed, with one such ticket."""
    with closing(memory_store(clock=Clock(), closed_means=MEANS)) as store:
        store.save_ticket(from_csv("solved"))
        yield store


def test_a_ticket_that_its_source_calls_solved_is_closed_everywhere(meaning: Store) -> None:
    assert meaning.lifecycle("T-1").is_closed
    assert [(row.status, row.closed) for row in meaning.tickets("camille")] == [("solved", True)]
    assert [row.id for row in meaning.tickets("camille", status="closed")] == ["T-1"]
    assert [row.id for row in meaning.tickets("camille", status="solved")] == ["T-1"]
    assert meaning.close_ticket("T-1", "noah") is False
    assert [due.ticket_id for due in due_tickets(meaning.lifecycles(), RetentionRules(1), 2**62)] == ["T-1"]


def test_reopening_it_is_recorded_and_the_count_starts_anew_once_it_is_closed_again(meaning: Store) -> None:
    assert [meaning.reopen_ticket("T-1", "noah") for _ in range(2)] == [True, False]

    assert meaning.ticket("T-1").status == "open"
    assert [row.closed for row in meaning.tickets("camille")] == [False]
    assert due_tickets(meaning.lifecycles(), RetentionRules(0), 2**62) == []
    assert meaning.close_ticket("T-1", "noah") is True
    assert closed_since(meaning.lifecycle("T-1")) == meaning.lifecycle("T-1").changes[-1].set_at


@pytest.mark.parametrize("still", ["solved", "done"])
def test_a_source_that_goes_on_calling_it_closed_does_not_undo_the_reopening(meaning: Store, still: str) -> None:
    meaning.reopen_ticket("T-1", "noah")

    assert meaning.save_ticket(from_csv(still)) is SaveOutcome.UNCHANGED
    meaning.save_ticket(from_csv(still, "One more thing"))
    meaning.save_ticket(a_ticket("T-1", "And another", status=""))

    assert (meaning.ticket("T-1").status, meaning.ticket("T-1").snapshots) == ("open", 3)
    assert not meaning.lifecycle("T-1").is_closed


def test_a_source_that_opened_it_in_between_closes_it_again(meaning: Store) -> None:
    meaning.reopen_ticket("T-1", "noah")
    meaning.save_ticket(from_csv("pending"))

    assert meaning.save_ticket(from_csv("done")) is SaveOutcome.STATUS
    assert meaning.lifecycle("T-1").is_closed


def test_a_source_that_names_no_status_leaves_what_an_agent_did(meaning: Store) -> None:
    for act, is_closed in ((meaning.reopen_ticket, False), (meaning.close_ticket, True)):
        act("T-1", "noah")
        assert meaning.save_ticket(a_ticket("T-1", status="")) is SaveOutcome.UNCHANGED
        assert meaning.lifecycle("T-1").is_closed is is_closed


@pytest.mark.parametrize("status", ["", "open"])
def test_a_customer_who_writes_after_the_closing_opens_the_ticket(store: Store, status: str) -> None:
    store.save_ticket(a_ticket("T-1", "Where is it?", status="open"))
    store.close_ticket("T-1", "camille")
    closed_at = store.lifecycle("T-1").changes[-1].set_at
    note = replace(a_message("Called her."), role=Role.AGENT, created_at=closed_at + 5)
    early = replace(a_message("By Friday?"), created_at=closed_at)
    late = replace(a_message("Still nothing!"), created_at=closed_at + 1)
    first = store.ticket("T-1").messages

    store.save_ticket(a_ticket("T-1", messages=(*first, early, note), status=status))
    assert store.lifecycle("T-1").is_closed
    store.save_ticket(a_ticket("T-1", messages=(*first, early, note, late), status=status))

    assert not store.lifecycle("T-1").is_closed
    assert store.ticket("T-1").status == "open"
    assert due_tickets(store.lifecycles(), RetentionRules(0), 2**62) == []
    store.close_ticket("T-1", "camille")
    store.save_ticket(a_ticket("T-1", messages=(*first, early, note, late), status=status))
    assert store.lifecycle("T-1").is_closed


def test_what_the_customer_wrote_opens_no_ticket_that_the_source_calls_closed(meaning: Store) -> None:
    meaning.save_ticket(from_csv("done", "One more thing"))
    assert meaning.lifecycle("T-1").is_closed


def test_a_source_that_goes_on_calling_it_closed_does_not_undo_that_the_customer_opened_it(meaning: Store) -> None:
    later = meaning.lifecycle("T-1").changes[-1].set_at + 1
    again = replace(a_message("And another"), created_at=later)
    meaning.save_ticket(a_ticket("T-1", messages=(*meaning.ticket("T-1").messages, again), status=""))
    assert not meaning.lifecycle("T-1").is_closed
    meaning.save_ticket(from_csv("solved"))
    assert not meaning.lifecycle("T-1").is_closed


def test_a_new_ticket_whose_source_names_no_status_is_open(store: Store) -> None:
    store.save_ticket(a_ticket("T-1", status=""))
    assert store.ticket("T-1").status == "open"


@pytest.mark.parametrize(
    ("lifecycle", "day"),
    [
        (ticket(imported("open", 1)), None),
        (ticket(imported("closed", 1)), 1),
        (ticket(imported("solved", 1), imported("closed", 3)), 1),
        (ticket(imported("solved", 1), by_agent("open", 2), by_agent("closed", 3)), 3),
        (ticket(imported("open", 1), by_agent("closed", 2)), 2),
        (ticket(imported("closed", 1), by_agent("open", 2)), None),
        (ticket(imported("closed", 1), by_agent("open", 2), by_agent("closed", 5)), 5),
        (ticket(imported("open", 9), by_agent("closed", 2)), 9),
        (ticket(), None),
    ],
)
def test_since_when_a_ticket_is_closed(lifecycle: Lifecycle, day: int | None) -> None:
    assert closed_since(lifecycle) == (None if day is None else day * DAY_US)


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
    log = [StatusChange(status, is_imported, day * DAY_US, status == "closed") for status, day, is_imported in changes]
    since = closed_since(ticket(*log))
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
