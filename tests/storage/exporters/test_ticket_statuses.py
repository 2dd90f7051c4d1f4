"""What a JSON export does to the status of a ticket that the record holds: what its source would do, and no more."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from desks import Clock, Desk, a_desk, a_ticket
from exports import text_of

from storage.closed_means import ClosedMeans
from storage.exporters.export import whole_tree
from storage.importers.importing import import_paths
from storage.importers.report import ImportReport
from storage.retention import RetentionRules, due_tickets
from storage.sqlite_store import SqliteStore, memory_store
from storage.store import Store
from storage.tickets import IncomingTicket, RawSource

SOLVED = ClosedMeans({"json": frozenset({"solved", "closed"})})


def told(status: str, *texts: str) -> IncomingTicket:
    """The ticket as a source tells it, with the first message and what was added."""
    source = RawSource("tickets.json", "json", json.dumps([status, *texts]).encode())
    return a_ticket("T-1", "Where is my hammock?", *texts, status=status, sources=(source,))


@pytest.fixture
def stores() -> Iterator[list[SqliteStore]]:
    """Three records: at home, away, and one where the source is read directly; at home and there the same is known."""
    with ExitStack() as stack:
        made = [memory_store(clock=Clock(10**15 + 10**9 * number), closed_means=SOLVED) for number in range(1, 4)]
        for store in made:
            stack.callback(store.close)
        yield made


def sent(store: Store, path: Path) -> Path:
    exported = text_of(whole_tree(store, store.open_conversation("camille", "T-1")), "json")
    path.write_text(exported)
    return path


def brought(store: Store, path: Path) -> ImportReport:
    checked = import_paths(store, [path], check=True, agent="camille")
    report = import_paths(store, [path], agent="camille")
    assert checked == report
    return report


def statuses(store: Store) -> list[tuple[str, bool]]:
    return [(change.status, change.imported) for change in store.lifecycle("T-1").changes]


@pytest.mark.parametrize(
    ("first", "act", "then", "changed"),
    [
        ("pending", "close", "open", True),
        ("open", "", "solved", True),
        ("solved", "", "open", True),
        ("open", "close", "open", True),
        ("open", "close", "solved", True),
        ("solved", "reopen", "solved", False),
        ("solved", "reopen", "closed", False),
        ("solved", "reopen", "pending", True),
        ("pending", "close", "", True),
    ],
)
def test_a_newer_version_has_the_effect_of_its_source(
    first: str, act: str, then: str, changed: bool, stores: list[SqliteStore], tmp_path: Path
) -> None:
    home, away, direct = stores
    for store in stores:
        store.save_ticket(told(first))
    sent(home, tmp_path / "out.json")
    brought(away, tmp_path / "out.json")
    for store in (home, direct):
        match act:
            case "close":
                store.close_ticket("T-1", "camille")
            case "reopen":
                store.reopen_ticket("T-1", "camille")
    for store in (away, direct):
        store.save_ticket(told(then, "It is still not here."))
    before = home.ticket("T-1").status

    report = brought(home, sent(away, tmp_path / "back.json"))

    assert len(home.ticket("T-1").messages) == 2
    assert statuses(home) == statuses(direct)
    assert home.lifecycle("T-1").is_closed is direct.lifecycle("T-1").is_closed
    now = home.ticket("T-1").status
    said = f"with a newer version of ticket T-1 comes the status '{now}' that its source names; it was '{before}' here"
    if act == "close" and then in (first, ""):
        said = f"the customer of ticket T-1 wrote again, so it is open; it was '{before}' here"
    assert [line.what for line in report.repaired] == ([said] if changed else [])
    assert (now != before) is changed
    assert brought(home, tmp_path / "back.json").unchanged == 1


def test_a_ticket_that_a_new_message_opened_elsewhere_is_not_due(stores: list[SqliteStore], tmp_path: Path) -> None:
    home, away, _ = stores
    home.save_ticket(told("pending"))
    home.close_ticket("T-1", "camille")
    brought(away, sent(home, tmp_path / "out.json"))
    away.save_ticket(told("open", "It is still not here."))

    brought(home, sent(away, tmp_path / "back.json"))

    assert due_tickets(home.lifecycles(), RetentionRules(0), 2**62) == []


@pytest.mark.parametrize("act", ["close", "reopen"])
def test_what_an_agent_did_elsewhere_neither_closes_nor_opens_a_ticket(
    act: str, stores: list[SqliteStore], tmp_path: Path
) -> None:
    home, away, _ = stores
    status = "open" if act == "close" else "solved"
    for store in (home, away):
        store.save_ticket(told(status))
    away.open_conversation("camille", "T-1")
    away.save_ticket(told(status, "It is still not here."))
    (away.close_ticket if act == "close" else away.reopen_ticket)("T-1", "noah")

    report = brought(home, sent(away, tmp_path / "back.json"))

    assert (report.imported, report.repaired, home.ticket("T-1").snapshots) == (1, (), 2)
    assert statuses(home) == [(status, True)]


def test_without_a_newer_version_the_status_stays(stores: list[SqliteStore], tmp_path: Path) -> None:
    home, away, _ = stores
    for store in (home, away):
        store.save_ticket(told("open"))
    away.save_ticket(told("solved"))
    desk = Desk(away, away.open_conversation("camille", "T-1"))
    desk.ask(desk.ticket_node)

    assert (brought(home, sent(away, tmp_path / "back.json")).imported, statuses(home)) == (1, [("open", True)])


def test_an_export_that_does_not_tell_what_the_source_said_counts_by_its_status(
    stores: list[SqliteStore], tmp_path: Path
) -> None:
    home, away, _ = stores
    for store in (home, away):
        store.save_ticket(told("open"))
    away.open_conversation("camille", "T-1")
    away.save_ticket(told("solved", "Thank you, it came."))
    document = json.loads(sent(away, tmp_path / "back.json").read_text())
    assert document.pop("source_status") == "solved"
    (tmp_path / "back.json").write_text(json.dumps(document))

    brought(home, tmp_path / "back.json")

    assert statuses(home) == [("open", True), ("solved", True)]


def test_an_erased_ticket_s_export_tells_nothing_of_its_source(stores: list[SqliteStore]) -> None:
    desk = a_desk(stores[0])
    desk.store.erase("T-80005", "camille", "asked for")

    assert whole_tree(desk.store, desk.conversation).source_status == ""
