"""The index says what the record says: after a crash, after an erasure, and when it is filled from an older record."""

from contextlib import closing
from pathlib import Path
from subprocess import Popen

import pytest
from canaries import traces
from desks import Clock, Desk, a_desk, a_ticket
from raw_record import raw
from record_worker import worker

from storage.interactions import IncomingNode, Status
from storage.search.words import keys
from storage.sqlite.engine import FileEngine
from storage.sqlite.schema.versions import m011_label_search
from storage.sqlite.search_index import fill
from storage.sqlite_store import open_store
from storage.store import Store


def line_of(process: "Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def assert_in_step(database: Path) -> None:
    """Every ended node with words has its entry, no other has, and FTS5 finds its index equal to the entries."""
    with raw(database) as connection:
        contents: dict[int, str] = {}
        for node_id, text in connection.execute(
            "SELECT i.id, p.text FROM interaction i JOIN final f ON f.interaction_id = i.id"
            " JOIN payload p ON p.interaction_id = i.id WHERE i.external = 1 ORDER BY i.id, p.piece"
        ):
            contents[node_id] = contents.get(node_id, "") + text
        indexed = dict(
            connection.execute(
                "SELECT interaction_id, words FROM search_entry WHERE interaction_id IS NOT NULL AND label_id IS NULL"
            )
        )
        assert indexed.keys() == {node_id for node_id, text in contents.items() if keys(text)}
        for node_id, words in indexed.items():
            assert [word.partition(":")[2] for word in words.split()[:-1]] == keys(contents[node_id])
        labels = connection.execute(
            "SELECT l.label, e.words FROM node_label l LEFT JOIN search_entry e"
            " ON (e.label_id, e.conversation_id, e.interaction_id) = (l.id, l.conversation_id, l.interaction_id)"
        ).fetchall()
        for label, words in labels:
            assert [word.partition(":")[2] for word in (words or "").split()[:-1]] == keys(label)
        connection.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")


@pytest.mark.parametrize("lines", [1, 5, 9])
def test_a_kill_while_messages_are_added_leaves_the_index_in_step(database: Path, lines: int) -> None:
    with closing(open_store(database)) as store:
        store.save_ticket(a_ticket())
    with worker("append_aloud", database, "camille") as process:
        for _ in range(lines):
            line_of(process)
        process.kill()
        process.wait()

    assert_in_step(database)
    with closing(open_store(database)) as store:
        assert len(store.search("camille", "camille", limit=100)) >= lines
        assert store.search("camille", f"camille {lines - 1}")


def test_an_answer_whose_writer_was_killed_is_found_when_it_is_closed(database: Path, file_desk: Desk) -> None:
    with worker("stream", database, "camille") as process:
        assert line_of(process) == "shown"
        process.kill()
        process.wait()
    assert_in_step(database)
    assert file_desk.store.search("camille", "dear sophie") == []

    (closed,) = file_desk.store.close_crashed()

    assert [hit.node_id for hit in file_desk.store.search("camille", "dear sophie")] == [closed.id]
    assert_in_step(database)


def test_a_refused_write_leaves_no_entry(file_desk: Desk, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = file_desk.begin(file_desk.ticket_node)
    file_desk.store.add_text(file_desk.id, answer.id, "half done")

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("storage.sqlite.nodes.one_node", fails)
    with pytest.raises(Exception, match="disk is full"):
        file_desk.store.finish(file_desk.id, answer.id, Status.COMPLETE, {})
    monkeypatch.undo()

    assert file_desk.store.search("camille", "half") == []
    assert_in_step(database)


def test_erased_words_are_not_found_and_all_others_are(file_store: Store, database: Path) -> None:
    desks = [
        a_desk(file_store, agent=agent, ticket=a_ticket(ticket, "please help", subject="hammock"))
        for ticket in ("T-1", "T-2")
        for agent in ("camille", "noah")
    ]
    for desk in desks:
        desk.ask(desk.ticket_node, "please shorten")
        for label in ("sooner", "later"):
            desk.store.set_label(desk.id, desk.ticket_node, label)

    file_store.erase("T-1", "camille", "the customer asked for it")

    for agent in ("camille", "noah"):
        for query in ("please", "hammock", "shorten", "dear", "later", "T-1", "t"):
            assert {hit.ticket_id for hit in file_store.search(agent, query)} <= {"T-2"}, query
        assert len(file_store.search(agent, "please")) == 2
        assert file_store.search(agent, "plea", unfinished=True) == file_store.search(agent, "please")
    assert_in_step(database)


def test_an_erasure_leaves_no_word_that_divides_pages_of_the_index(file_store: Store, database: Path) -> None:
    gone, kept = (a_desk(file_store, ticket=a_ticket(ticket)) for ticket in ("T-1", "T-2"))
    for desk, word in ((gone, "zqdivider"), (kept, "kept")):
        texts = [" ".join(f"{block:03d}{word}{number:02d}" for number in range(40)) for block in range(150)]
        file_store.add_branch(desk.id, [IncomingNode("agent_message", None, "camille", text) for text in texts])
    with raw(database) as connection:
        connection.execute("INSERT INTO search (search) VALUES ('optimize')")
        dividing = [term for (term,) in connection.execute("SELECT term FROM search_idx") if b"zqdivider" in term]
        assert dividing, "else the test shows nothing"

    file_store.erase("T-1", "camille", "the customer asked for it")

    assert traces(database, ["zqdivider"]) == set()
    assert_in_step(database)
    assert len(file_store.search("camille", "149kept39")) == 1


def test_an_erasure_leaves_no_word_where_the_index_has_grown_past_what_earlier_erasures_left(
    file_store: Store, database: Path
) -> None:
    def hear(ticket: str, *words: str) -> None:
        file_store.save_ticket(a_ticket(ticket, " ".join(words)))

    # Each erasure merges the index on a level above. A larger text then brings all of it down, and the levels stay.
    hear("T-kept", *(f"{number:04d}kept" for number in range(800)))
    for number in range(3):
        hear(f"T-{number}", "early")
        file_store.erase(f"T-{number}", "camille", "the customer asked for it")
    hear("T-large", *(f"large{number:05d}" for number in range(4_000)))
    hear("T-gone", "zqlate")

    file_store.erase("T-gone", "camille", "the customer asked for it")

    assert traces(database, ["zqlate"]) == set()
    assert_in_step(database)
    assert len(file_store.search("camille", "0799kept")) == 1


def test_an_older_record_is_indexed_as_a_new_one_would_have_been(file_store: Store, database: Path) -> None:
    for ticket in ("T-1", "T-2"):
        desk = a_desk(file_store, ticket=a_ticket(ticket, "first please", subject="hammock"))
        file_store.save_ticket(a_ticket(ticket, "first please", "second please", subject="hammock"))
        desk.ask(desk.ticket_node, "please")
    before = what_is_found(file_store)
    file_store.close()
    with raw(database) as connection:
        connection.execute("DROP TRIGGER search_entry_no_delete")
        connection.execute("DELETE FROM search_entry")
        connection.execute("INSERT INTO search (search) VALUES ('rebuild')")

    engine = FileEngine(database, 10)
    engine.write(fill)
    engine.close()

    with closing(open_store(database, clock=Clock())) as store:
        assert what_is_found(store) == before
    assert_in_step(database)


def test_the_labels_of_an_older_record_are_found(file_store: Store, database: Path) -> None:
    desk = a_desk(file_store)
    for label in ("?!", "refund", "refund version"):
        file_store.set_label(desk.id, desk.ticket_node, label)
    before = file_store.search("camille", "refund")
    file_store.close()
    with raw(database) as connection:
        connection.execute("DROP TRIGGER search_entry_no_delete")
        connection.execute("DELETE FROM search_entry WHERE label_id IS NOT NULL")
        connection.execute("DROP TRIGGER search_entry_label_guard")
        connection.execute("DROP INDEX search_entry_label")
        connection.execute("ALTER TABLE search_entry DROP COLUMN label_id")
        connection.execute("INSERT INTO search (search) VALUES ('rebuild')")
        connection.execute(f"DELETE FROM _sqlite_migrations WHERE name = '{m011_label_search.__name__}'")

    with closing(open_store(database, clock=Clock())) as store:
        assert store.search("camille", "refund") == before
    assert_in_step(database)


def what_is_found(store: Store) -> list[set[tuple[str, int | None, int | None]]]:
    queries = ("please", "hammock", "dear", "T-1")
    return [{(hit.ticket_id, hit.node_id, hit.position) for hit in store.search("camille", query)} for query in queries]
