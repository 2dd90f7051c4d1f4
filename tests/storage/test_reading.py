"""Trees and paths are read from copies; what they say is what the tables they were made from say."""

from contextlib import closing
from pathlib import Path

import pytest
from desks import Clock, Desk, a_desk
from raw_record import raw

from storage.audit.verification import verify
from storage.interactions import IncomingNode, Interaction, Node, ShownTree, Status
from storage.kinds import OBSERVATION
from storage.sqlite.driver import sqlite3
from storage.sqlite.schema import read_indexes
from storage.sqlite.schema.reading import DIFFERENT
from storage.sqlite.schema.versions import m010_reading_table
from storage.sqlite_store import open_store
from storage.store import Store


def many_ends(desk: Desk) -> None:
    """Add a fork, an edit, an answer of each end, a label, entries from elsewhere, internal ones, an open answer."""
    store, at = desk.store, desk.ticket_node
    for status in (Status.COMPLETE, Status.INTERRUPTED, Status.LENGTH, Status.ERROR, Status.CRASHED):
        message = desk.say(at, f"make it {status}")
        answer = desk.begin(message.id)
        for piece in ("Dear ", "Sophie", "x" * 300):
            store.add_text(desk.id, answer.id, piece)
        store.finish(desk.id, answer.id, status, {"finish_reason": status.value})
        store.add_internal(desk.id, answer.id, OBSERVATION, "x", text=f"seen {status}", meta={"n": 1})
        desk.say(at, "edited", replaces_id=message.id)
        at = answer.id
    store.set_label(desk.id, at, "the one")
    store.add_branch(
        desk.id,
        [
            IncomingNode("agent_message", None, "zoe", "imported", created_at=5, source_id="a"),
            IncomingNode("assistant_response", 0, "m", "cut o", Status.LENGTH, 6, source_id="b", detail={"why": "x"}),
            IncomingNode("observation", 1, "x", "seen elsewhere", created_at=7, meta={"n": 2}),
        ],
    )
    open_answer = desk.begin(desk.say(at, "again").id)
    store.add_text(desk.id, open_answer.id, "Dear")


def all_read(store: Store) -> list[list[Node] | list[Interaction] | ShownTree]:
    """Return what every way of reading gives for the conversations of both agents."""
    found: list[list[Node] | list[Interaction] | ShownTree] = []
    for agent in ("camille", "noah"):
        conversation = store.conversation(agent, "T-80005").id
        nodes = store.nodes(conversation)
        found += [nodes, [store.node(conversation, node.id) for node in nodes], store.shown(conversation)]
        for node in nodes:
            found += [store.path(conversation, node.id), store.branch(conversation, node.id)]
    return found


def desks(store: Store) -> tuple[Desk, Desk]:
    """Fill the conversations of two agents."""
    both = a_desk(store), a_desk(store, agent="noah")
    for desk in both:
        many_ends(desk)
    return both


def different(database: Path) -> list[tuple[int, int]]:
    with raw(database) as connection:
        return connection.execute(DIFFERENT).fetchall()


def without_guards(connection: sqlite3.Connection) -> None:
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")


@pytest.mark.parametrize("gone", ["1", "interaction_id % 2", "external = 0", "seq = (SELECT max(seq) FROM reading)"])
def test_everything_is_read_alike_whatever_is_missing_of_the_copies(database: Path, gone: str) -> None:
    with closing(open_store(database, clock=Clock())) as store:
        desks(store)
        before = all_read(store)
    assert different(database) == []

    with raw(database) as connection:
        without_guards(connection)
        assert connection.execute(f"DELETE FROM reading WHERE {gone}").rowcount
    with closing(open_store(database, clock=Clock())) as store:
        assert all_read(store) == before


def test_a_path_in_a_large_tree_is_that_of_a_small_one(file_store: Store) -> None:
    desk = a_desk(file_store)
    message = desk.say(desk.ticket_node, "the first")
    answer = desk.answer(message.id, "Dear Sophie")
    before = file_store.branch(desk.id, answer.id)
    for number in range(40):
        desk.say(desk.ticket_node, f"another {number}")

    after = file_store.branch(desk.id, answer.id)

    assert [entry.content for entry in after] == [entry.content for entry in before]
    assert [(entry.node.n, entry.node.m) for entry in after] == [(1, 1), (1, 1), (1, 41), (1, 1)]
    assert [entry.node for entry in after] == [file_store.node(desk.id, entry.id) for entry in before]


