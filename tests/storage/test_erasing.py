"""After an erasure no word is left in any file, everything else stands as it stood, and other tickets do not notice."""

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from subprocess import Popen

import pytest
from canaries import PLACES, a_full_desk, canaries, canary, full_ticket, traces
from desks import Clock, Desk, a_desk, a_message, a_ticket
from raw_record import dump, raw
from record_worker import worker

from storage.audit.verification import verify
from storage.errors import ErasedError, NotFoundError, RefusedError, TurnRunningError, UnwritableError
from storage.importers.importing import import_paths
from storage.interactions import Draft, IncomingNode, Status
from storage.kinds import InteractionKind
from storage.sqlite.engine import FileEngine
from storage.sqlite.schema.words import STRUCTURE, WORD_HOLDERS
from storage.sqlite_store import open_store
from storage.store import Store
from storage.tickets import ERASED, RawSource, Role
from storage.values import JsonObject

NOTICE = "[erased on 2025-06-15 by camille: the customer asked for it]"
STAYS = (
    "agent",
    "ticket",
    "ticket_snapshot",
    "conversation",
    "interaction",
    "final",
    "selection",
    "request",
    "call_figures",
    "prompt_count",
    "learned_window",
)
WORDS = [holder.table for holder in WORD_HOLDERS]
NAMES_AND_KEYS = {
    "agent": {"name"}, "ticket": {"name"}, "interaction": {"kind", "writer", "commitment", "prev_hash", "hash"},
    "final": {"status", "commitment", "prev_hash", "hash"},
    "request": {"task", "task_version", "provider", "base_url", "model", "params", "plan", "body_sha256"},
    "prompt_count": {"base_url", "model", "encoding"}, "learned_window": {"base_url", "model"},
    "task_version": {"name", "version", "system", "text"}, "imported_chat": {"key"}, "imported_node": {"key"},
    "erasure": {"reason", "content"}, "legal_hold": {"reason"}, "raw_source": {"digest", "data"},
}  # fmt: skip
"""Columns outside the word holders: our own names, tasks and counts, hashes, and reasons that are to stay.

A raw source goes with the last ticket that was read from it.
"""


def erase(store: Store, ticket_id: str = "T-1") -> None:
    erased = store.erase(ticket_id, "camille", "the customer asked for it")
    assert erased.pending == ""


