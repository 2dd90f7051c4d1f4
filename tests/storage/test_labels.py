"""What any store promises about the labels of nodes."""

from contextlib import closing
from pathlib import Path

import pytest
from desks import Clock, Desk, a_desk
from raw_record import raw
from sqlite_utils.migrations import Migrations

from storage.audit.verification import verify
from storage.errors import ErasedError, NotFoundError, RefusedError
from storage.sqlite.driver import sqlite3
from storage.sqlite.schema import versions
from storage.sqlite_store import open_store
from storage.store import Store
from storage.text import LABEL_LENGTH


def labels(desk: Desk) -> dict[int, str]:
    return {node.id: node.label for node in desk.store.nodes(desk.id) if node.label}


def test_the_last_label_of_a_node_counts_wherever_the_node_is_read(desk: Desk) -> None:
    answer = desk.ask(desk.ticket_node)

    for label in ("draft", "refund version"):
        desk.store.set_label(desk.id, answer.id, label)

    assert labels(desk) == {answer.id: "refund version"}
    assert desk.store.node(desk.id, answer.id).label == "refund version"
    assert desk.path(answer.id)[-1].node.label == "refund version"
    assert list(desk.store.contents(desk.id))[-1].node.label == "refund version"


def test_an_empty_label_takes_it_off(desk: Desk) -> None:
    for label in ("refund version", " \n"):
        desk.store.set_label(desk.id, desk.ticket_node, label)

    assert labels(desk) == {}


def test_a_label_touches_neither_the_tree_nor_what_is_chosen(desk: Desk) -> None:
    answer = desk.ask(desk.ticket_node)
    before = desk.store.head(desk.id), desk.store.selected(desk.id)

    desk.store.set_label(desk.id, desk.ticket_node, "start")

    assert (desk.store.head(desk.id), desk.store.selected(desk.id)) == before == (answer.seq, answer.id)
    assert verify(desk.store).holds


def test_a_label_is_one_storable_line(desk: Desk) -> None:
    desk.store.set_label(desk.id, desk.ticket_node, "  refund\r\n\tversion \ud800\0 ")

    assert labels(desk) == {desk.ticket_node: "refund version \ufffd\0"}


def test_a_label_that_is_too_long_is_refused_and_the_one_before_stays(desk: Desk) -> None:
    desk.store.set_label(desk.id, desk.ticket_node, "é" * LABEL_LENGTH)

    with pytest.raises(RefusedError, match="at most 60 characters, and this has 61; shorten it"):
        desk.store.set_label(desk.id, desk.ticket_node, "é" * (LABEL_LENGTH + 1))

    assert labels(desk) == {desk.ticket_node: "é" * LABEL_LENGTH}


def test_an_answer_can_be_labelled_while_it_is_written(desk: Desk) -> None:
    answer = desk.begin(desk.ticket_node)

    desk.store.set_label(desk.id, answer.id, "refund version")

    assert labels(desk) == {answer.id: "refund version"}


def test_only_nodes_of_the_conversation_are_labelled(desk: Desk) -> None:
    other = a_desk(desk.store, agent="noah")

    for node_id in (other.ticket_node, 999, -1, 10**30):
        with pytest.raises(NotFoundError):
            desk.store.set_label(desk.id, node_id, "mine")

    assert labels(other) == {}


def test_an_erasure_takes_labels_and_allows_no_new_one(desk: Desk) -> None:
    desk.store.set_label(desk.id, desk.ticket_node, "Sophie's refund")

    erasure = desk.store.erase("T-80005", "camille", "asked for")

    assert labels(desk) == {}
    assert desk.store.erasures()[0].content["labels"] == 1
    assert erasure.pending == ""
    with pytest.raises(ErasedError):
        desk.store.set_label(desk.id, desk.ticket_node, "again")


def test_the_same_label_again_leaves_no_trace(file_store: Store, database: Path) -> None:
    desk = a_desk(file_store)
    for label in ("", "a", "a ", "b", ""):
        desk.store.set_label(desk.id, desk.ticket_node, label)

    with raw(database) as connection:
        assert connection.execute("SELECT label FROM node_label ORDER BY id").fetchall() == [("a",), ("b",), ("",)]


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO node_label VALUES (9, :one, :others_node, 'x', 0)",
        "INSERT INTO node_label VALUES (9, :one, 999, 'x', 0)",
        "INSERT INTO node_label VALUES (9, 999, :others_node, 'x', 0)",
    ],
)
def test_ordinary_sql_cannot_label_across_conversations(file_store: Store, database: Path, sql: str) -> None:
    one, other = a_desk(file_store), a_desk(file_store, agent="noah")

    with raw(database) as connection, pytest.raises(sqlite3.IntegrityError, match="refused:foreign"):
        connection.execute(sql, {"one": one.id, "others_node": other.ticket_node})


def test_a_record_from_before_labels_takes_them_and_erases_them(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(versions, "VERSIONS", versions.VERSIONS[:4])
        before.setattr(versions, "migrations", Migrations("ticketree"))
        for version in versions.VERSIONS:
            versions.migrations()(version)
        open_store(database).close()
        with raw(database) as connection:
            assert connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'node_label'").fetchone() is None

    with closing(open_store(database, clock=Clock())) as store:
        desk = a_desk(store)
        store.set_label(desk.id, desk.ticket_node, "refund version")
        assert verify(store).holds, "the schema is that of a new record"
        store.erase("T-80005", "camille", "asked for")
        assert labels(desk) == {}
