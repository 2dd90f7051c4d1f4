"""Ordinary SQL, from any program and without our pragmas, can neither change, delete nor bend the record."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from desks import A_REQUEST, Clock, Desk, a_desk, a_ticket
from raw_record import dump, raw

from storage.chats import IncomingChat
from storage.interactions import Draft, IncomingNode
from storage.kinds import InteractionKind
from storage.measures import LearnedWindow, PromptCount
from storage.sqlite.driver import sqlite3
from storage.sqlite.schema import chats, ending, labels, measures, reading, record, search, tasks, usage
from storage.sqlite.schema.search import INDEX
from storage.sqlite_store import open_store
from storage.task_versions import TaskVersion
from storage.tickets import RawSource

LOG_KEYS = {
    **record.LOG_KEYS,
    **search.LOG_KEYS,
    **ending.LOG_KEYS,
    **chats.LOG_KEYS,
    **labels.LOG_KEYS,
    **usage.LOG_KEYS,
    **measures.LOG_KEYS,
    **tasks.LOG_KEYS,
    **reading.LOG_KEYS,
}


@dataclass(frozen=True)
class Full:
    """A record with a row in every table; `conversation` has ended answers, `open_one` an answer under way."""

    database: Path
    conversation: int
    ticket_node: int
    answer: int
    other_node: int
    open_one: int
    open_node: int


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Full:
    """Made once: whoever uses it through `connection` proves that it is unchanged."""
    return make_full(tmp_path_factory.mktemp("desk") / "record.db")


def make_full(database: Path) -> Full:
    with closing(open_store(database, clock=Clock())) as store:
        desk = a_desk(store, ticket=a_ticket(sources=(RawSource("a.json", "json", b"{}"),)))
        answer = desk.ask(desk.ticket_node)
        other = a_desk(store, agent="noah")
        imported = IncomingNode("agent_message", None, "", "an old chat", source_id="n")
        store.save_chat("noah", IncomingChat("ChatGPT", "c", (imported,)), "T-80005")
        running = a_desk(store, agent="zoe")
        open_node = running.begin(running.ticket_node)
        store.add_text(running.id, open_node.id, "Dear")
        add_side_rows(desk, answer.id)
        gone = a_desk(store, ticket=a_ticket("T-1"))
        store.hold_ticket("T-80005", "camille", "a lawsuit")
        store.erase("T-1", "camille", "asked for")
        assert store.nodes(gone.id)[0].erased
        return Full(database, desk.id, desk.ticket_node, answer.id, other.ticket_node, running.id, open_node.id)


def add_side_rows(desk: Desk, node_id: int) -> None:
    store = desk.store
    store.add_internal(desk.id, node_id, InteractionKind("observation", False), "x", text="y", meta={})
    store.set_setting(desk.id, "budget", 3_000)
    store.set_label(desk.id, node_id, "refund version")
    store.keep_task(TaskVersion("t", "1", "system", "text"))
    store.save_draft(desk.agent, "T-80005", Draft("x"))
    request = store.record_request(desk.id, node_id, replace(A_REQUEST, task="t", provider="p", base_url="", model="m"))
    store.record_response(desk.id, request, response=b"{}", status_code=200, usage={}, latency_ms=1)
    store.add_prompt_count(desk.id, request, "o200k_base", PromptCount(2, 9, 10))
    store.learn_window(desk.id, request, LearnedWindow(4_096, False, None))


@pytest.fixture(params=[False, True], ids=["no pragmas", "pragmas on"])
def connection(request: pytest.FixtureRequest, full: Full) -> Iterator[sqlite3.Connection]:
    with raw(full.database, enforcing=request.param) as opened:
        before = dump(opened)
        yield opened
        assert dump(opened) == before


def refused(connection: sqlite3.Connection, sql: str, *parameters: object) -> str:
    with pytest.raises(sqlite3.IntegrityError) as caught:
        connection.execute(sql, parameters)
    if connection.in_transaction:
        connection.execute("ROLLBACK")
    return str(caught.value)


def columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


def test_every_table_but_the_draft_is_a_log(connection: sqlite3.Connection) -> None:
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}

    assert {name for name in tables if not name.startswith("_")} - INDEX == {*LOG_KEYS, "draft"}


@pytest.mark.parametrize("table", LOG_KEYS)
def test_no_row_of_a_log_is_changed_deleted_or_replaced(connection: sqlite3.Connection, table: str) -> None:
    names = columns(connection, table)
    assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] > 0
    first = names[0]
    listed = ", ".join(names)

    for sql in (
        f"UPDATE {table} SET {first} = {first}",
        f"UPDATE OR REPLACE {table} SET {first} = {first}",
        f"DELETE FROM {table}",
        f"INSERT OR REPLACE INTO {table} ({listed}) SELECT {listed} FROM {table}",
        f"REPLACE INTO {table} ({listed}) SELECT {listed} FROM {table}",
        f"INSERT OR IGNORE INTO {table} ({listed}) SELECT {listed} FROM {table}",
        f"INSERT INTO {table} ({listed}) SELECT {listed} FROM {table} WHERE true"
        f" ON CONFLICT DO UPDATE SET {first} = {first}",
    ):
        assert "refused:immutable" in refused(connection, sql), sql


INSERT = """
    INSERT INTO interaction (id, conversation_id, seq, kind, external, node_count, parent_id, depth, replaces_id,
        snapshot, created_at, commitment, link, prev_hash, hash)
    SELECT {id}, {conversation}, {seq}, {kind}, {external}, {count}, {parent}, {depth}, {replaces}, {snapshot}, 0,
        zeroblob(32), {link}, {before}, zeroblob(32)