def line_of(process: "Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def rows_of(database: Path, tables: tuple[str, ...]) -> dict[str, list[tuple[object, ...]]]:
    with raw(database) as connection:
        return {table: rows for table, rows in dump(connection).items() if table in tables}


def test_every_place_holds_its_word_before_and_none_afterwards(file_store: Store, database: Path) -> None:
    a_full_desk(file_store)
    assert traces(database, canaries()) == set(canaries()), "else the test would not look into every place"

    erase(file_store)

    assert traces(database, canaries()) == set()
    file_store.close()
    assert traces(database, canaries()) == set()


def test_a_column_of_text_is_in_a_word_holder_or_known_to_hold_no_foreign_words(database: Path) -> None:
    open_store(database).close()
    with raw(database) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        unknown = {
            f"{table}.{name}"
            for table in tables
            if table not in WORDS and not table.startswith(("_sqlite", "sqlite_", "search"))
            for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")
            if kind != "INTEGER" and name not in NAMES_AND_KEYS.get(table, set())
        }

    assert unknown == set(), "add the table to storage/sqlite/schema/words.py, or the column here"


def test_nodes_edges_times_and_hashes_stay_and_the_record_verifies(file_store: Store, database: Path) -> None:
    desk, other = a_full_desk(file_store)
    before = rows_of(database, STAYS)
    tree = [(node.id, node.parent_id, node.kind, node.n, node.m, node.status) for node in file_store.nodes(desk.id)]

    erase(file_store)

    assert rows_of(database, STAYS) == before
    after = file_store.nodes(desk.id)
    assert [(node.id, node.parent_id, node.kind, node.n, node.m, node.status) for node in after] == tree
    assert all(node.erased and node.preview == NOTICE and node.author == "" for node in after)
    assert all(node.erased for node in file_store.nodes(other.id)), "every agent's conversation, in one transaction"
    verified = verify(file_store)
    assert verified.holds, verified.breaks
    assert verified.erased > 0


def test_another_ticket_does_not_notice(file_store: Store, database: Path) -> None:
    a_full_desk(file_store)
    kept = a_desk(file_store, ticket=a_ticket("T-2", sources=(RawSource("b", "json", b"{}"),)))
    answer = kept.ask(kept.ticket_node)
    file_store.save_draft("camille", "T-2", Draft("now in English"))
    before = rows_of(database, ("raw_source", *WORDS))
    read = file_store.path(kept.id, answer.id), file_store.ticket("T-2"), file_store.sources("T-2")

    erase(file_store)

    after = rows_of(database, ("raw_source", *WORDS))
    assert all(set(after[table]) <= set(before[table]) for table in after)
    assert read == (file_store.path(kept.id, answer.id), file_store.ticket("T-2"), file_store.sources("T-2"))
    assert file_store.draft("camille", "T-2") == Draft("now in English")
    assert kept.say(answer.id).parent_id == answer.id


def test_no_copy_is_left_where_rows_were_moved_between_pages(file_store: Store, database: Path) -> None:
    desks = [a_desk(file_store, agent=f"agent {n}", ticket=a_ticket(f"T-{n % 3}")) for n in range(6)]
    for turn in range(25):
        for n, desk in enumerate(desks):
            text = ("zqleftbehind " if n % 3 == 1 else "kept ") * (1 + 37 * (turn + n) % 90)
            desk.answer(desk.say(desk.ticket_node, text).id, *[text] * 3)
    assert traces(database, ["zqleftbehind"])

    erase(file_store)

    assert traces(database, ["zqleftbehind"]) == set()
    assert verify(file_store).holds


def test_what_is_read_says_when_by_whom_and_why(store: Store) -> None:
    desk, _ = a_full_desk(store)
    leaf = store.selected(desk.id)

    erase(store)

    ticket = store.ticket("T-1")
    assert (ticket.erased, ticket.status, ticket.subject) == (True, ERASED, NOTICE)
    assert [message.text for message in ticket.messages] == [NOTICE]
    assert store.ticket("T-1", 1).snapshots == ticket.snapshots == 2
    (listed,) = store.tickets("camille", status=ERASED)
    assert (listed.subject, listed.customer, listed.erased) == (NOTICE, "", True)
    path = store.path(desk.id, leaf)
    assert [step.content for step in path if step.ticket is None] == [NOTICE] * (len(path) - 1)
    assert list(store.contents(desk.id))[-1].content == NOTICE
    assert store.node(desk.id, leaf).preview == NOTICE
    assert store.sources("T-1") == []
    assert store.draft("camille", "T-1") == Draft("")
    assert store.settings(desk.id) == {}
    assert {node.label for node in store.nodes(desk.id)} == {""}
    assert store.last_choice_below(desk.id, desk.root) == leaf


def test_requests_keep_their_digests_without_the_bytes(store: Store) -> None:
    desk, _ = a_full_desk(store)
    answer = next(node for node in store.nodes(desk.id) if node.kind == "assistant_response")
    (before,) = store.requests(desk.id, answer.id)

    erase(store)

    (after,) = store.requests(desk.id, answer.id)
    assert (after.body, after.response, after.error, after.usage) == (None, None, "", {})
    assert (after.body_sha256, after.sent_at, after.model) == (before.body_sha256, before.sent_at, before.model)


def test_the_erasure_says_what_it_took_and_stays(store: Store) -> None:
    a_full_desk(store)

    erase(store)

    (erasure,) = store.erasures()
    assert (erasure.ticket_id, erasure.agent, erasure.notice) == ("T-1", "camille", NOTICE)
    assert erasure.content["drafts"] == 1
    assert {"messages of the ticket", "pieces of text", "bytes sent and received"} <= set(erasure.content)
    assert store.finish_erasures() == []


def adding(desk: Desk) -> list[Callable[[], object]]:
    store, leaf = desk.store, desk.store.selected(desk.id)
    observation = InteractionKind("observation", False)
    return [
        lambda: desk.say(leaf),
        lambda: desk.begin(leaf),
        lambda: store.add_snapshot(desk.id, leaf, 2),
        lambda: store.add_branch(desk.id, [IncomingNode("agent_message", None, "x", "y")]),
        lambda: store.add_internal(desk.id, leaf, observation, "x", text="y", meta={}),
        lambda: store.save_draft("camille", "T-1", Draft("again")),
        lambda: store.set_setting(desk.id, "budget", 1),
        lambda: store.set_label(desk.id, leaf, "again"),
        lambda: store.save_ticket(full_ticket()),
        lambda: store.open_conversation("zoe", "T-1"),
        lambda: store.close_ticket("T-1", "zoe"),
        lambda: store.hold_ticket("T-1", "zoe", "why"),
        lambda: store.erase("T-1", "zoe", "again"),
    ]


def test_nothing_is_added_to_an_erased_ticket(file_store: Store, database: Path) -> None:
    desk, _ = a_full_desk(file_store)
    erase(file_store)
    with raw(database) as connection:
        before = dump(connection)

    for add in adding(desk):
        with pytest.raises(ErasedError, match="erased"):
            add()

    with raw(database) as connection:
        assert dump(connection) == before


def test_an_import_brings_no_erased_words_back(store: Store, tmp_path: Path) -> None:
    source = tmp_path / "tickets.jsonl"
    source.write_text(
        '{"id": "T-1", "subject": "s", "customer": "Sophie", "body": "again"}\n{"id": "T-2", "body": "x"}\n'
    )
    import_paths(store, [source])
    erase(store)

    for check in (True, False):
        report = import_paths(store, [source], check=check)

        assert (report.found, report.imported) == (2, 0)
        assert [skipped.reason for skipped in report.skipped] == [f"Ticket T-1 takes nothing new: {NOTICE}"]


def test_bytes_that_another_ticket_was_read_from_stay_with_it_and_that_is_said(store: Store) -> None:
    source = (RawSource("a.json", "json", b"{}"),)
    for ticket_id in ("T-1", "T-2"):
        store.save_ticket(a_ticket(ticket_id, sources=source))

    assert store.erase("T-1", "camille", "asked for").shared_with == ("T-2",)
    assert store.sources("T-2") == [("a.json", "json", b"{}")]
    assert store.erase("T-2", "camille", "asked for").shared_with == ()


def test_an_answer_that_is_being_written_stops_the_erasure(store: Store) -> None:
    desk = a_desk(store)
    answer = desk.begin(desk.ticket_node)
    store.add_text(desk.id, answer.id, "Dear")

    with pytest.raises(TurnRunningError):
        store.erase("T-80005", "noah", "asked for")
    assert store.erasures() == []
    store.finish(desk.id, answer.id, Status.COMPLETE, {})
    store.erase("T-80005", "noah", "asked for")


def test_an_answer_whose_writer_is_gone_does_not(database: Path) -> None:
    with closing(open_store(database, clock=Clock())) as store:
        desk = a_desk(store)
        desk.begin(desk.ticket_node)
    with closing(open_store(database, clock=Clock())) as store:
        store.erase("T-80005", "noah", "asked for")
        assert store.nodes(desk.id)[-1].status is Status.CRASHED


def test_a_hold_keeps_everything_until_it_is_released(store: Store) -> None:
    a_desk(store)
    store.hold_ticket("T-80005", "noah", "a lawsuit")
    assert [(hold.ticket_id, hold.agent, hold.reason) for hold in store.holds()] == [("T-80005", "noah", "a lawsuit")]

    with pytest.raises(RefusedError, match="legal hold"):
        store.erase("T-80005", "camille", "asked for")
    with pytest.raises(RefusedError, match="on ticket T-80005 already"):
        store.hold_ticket("T-80005", "noah", "again")
    store.release_ticket("T-80005", "noah", "settled")

    assert store.holds() == []
    with pytest.raises(RefusedError, match="No legal hold"):
        store.release_ticket("T-80005", "noah", "again")
    store.erase("T-80005", "camille", "asked for")


@pytest.mark.parametrize(
    ("reason", "why"),
    [("", "Say why"), (" \n", "Say why"), ("x" * 501, "longer than 500"), ("for sophie MARTIN, by mail", "name out")],
)
def test_a_reason_that_may_not_stay_is_refused(store: Store, reason: str, why: str) -> None:
    a_desk(store, ticket=a_ticket(customer="Sophie Martin"))

    for act in (store.erase, store.hold_ticket):
        with pytest.raises(RefusedError, match=why):
            act("T-80005", "camille", reason)
    assert store.erasures() == []


@pytest.mark.parametrize(
    ("reason", "word"),
    [
        ("asked by zzmartin", "zzmartin"),
        ("S.Zzmartin wrote", "Zzmartin"),
        ("Claude asked", "Claude"),
        ("by sophie.zzm@x.org", "sophie.zzm@x.org"),
        ("as sozzm wrote", "sozzm"),
        ("Ida's wish", "Ida"),
    ],
)
def test_a_reason_that_names_the_customer_in_part_is_refused_with_the_word_to_leave_out(
    store: Store, reason: str, word: str
) -> None:
    messages = a_message(author="Claude Zzdupont"), replace(a_message(author="Max Desk"), role=Role.AGENT)
    first = a_ticket(customer="Ida Zzmartin", messages=messages)
    address: JsonObject = {"customer_address": "sozzm@example.org", "assignee": "max@desk.example", "size": 17}
    store.save_ticket(first)
    store.save_ticket(
        replace(
            first, customer="Sophie Zzmartin <sophie.zzm@x.org>", messages=(*messages, a_message("2")), extra=address
        )
    )

    for act in (store.erase, store.hold_ticket):
        with pytest.raises(RefusedError, match=f'leave the customer\'s name out of it: "{re.escape(word)}"'):
            act("T-80005", "camille", reason)
    store.hold_ticket("T-80005", "camille", "Max of the desk asked for it on behalf of the customer")


def test_a_reason_in_our_own_words_is_never_refused(store: Store) -> None:
    store.save_ticket(a_ticket(customer="Retention Kept, Closed Days Ltd"))

    with pytest.raises(RefusedError, match="name out"):
        store.erase("T-80005", "camille", "retention: closed, kept for 30 days")
    assert store.erase("T-80005", "camille", "retention: closed, kept for 30 days", is_own=True).reason


def test_an_unknown_ticket_is_not_found(store: Store) -> None:
    for act in (store.erase, store.hold_ticket, store.release_ticket):
        with pytest.raises(NotFoundError):
            act("T-9", "camille", "why")
    for change in (store.close_ticket, store.reopen_ticket):
        with pytest.raises(NotFoundError):
            change("T-9", "camille")


def test_while_another_process_reads_the_erasure_is_pending_and_the_next_start_finishes_it(database: Path) -> None:
    with closing(open_store(database, clock=Clock())) as store:
        a_full_desk(store)
        with worker("read", database) as process:
            assert line_of(process) == "reading"
            assert "Another process is reading" in store.erase("T-1", "camille", "asked for").pending
            assert traces(database, canaries()) != set()
            assert "next start" in store.erasures()[0].pending
            assert "Another process is reading" in store.finish_erasures()[0].pending

    with closing(open_store(database, clock=Clock())) as store:
        assert [(each.ticket_id, each.pending) for each in store.finish_erasures()] == [("T-1", "")]
        assert traces(database, canaries()) == set()
        assert store.erasures()[0].pending == ""
        assert store.finish_erasures() == []


def test_a_full_disk_leaves_the_erasure_pending(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(open_store(database, clock=Clock())) as store:
        a_full_desk(store)
        with monkeypatch.context() as patched:
            patched.setattr(FileEngine, "scrub", full)
            assert "disk is full" in store.erase("T-1", "camille", "asked for").pending
        assert store.ticket("T-1").erased
        assert store.finish_erasures()[0].pending == ""
        assert traces(database, canaries()) == set()


def full(engine: FileEngine) -> bool:
    raise UnwritableError("The disk is full, so nothing more can be kept; free some space.")


@pytest.mark.parametrize("where", ["inside", "after"])
def test_a_kill_in_the_middle_leaves_all_or_nothing(database: Path, where: str) -> None:
    with closing(open_store(database, clock=Clock())) as store:
        desk, _ = a_full_desk(store, "T-80005")
        leaf = store.selected(desk.id)
        before = store.path(desk.id, leaf)

        with worker("erase", database, where) as process:
            assert line_of(process) == "there"
            process.kill()
            process.wait()

        if where == "inside":
            assert store.path(desk.id, leaf) == before
            assert store.erasures() == store.finish_erasures() == []
            store.erase("T-80005", "camille", "asked for")
        else:
            assert store.node(desk.id, leaf).erased
            assert [each.pending for each in store.finish_erasures()] == [""]
        assert traces(database, canaries()) == set()
        assert verify(store).holds


def test_the_word_holders_are_tables_and_each_place_has_a_canary(database: Path) -> None:
    open_store(database).close()
    with raw(database) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}

    assert tables >= {*WORDS, *STRUCTURE}
    assert len({canary(place) for place in PLACES}) == len(PLACES)
