"""Entries of the index that were lost are made from the record; what was erased stays out of it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from desks import Clock, a_desk, a_ticket
from raw_record import raw

from storage.audit.verification import verify
from storage.errors import StorageError
from storage.search.renewal import Renewal
from storage.sqlite.driver import sqlite3
from storage.sqlite_store import open_store
from storage.store import Store

WORDS = ("please", "hammock", "kettle", "shorten", "dear", "later", "T-1", "t")


@pytest.fixture
def record(database: Path) -> Iterator[Store]:
    """A record with all that is indexed, with what shares its words or has none, and with an erased ticket."""
    with closing(open_store(database, clock=Clock())) as store:
        for ticket in ("T-1", "T-gone", "T-2"):
            desk = a_desk(store, ticket=a_ticket(ticket, "first please", subject="hammock"))
            desk.ask(desk.ticket_node, "please shorten")
            store.set_label(desk.id, desk.ticket_node, "please label")
            for subject, more in (("hammock", "second"), ("kettle", "third"), ("hammock", "fourth")):
                texts = ("first please", f"{more} please")
                store.save_ticket(a_ticket(ticket, *texts, subject=subject))
            for text in ("?!", "sooner please"):
                desk.say(desk.ticket_node, text)
            for label in ("", "…", "later"):
                store.set_label(desk.id, desk.ticket_node, label)
            if ticket == "T-gone":
                store.erase(ticket, "camille", "asked by mail")
        store.add_text(desk.id, desk.begin(desk.ticket_node).id, "please wait")
        yield store


def entries(database: Path) -> list[tuple[object, ...]]:
    with raw(database) as connection:
        return connection.execute("SELECT * FROM search_entry ORDER BY id").fetchall()


def lose(database: Path, which: str) -> int:
    """Take entries away, as nothing but raw SQL can, and return how many."""
    with raw(database) as connection:
        (guard,) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'search_entry_no_delete'").fetchone()
        connection.execute("DROP TRIGGER search_entry_no_delete")
        gone = connection.execute(f"DELETE FROM search_entry WHERE {which}").rowcount
        connection.execute(guard)
    return gone


def found(store: Store) -> list[list[tuple[str, int | None, int | None, str]]]:
    return [
        [(hit.ticket_id, hit.node_id, hit.position, hit.snippet) for hit in store.search("camille", word, limit=100)]
        for word in WORDS
    ]


@pytest.mark.parametrize(
    "which",
    [
        "true",
        "id > 5",
        "id % 3 = 1",
        "snapshot IS NOT NULL",
        "message_id IS NOT NULL",
        "label_id IS NOT NULL",
        "interaction_id IS NOT NULL AND label_id IS NULL",
    ],
)
def test_lost_entries_are_made_from_the_record_in_their_order(record: Store, database: Path, which: str) -> None:
    before, hits = entries(database), found(record)
    gone = lose(database, which)
    assert gone
    (too_many, lacking) = (finding.what for finding in verify(record).breaks)
    assert f"has {gone} entries too many" in too_many
    assert f"no entry for {gone} texts of the record" in lacking
    with raw(database) as connection:
        connection.execute("INSERT INTO search (search) VALUES ('rebuild')")
    assert [finding.what for finding in verify(record).breaks] == [lacking]

    assert record.reindex() == Renewal(len(before), added=gone)

    assert [row[1:] for row in entries(database)] == [row[1:] for row in before]
    assert found(record) == hits
    assert all(hits)
    assert verify(record).holds
    assert record.reindex() == Renewal(len(before), added=0)


def test_a_lost_entry_whose_place_is_taken_is_found_all_the_same(record: Store, database: Path) -> None:
    hits = found(record)
    assert lose(database, "id = 2") == 1
    with raw(database) as connection:
        connection.execute("DROP TRIGGER search_entry_no_update")
        connection.execute("UPDATE search_entry SET id = 2 WHERE id = (SELECT max(id) FROM search_entry)")

    assert record.reindex().added == 1

    assert [sorted(map(repr, hit)) for hit in found(record)] == [sorted(map(repr, hit)) for hit in hits]


def test_words_put_where_an_erasure_took_all_away_get_no_entry(record: Store, database: Path) -> None:
    before = len(entries(database))
    with raw(database) as connection:
        (key,) = connection.execute("SELECT id FROM ticket WHERE name = 'T-gone'").fetchone()
        connection.execute("DROP TRIGGER ticket_message_not_erased")
        connection.execute(
            "INSERT INTO ticket_message (ticket_id, digest, source_id, author, role, text, created_at, internal,"
            " attachments, hidden_count) VALUES (?, 'd', '', 'a', 'customer', 'please', NULL, 0, '[]', 0)",
            (key,),
        )

    assert record.reindex() == Renewal(before, added=0)


@pytest.mark.parametrize("table", ["search_config", "search_data", "search_idx"])
def test_an_index_whose_own_tables_were_emptied_is_made_anew(database: Path, record: Store, table: str) -> None:
    before, hits = entries(database), found(record)
    with raw(database) as connection:
        connection.execute(f"DELETE FROM {table}")

    with closing(open_store(database, clock=Clock())) as store:
        if table != "search_idx":
            with pytest.raises(StorageError, match=r"index of the search in .* is damaged; `ticketree reindex` writes"):
                found(store)
            assert any("`ticketree reindex` writes it anew" in finding.what for finding in verify(store).breaks)
        assert store.reindex() == Renewal(len(before), added=0)
        assert found(store) == hits
        assert verify(store).holds


def test_entries_are_guarded_while_they_are_added(record: Store, database: Path) -> None:
    lose(database, "id > 5")
    record.reindex()
    with raw(database) as connection, pytest.raises(sqlite3.IntegrityError, match="refused:immutable"):
        connection.execute("DELETE FROM search_entry")
