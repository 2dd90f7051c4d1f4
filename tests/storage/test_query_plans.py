"""No question about one conversation or ticket makes SQLite read a whole log."""

import re
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace

import pytest
from desks import A_REQUEST, Clock, Desk, a_desk, a_ticket
from sqlite_utils import Database

from storage.interactions import Draft, Status
from storage.kinds import InteractionKind
from storage.sqlite.engine import MemoryEngine, T
from storage.sqlite.schema.record import LOG_KEYS
from storage.sqlite_store import SqliteStore
from storage.task_versions import TaskVersion
from storage.tickets import RawSource

# The list of tickets, the list of conversations, and the steps of one path are read whole.
MAY_BE_SCANNED = {"t", "c", "up"}


class WatchedEngine(MemoryEngine):
    """Asks SQLite how it carries out each statement."""

    def __init__(self) -> None:
        super().__init__()
        self.scans: set[str] = set()

    def read(self, work: Callable[[Database], T]) -> T:
        return super().read(lambda db: self._watched(db, work))

    def write(self, work: Callable[[Database], T]) -> T:
        return super().write(lambda db: self._watched(db, work))

    def _watched(self, db: Database, work: Callable[[Database], T]) -> T:
        def explain(sql: str, parameters: Sequence[object] | dict[str, object] | None) -> None:
            for step in db.conn.execute(f"EXPLAIN QUERY PLAN {sql}", parameters or ()).fetchall():
                scan = re.match(r"SCAN (?!CONSTANT)(\w+)", step[3])
                # SQLite also lists the foreign keys of other tables, which it follows only when one is violated.
                if scan and scan[1] not in MAY_BE_SCANNED and re.search(rf"\b{scan[1]}\b", sql):
                    self.scans.add(f"{step[3]} in {' '.join(sql.split())}")

        with db.tracer(explain):
            return work(db)


def do_everything(desk: Desk) -> None:
    store = desk.store
    ticket = a_ticket("T-2", "one", sources=(RawSource("a", "json", b"x"),))
    for incoming in (ticket, ticket, a_ticket("T-80005", "one", "two")):
        store.save_ticket(incoming)
    store.ticket("T-80005", 1)
    store.tickets("camille")
    store.sources("T-2")
    store.lifecycle("T-2")
    store.close_ticket("T-2", "camille")
    answer = desk.begin(desk.ticket_node)
    store.add_text(desk.id, answer.id, "Dear")
    store.nodes(desk.id)
    store.close_crashed()
    store.add_internal(desk.id, answer.id, InteractionKind("observation", False), "x", text="y", meta={})
    store.finish(desk.id, answer.id, Status.COMPLETE, {})
    store.add_snapshot(desk.id, answer.id, 2)
    message = desk.say(desk.ticket_node, replaces_id=answer.id)
    store.conversation("camille", "T-80005")
    store.locate("camille", message.id)
    store.node(desk.id, message.id)
    desk.path(message.id)
    list(store.contents(desk.id))
    store.branch(desk.id, message.id)
    store.shown(desk.id)
    store.head(desk.id)
    store.select(desk.id, answer.id)
    store.selected(desk.id)
    store.last_choice_below(desk.id, desk.root)
    store.save_draft("camille", "T-80005", Draft("x", message.id))
    store.draft("camille", "T-80005")
    store.set_setting(desk.id, "budget", 1)
    store.settings(desk.id)
    store.set_label(desk.id, answer.id, "x")
    request = store.record_request(
        desk.id, answer.id, replace(A_REQUEST, task="t", provider="p", base_url="", model="m")
    )
    store.record_response(desk.id, request, response=b"{}", status_code=200, usage={}, latency_ms=1)
    store.requests(desk.id, answer.id)
    store.keep_task(TaskVersion("t", "1", "system", "text"))
    store.task_version("t", "1")
    store.answer_log("camille", since=1)
    store.calls("camille", since=0)
    store.calls("camille", ticket_id="T-80005")


def test_no_log_is_scanned() -> None:
    engine = WatchedEngine()
    with closing(SqliteStore(engine, Clock())) as store:
        do_everything(a_desk(store))

    assert engine.scans == set()


@pytest.mark.parametrize("table", LOG_KEYS)
def test_a_scan_would_be_noticed(table: str) -> None:
    engine = WatchedEngine()
    with closing(SqliteStore(engine, Clock())):
        engine.read(lambda db: db.execute(f"SELECT count(*) FROM {table}"))

    assert len(engine.scans) == 1
