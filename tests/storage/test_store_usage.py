"""What calls took is read per agent, by time, without words; an erasure leaves it, and older records are taken over."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from canaries import a_full_desk
from desks import A_REQUEST, NOON, Clock, Desk, a_desk, a_ticket
from raw_record import raw

from storage.audit.verification import verify
from storage.sqlite.driver import sqlite3
from storage.sqlite.usage import CALLS
from storage.sqlite_store import open_store
from storage.store import Store
from storage.usage import Call, Usage
from storage.values import JsonObject

SAID: JsonObject = {"prompt_tokens": 45, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 40}}
TOOK = Usage(45, 40, completion=7)
SECOND = 1_000_000


def ask(desk: Desk, *, usage: JsonObject | None = SAID, error: str = "") -> int:
    """Add an answer with its call, which has not come back where its usage is None, and return the call's id."""
    node = desk.answer(desk.ticket_node)
    request = desk.store.record_request(desk.id, node.id, replace(A_REQUEST, task_version="3", plan={"total": 45}))
    if usage is not None:
        desk.store.record_response(
            desk.id, request, response=b"x", status_code=200, usage=usage, latency_ms=900, error=error
        )
    return request


def ids(calls: Sequence[Call]) -> list[int]:
    return [call.request_id for call in calls]


def test_a_call_is_told_with_all_its_figures(desk: Desk) -> None:
    request = ask(desk)

    (call,) = desk.store.calls("camille")

    assert call == Call(
        request_id=request, node_id=desk.store.selected(desk.id), conversation_id=desk.id, ticket_id="T-80005",
        sent_at=call.sent_at, task="draft-reply", task_version="3", provider="openai",
        base_url="https://api.openai.com/v1", model="gpt-4.1-mini", usage=TOOK, latency_ms=900, failed=False,
    )  # fmt: skip
    assert call.sent_at == desk.store.requests(desk.id, call.node_id)[0].sent_at


def test_a_failure_an_unknown_usage_and_a_call_without_an_end_count_as_what_they_are(desk: Desk) -> None:
    ask(desk, usage={}, error="The server is busy.")
    ask(desk, usage=None)

    failed, waiting = desk.store.calls("camille")

    assert (failed.failed, failed.usage, failed.latency_ms) == (True, Usage(), 900)
    assert (waiting.failed, waiting.usage, waiting.latency_ms) == (False, Usage(), None)


def test_an_agent_sees_their_own_calls_only_on_all_tickets_or_one(store: Store) -> None:
    mine, others = a_desk(store), a_desk(store, agent="noah")
    second = a_desk(store, ticket=a_ticket("T-2"))
    first, foreign, later = ask(mine), ask(others), ask(second)

    assert ids(store.calls("camille")) == [first, later]
    assert ids(store.calls("noah")) == [foreign]
    assert ids(store.calls("camille", ticket_id="T-2")) == [later]
    assert ids(store.calls("noah", ticket_id="T-2")) == ids(store.calls("zoe")) == []


def test_a_time_counts_from_its_first_microsecond_to_before_its_last(desk: Desk) -> None:
    requests = [ask(desk) for _ in range(3)]
    times = [call.sent_at for call in desk.store.calls("camille")]

    assert times == sorted(times)
    assert ids(desk.store.calls("camille", since=times[1])) == requests[1:]
    assert ids(desk.store.calls("camille", until=times[1])) == requests[:1]
    assert ids(desk.store.calls("camille", since=times[0] + 1, until=times[2])) == requests[1:2]
    assert desk.store.calls("camille", until=NOON) == []


def test_an_erasure_leaves_the_numbers(store: Store) -> None:
    desk, _ = a_full_desk(store)
    ask(desk)
    before = store.calls("camille")

    store.erase("T-1", "camille", "asked for")

    assert store.calls("camille") == before
    assert before[-1].usage == TOOK


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("INSERT INTO call_figures VALUES (:theirs, :ours, 1, 0, 0, 1, 0, 1, 0)", "foreign"),
        ("INSERT INTO call_figures VALUES (999, :ours, 1, 0, 0, 1, 0, 1, 0)", "foreign"),
        ("INSERT OR REPLACE INTO call_figures VALUES (:mine, :ours, 1, 0, 0, 1, 0, 1, 0)", "immutable"),
        ("UPDATE call_figures SET prompt = 0", "immutable"),
        ("DELETE FROM call_figures", "immutable"),
    ],
)
def test_ordinary_sql_cannot_change_what_a_call_took(file_store: Store, database: Path, sql: str, code: str) -> None:
    desk, other = a_desk(file_store), a_desk(file_store, agent="noah")
    mine, theirs = ask(desk), ask(other, usage=None)

    with raw(database) as connection, pytest.raises(sqlite3.IntegrityError, match=f"refused:{code}"):
        connection.execute(sql, {"mine": mine, "theirs": theirs, "ours": desk.id})


def test_a_record_from_before_is_taken_over(database: Path) -> None:
    with closing(open_store(database, clock=Clock())) as store:
        request = ask(a_desk(store), error="The stream broke off.")
        before = store.calls("camille")
    with raw(database) as connection:
        connection.execute("DROP TABLE call_figures")
        connection.execute("DROP INDEX request_usage")
        connection.execute("DELETE FROM _sqlite_migrations WHERE name = 'm006_usage'")

    with closing(open_store(database, clock=Clock())) as store:
        assert store.calls("camille") == before
        assert (ids(before), before[0].usage, before[0].failed) == ([request], TOOK, True)
        assert verify(store).holds, "the schema is that of a new record"


def test_one_agents_month_is_read_by_the_index_alone(file_store: Store, database: Path) -> None:
    ask(a_desk(file_store))

    with raw(database) as connection:
        steps = [
            step[3]
            for step in connection.execute(
                f"EXPLAIN QUERY PLAN {CALLS}", {"agent": "camille", "since": 0, "until": SECOND}
            )
        ]

    assert "SEARCH r USING COVERING INDEX request_usage (conversation_id=? AND sent_at>? AND sent_at<?)" in steps
    assert not [step for step in steps if step.startswith("SCAN")]