def test_an_erased_conversation_is_read_as_before_without_its_words(database: Path) -> None:
    with closing(open_store(database, clock=Clock())) as store:
        for desk in desks(store):
            store.finish(desk.id, store.nodes(desk.id)[-1].id, Status.COMPLETE, {})
        before = store.nodes(store.conversation("camille", "T-80005").id)
        store.close_ticket("T-80005", "camille")
        store.erase("T-80005", "camille", "asked for")
        after = store.nodes(before[0].conversation_id)
        assert all(node.erased and "erased" in node.preview for node in after)
        assert [(node.id, node.parent_id, node.n, node.m, node.status) for node in after] == [
            (node.id, node.parent_id, node.n, node.m, node.status) for node in before
        ]
    with raw(database) as connection:
        assert connection.execute("SELECT count(*) FROM reading").fetchone() == (0,)
    assert different(database) == []


def test_a_record_from_before_is_taken_over(database: Path) -> None:
    with closing(open_store(database, clock=Clock())) as store:
        desks(store)
        before = all_read(store)
    with raw(database) as connection:
        connection.execute("DROP TRIGGER reading_follows")
        connection.execute("DROP TRIGGER erasure_acts")
        connection.execute("DROP TABLE reading")
        for statement in read_indexes.statements():
            connection.execute(statement)
        connection.execute(f"DELETE FROM _sqlite_migrations WHERE name = '{m010_reading_table.__name__}'")

    with closing(open_store(database, clock=Clock())) as store:
        assert all_read(store) == before
        assert verify(store).holds, "the schema is that of a new record"
    assert different(database) == []


@pytest.mark.parametrize("column", ["preview", "author", "meta", "status", "detail", "kind"])
def test_no_copy_can_be_added_that_is_none(database: Path, file_store: Store, column: str) -> None:
    desk = a_desk(file_store)
    desk.say(desk.ticket_node)
    with raw(database) as connection:
        names = [name for _, name, *_ in connection.execute("PRAGMA table_info(reading)")]
        values = ", ".join("'x'" if name == column else "99" if name == "seq" else name for name in names)
        with pytest.raises(sqlite3.IntegrityError, match="refused:foreign"):
            connection.execute(f"INSERT INTO reading SELECT {values} FROM reading LIMIT 1")


def test_no_copy_can_be_added_before_an_answer_has_ended(database: Path, file_store: Store) -> None:
    desk = a_desk(file_store)
    node = desk.begin(desk.ticket_node)
    with raw(database) as connection, pytest.raises(sqlite3.IntegrityError, match="refused:foreign"):
        connection.execute(
            "INSERT INTO reading SELECT conversation_id, external, seq, id, parent_id, kind, depth, created_at,"
            " replaces_id, 'x', '{}', 'complete', '{}', 'forged' FROM interaction WHERE id = ?",
            (node.id,),
        )
    file_store.finish(desk.id, node.id, Status.COMPLETE, {})
    assert file_store.node(desk.id, node.id).author == "built-in"


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE reading SET preview = 'x' WHERE seq = 3",
        "UPDATE reading SET author = 'x' WHERE seq = 3",
        "UPDATE reading SET status = 'error' WHERE seq = 3",
        "UPDATE reading SET parent_id = 1 WHERE seq = 3",
        "UPDATE reading SET seq = 99 WHERE seq = 3",
        "DELETE FROM reading WHERE seq = 3",
        "INSERT INTO reading SELECT conversation_id, external, 99, interaction_id, parent_id, kind, depth, created_at,"
        " replaces_id, author, meta, status, detail, preview FROM reading WHERE seq = 3",
    ],
)
def test_a_changed_copy_is_found(database: Path, change: str) -> None:
    with closing(open_store(database, clock=Clock())) as store:
        desk = a_desk(store)
        message = desk.say(desk.ticket_node)
    with raw(database) as connection:
        schema = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        without_guards(connection)
        connection.execute(change)
        for _, sql in schema:
            connection.execute(sql)

    assert (desk.id, message.id) in different(database)
    with closing(open_store(database, clock=Clock())) as store:
        (broken,) = verify(store).breaks
        assert broken.place.node_id == message.id
        assert "lists and paths show" in broken.what
