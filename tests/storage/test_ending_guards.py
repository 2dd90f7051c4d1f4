"""Ordinary SQL can erase a ticket whole and on record, and can take no single word out of it."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from canaries import a_full_desk
from desks import Clock, a_desk, a_ticket
from raw_record import dump, raw

from storage.interactions import Draft
from storage.sqlite.driver import sqlite3
from storage.sqlite.schema.words import WORD_HOLDERS
from storage.sqlite_store import open_store
from storage.tickets import RawSource


@dataclass(frozen=True)
class Ended:
    """Keys: T-1 has words everywhere, T-2 is erased, T-3 is held, T-4 has an answer under way."""

    database: Path
    conversation: int
    erased_conversation: int
    erased_node: int
    free: int
    erased: int
    held: int
    running: int
    agent: int = 1


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """Made once: whoever uses it through `connection` proves that it is unchanged."""
    return make_ended(tmp_path_factory.mktemp("desk") / "record.db")


def make_ended(database: Path) -> Ended:
    with closing(open_store(database, clock=Clock())) as store:
        desk, _ = a_full_desk(store, "T-1")
        erased = a_desk(store, ticket=a_ticket("T-2", sources=(RawSource("a", "json", b"{}"),)))
        node = erased.ask(erased.ticket_node)
        store.save_draft("camille", "T-2", Draft("draft"))
        a_desk(store, ticket=a_ticket("T-3"))
        running = a_desk(store, ticket=a_ticket("T-4"))
        running.begin(running.ticket_node)
        store.hold_ticket("T-3", "camille", "lawsuit")
        store.erase("T-2", "camille", "asked for")
        with raw(database) as connection:
            keys = dict(connection.execute("SELECT name, id FROM ticket").fetchall())
        return Ended(database, desk.id, erased.id, node.id, keys["T-1"], keys["T-2"], keys["T-3"], keys["T-4"])


@pytest.fixture(params=[False, True], ids=["no pragmas", "pragmas on"])
def connection(request: pytest.FixtureRequest, ended: Ended) -> Iterator[sqlite3.Connection]:
    with raw(ended.database, enforcing=request.param) as opened:
        before = dump(opened)
        yield opened
        if opened.in_transaction:
            opened.execute("ROLLBACK")
        assert dump(opened) == before


ERASE = "INSERT INTO erasure (ticket_id, agent_id, reason, content, erased_at) VALUES (:{}, :agent, 'x', '{{}}', 0)"
HOLD = "INSERT INTO legal_hold (ticket_id, agent_id, held, reason, set_at) VALUES (:{}, :agent, {}, '{}', 0)"

REFUSED = [
    ("DELETE FROM erasure", "immutable"),
    ("UPDATE erasure SET reason = 'another'", "immutable"),
    ("INSERT OR REPLACE INTO erasure SELECT * FROM erasure", "immutable"),
    ("DELETE FROM erasure_done", "immutable"),
    ("DELETE FROM legal_hold", "immutable"),
    ("UPDATE legal_hold SET held = 0", "immutable"),
    (ERASE.format("erased"), "immutable"),
    (ERASE.format("held"), "held"),
    (ERASE.format("running"), "running"),
    (ERASE.format("free").replace(":free", "999"), "foreign"),
    (HOLD.format("held", 1, "x"), "order"),
    (HOLD.format("free", 0, "x"), "order"),
    (HOLD.format("erased", 1, "x"), "erased"),
    (HOLD.format("free", 1, "x").replace(":free", "999"), "foreign"),
    ("INSERT INTO erasure_done VALUES (999, 0)", "foreign"),
    ("INSERT INTO ticket_status (ticket_id, status, origin, set_at) VALUES (:erased, 'open', 'agent', 0)", "erased"),
    ("INSERT INTO conversation (agent_id, ticket_id, created_at) VALUES (99, :erased, 0)", "erased"),
    ("INSERT INTO ticket_snapshot VALUES (:erased, 2, 0)", "erased"),
    ("INSERT INTO snapshot_words VALUES (:erased, 1, '', '', '', NULL, '{}', '')", "erased"),
    ("INSERT INTO ticket_message VALUES (999, :erased, '', '', '', '', '', 0, 0, '[]', 0)", "erased"),
    ("INSERT INTO ticket_source VALUES (:erased, 9, 1, '', '')", "erased"),
    ("INSERT INTO heading VALUES (:erased_node, :erased_conversation, x'', '', '{}')", "(erased|ended)"),
    ("INSERT INTO payload VALUES (:erased_conversation, :erased_node, 1, 'again')", "(erased|ended)"),
    ("INSERT INTO seal VALUES (:erased_node, :erased_conversation, x'', '{}', 'again')", "(erased|ended)"),
    ("INSERT INTO setting (conversation_id, name, value, set_at) VALUES (:erased_conversation, 'x', '1', 0)", "erased"),
    ("INSERT INTO node_label VALUES (99, :erased_conversation, :erased_node, 'again', 0)", "erased"),
    ("INSERT INTO draft VALUES (99, :erased, 'again', NULL, 0, 0)", "erased"),
    ("DELETE FROM raw_source WHERE id IN (SELECT raw_source_id FROM ticket_source)", "immutable"),
    ("DELETE FROM ticket_status WHERE ticket_id = :free AND origin = 'import'", "immutable"),
    ("DELETE FROM interaction WHERE conversation_id = :erased_conversation", "immutable"),
    ("DELETE FROM final WHERE conversation_id = :erased_conversation", "immutable"),
    ("DELETE FROM conversation WHERE ticket_id = :erased", "immutable"),
    ("DELETE FROM ticket WHERE id = :erased", "immutable"),
    ("DELETE FROM request", "immutable"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "code"), REFUSED)
def test_what_ordinary_sql_may_not_do(connection: sqlite3.Connection, ended: Ended, sql: str, code: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=f"refused:{code}"):
        connection.execute(sql, vars(ended))


def test_an_erasure_gives_a_reason(connection: sqlite3.Connection, ended: Ended) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        connection.execute(ERASE.format("free").replace("'x'", "''"), vars(ended))


@pytest.mark.parametrize("table", [holder.table for holder in WORD_HOLDERS if holder.table != "draft"])
def test_no_word_of_a_ticket_that_is_not_erased_is_deleted(connection: sqlite3.Connection, table: str) -> None:
    assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] > 0

    with pytest.raises(sqlite3.IntegrityError, match="refused:immutable"):
        connection.execute(f"DELETE FROM {table}")


def test_an_erasure_within_a_transaction_takes_all_words_of_its_ticket_at_once(
    connection: sqlite3.Connection, ended: Ended
) -> None:
    connection.execute("BEGIN")
    connection.execute(ERASE.format("free"), vars(ended))

    for holder in WORD_HOLDERS:
        left = connection.execute(f"SELECT count(*) FROM {holder.table} WHERE {holder.rows_of(str(ended.free))}")
        assert left.fetchone() == (0,), holder.table
    assert connection.execute("SELECT count(*) FROM erasure").fetchone() == (2,)
    with pytest.raises(sqlite3.IntegrityError, match="refused:immutable"):
        connection.execute("DELETE FROM heading")