"""


def insertion(conversation: int, **changed: str | int) -> str:
    """Return an INSERT that would be fine but for what is changed."""
    last_link = (
        f"(SELECT max(link) FROM (SELECT link FROM interaction WHERE conversation_id = {conversation}"
        f" UNION ALL SELECT link FROM final WHERE conversation_id = {conversation}))"
    )
    values = {
        "id": "NULL",
        "conversation": conversation,
        "seq": f"(SELECT max(seq) + 1 FROM interaction WHERE conversation_id = {conversation})",
        "kind": "'agent_message'",
        "external": 1,
        "count": f"(SELECT max(node_count) + 1 FROM interaction WHERE conversation_id = {conversation})",
        "parent": f"(SELECT id FROM interaction WHERE conversation_id = {conversation} AND kind = 'ticket')",
        "depth": 2,
        "replaces": "NULL",
        "snapshot": "NULL",
        "link": f"{last_link} + 1",
        "before": f"(SELECT hash FROM (SELECT link, hash FROM interaction WHERE conversation_id = {conversation}"
        f" UNION ALL SELECT link, hash FROM final WHERE conversation_id = {conversation}) ORDER BY link DESC LIMIT 1)",
    }
    return INSERT.format(**{**values, **changed})


def test_the_insertion_that_the_refused_ones_vary_is_allowed(database: Path) -> None:
    full = make_full(database)
    with raw(database) as connection:
        assert connection.execute(insertion(full.conversation)).rowcount == 1


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"seq": 99}, "order"),
        ({"seq": 1}, "immutable"),
        ({"parent": "NULL"}, "root"),
        ({"kind": "'root'"}, "root"),
        ({"parent": 999}, "parent"),
        ({"depth": 3}, "parent"),
        ({"count": 99}, "count"),
        ({"count": 1}, "count"),
        ({"external": 0}, "count"),
        ({"link": 99}, "link"),
        ({"link": 1}, "immutable"),
        ({"before": "zeroblob(32)"}, "hash"),
        ({"kind": "'ticket'"}, "ticket"),
        ({"kind": "'ticket'", "snapshot": 2}, "ticket"),
        ({"snapshot": 1}, "ticket"),
    ],
)
def test_a_node_out_of_place_is_refused(
    connection: sqlite3.Connection, full: Full, changed: dict[str, str | int], code: str
) -> None:
    assert f"refused:{code}" in refused(connection, insertion(full.conversation, **changed))


def test_a_node_of_another_conversation_is_no_parent_and_no_sibling(connection: sqlite3.Connection, full: Full) -> None:
    assert "refused:parent" in refused(connection, insertion(full.conversation, parent=full.other_node))
    assert "refused:sibling" in refused(connection, insertion(full.conversation, replaces=full.other_node))
    assert "refused:sibling" in refused(connection, insertion(full.conversation, replaces=full.answer))


def test_an_internal_interaction_is_no_parent(connection: sqlite3.Connection, full: Full) -> None:
    internal = "(SELECT id FROM interaction WHERE external = 0)"

    assert "refused:parent" in refused(connection, insertion(full.conversation, parent=internal, depth=5))


def test_a_second_root_is_refused_also_at_the_start(connection: sqlite3.Connection, full: Full) -> None:
    root: dict[str, str | int] = {"kind": "'root'", "parent": "NULL", "depth": 0}

    assert "refused:root" in refused(connection, insertion(full.conversation, **root))
    assert "refused:immutable" in refused(connection, insertion(full.conversation, **root, seq=1))


def test_no_cycle_enters_also_not_by_several_rows_or_deferred_keys(connection: sqlite3.Connection, full: Full) -> None:
    connection.execute("BEGIN")
    connection.execute("PRAGMA defer_foreign_keys = ON")
    assert "refused:parent" in refused(connection, insertion(full.conversation, id=500, parent=500))
    connection.execute("BEGIN")
    connection.execute("PRAGMA defer_foreign_keys = ON")
    pair = (
        f"{insertion(full.conversation, id=500, parent=501)} UNION ALL "
        + insertion(full.conversation, id=501, parent=500, depth=3).partition("hash)")[2]
    )
    assert "refused:parent" in refused(connection, pair)


def test_no_node_is_added_while_an_answer_is_open(connection: sqlite3.Connection, full: Full) -> None:
    assert "refused:running" in refused(connection, insertion(full.open_one))


@pytest.mark.parametrize("piece", [1, 2, 3])
def test_no_piece_is_added_after_the_end(connection: sqlite3.Connection, full: Full, piece: int) -> None:
    message = refused(connection, "INSERT INTO payload VALUES (?, ?, ?, 'more')", full.conversation, full.answer, piece)

    assert "refused:immutable" in message or "refused:ended" in message


def test_pieces_have_no_gap_and_no_other_conversation(connection: sqlite3.Connection, full: Full) -> None:
    add = "INSERT INTO payload VALUES (?, ?, ?, 'more')"

    assert "refused:order" in refused(connection, add, full.open_one, full.open_node, 3)
    assert "refused:foreign" in refused(connection, add, full.conversation, full.open_node, 2)


def test_an_answer_ends_once_with_its_salt_and_its_count_of_pieces(connection: sqlite3.Connection, full: Full) -> None:
    add = """
        INSERT INTO final (conversation_id, interaction_id, status, pieces, commitment, ended_at, link,
            prev_hash, hash) VALUES (?, ?, 'complete', ?, zeroblob(32), 0, 99, zeroblob(32), zeroblob(32))
    """

    assert "refused:immutable" in refused(connection, add, full.conversation, full.answer, 2)
    assert "refused:order" in refused(connection, add, full.open_one, full.open_node, 7)
    assert "refused:salt" in refused(connection, add, full.open_one, full.open_node, 1)
    assert "refused:foreign" in refused(connection, add, full.conversation, full.open_node, 1)


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO selection (conversation_id, interaction_id, selected_at) VALUES (:ours, :theirs, 0)",
        "INSERT INTO heading VALUES (:theirs, :ours, x'', 'x', '')",
        "INSERT INTO seal VALUES (:open, :ours, x'', '{}', '')",
        "INSERT INTO response (conversation_id, request_id, usage, latency_ms, error, received_at)"
        " VALUES (:other, 1, '{}', 0, '', 0)",
        "INSERT INTO wire (conversation_id, request_id, direction, data) VALUES (:other, 1, 'received', x'')",
        "INSERT INTO request (conversation_id, interaction_id, attempt, task, task_version, provider, base_url, model,"
        " params, plan, body_sha256, sent_at) VALUES (:ours, :theirs, 1, '', '', '', '', '', '{}', '{}', '', 0)",
        "INSERT INTO search_entry (ticket_id, conversation_id, interaction_id, label_id, words)"
        " SELECT 1, :other, :open, id, 'x' FROM node_label",
    ],
)
def test_nothing_is_tied_to_a_node_of_another_conversation(
    connection: sqlite3.Connection, full: Full, sql: str
) -> None:
    bound = {
        "ours": full.conversation,
        "theirs": full.other_node,
        "open": full.open_node,
        "other": full.open_one,
    }
    with pytest.raises(sqlite3.IntegrityError, match="refused:"):
        connection.execute(sql, bound)


def test_a_ticket_node_names_the_digest_of_its_snapshot(connection: sqlite3.Connection, full: Full) -> None:
    connection.execute("BEGIN")
    connection.execute(insertion(full.conversation, id=500, kind="'ticket'", snapshot=1))
    heading = "INSERT INTO heading VALUES (500, ?, x'', 'Sophie', ?)"

    assert "refused:ticket" in refused(connection, heading, full.conversation, '{"digest":"0","snapshot":1}')


def test_snapshots_are_numbered_without_gaps(connection: sqlite3.Connection) -> None:
    sql = "INSERT INTO ticket_snapshot VALUES (1, 3, 0)"

    assert "refused:order" in refused(connection, sql)
