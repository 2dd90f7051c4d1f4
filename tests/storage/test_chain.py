"""The hash chain holds over everything that was added, and breaks where the file was changed behind our back."""

from contextlib import closing
from pathlib import Path

import pytest
from desks import Clock, Desk, a_desk, a_ticket
from hypothesis import given
from hypothesis import strategies as st
from raw_record import broken_links, raw

from storage.chain import GENESIS, canonical_json, commitment, final_hash, interaction_hash
from storage.interactions import Status
from storage.kinds import InteractionKind
from storage.sqlite_store import open_store
from storage.values import JsonObject

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def test_canonical_json_is_one_way_to_write_a_value() -> None:
    assert canonical_json({"b": [1, True, None], "a": "é\ud800\0\n"}) == '{"a":"é\ufffd\\u0000\\n","b":[1,true,null]}'
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))


@given(st.dictionaries(st.text(max_size=5), json_values, max_size=4))
def test_the_order_of_keys_does_not_matter(value: dict[str, None]) -> None:
    assert canonical_json(dict(reversed(value.items()))) == canonical_json(value)


def test_a_commitment_depends_on_salt_fields_and_words() -> None:
    made = {
        commitment(salt, fields, words)
        for salt in (b"a" * 16, b"b" * 16)
        for fields in ("{}", '{"a":1}')
        for words in ("", "x", "\0x")
    }

    assert len(made) == 12


INTERACTION: JsonObject = {
    "link": 1, "id": 1, "seq": 1, "kind": "root", "external": 1, "node_count": 1, "parent_id": None, "depth": 0,
    "snapshot": None, "created_at": 1, "replaces_id": None, "writer": None,
}  # fmt: skip
FINAL: JsonObject = {"link": 2, "interaction_id": 1, "status": "complete", "pieces": 0, "ended_at": 1}


@pytest.mark.parametrize("name", INTERACTION)
def test_each_field_of_an_interaction_is_in_its_hash(name: str) -> None:
    changed = {**INTERACTION, name: "other"}

    assert interaction_hash(GENESIS, changed, b"c") != interaction_hash(GENESIS, INTERACTION, b"c")


@pytest.mark.parametrize("name", FINAL)
def test_each_field_of_an_end_is_in_its_hash(name: str) -> None:
    assert final_hash(GENESIS, {**FINAL, name: "other"}, b"c") != final_hash(GENESIS, FINAL, b"c")


def test_the_link_before_and_the_commitment_are_in_the_hash() -> None:
    assert interaction_hash(b"x" * 32, INTERACTION, b"c") != interaction_hash(GENESIS, INTERACTION, b"c")
    assert interaction_hash(GENESIS, INTERACTION, b"c") != interaction_hash(GENESIS, INTERACTION, b"d")
    assert final_hash(GENESIS, FINAL, b"c") != final_hash(GENESIS, FINAL, b"d")


def written(database: Path) -> int:
    with closing(open_store(database, clock=Clock())) as store:
        desk = a_desk(store)
        answer = desk.ask(desk.ticket_node, "shorter \0 \ud800")
        running = desk.begin(answer.id)
        store.add_internal(desk.id, running.id, InteractionKind("tool_call", False), "tool", text="x", meta={"a": 1})
        store.add_text(desk.id, running.id, "Dear ")
        store.finish(desk.id, running.id, Status.INTERRUPTED, {"why": "é"})
        store.save_ticket(a_ticket("T-80005", "Where is my hammock?", "It came."))
        store.add_snapshot(desk.id, running.id, 2)
        return desk.id


def test_the_chain_holds_over_every_kind_of_entry(database: Path) -> None:
    conversation = written(database)

    with raw(database) as connection:
        assert broken_links(connection, conversation) == []
        assert connection.execute("SELECT count(*) FROM interaction").fetchone()[0] == 7


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("payload", "UPDATE payload SET text = replace(text, 'Dear', 'Deer')"),
        ("payload", "DELETE FROM payload WHERE piece = 2"),
        ("interaction", "UPDATE interaction SET created_at = 1 WHERE seq = 3"),
        ("interaction", "UPDATE interaction SET snapshot = 1 WHERE snapshot = 2"),
        ("heading", "UPDATE heading SET author = 'noah' WHERE interaction_id = 3"),
        ("heading", "UPDATE heading SET meta = '{}' WHERE interaction_id = 2"),
        ("final", "UPDATE final SET status = 'complete' WHERE status = 'interrupted'"),
        ("seal", "UPDATE seal SET salt = zeroblob(16)"),
        ("seal", "UPDATE seal SET detail = '{}'"),
    ],
)
def test_the_chain_breaks_where_the_file_was_changed(database: Path, table: str, change: str) -> None:
    conversation = written(database)

    with raw(database) as connection:
        connection.execute(f"DROP TRIGGER {table}_no_update")
        connection.execute(f"DROP TRIGGER {table}_no_delete")
        connection.execute(change)
        assert broken_links(connection, conversation) != []


def test_two_conversations_have_chains_of_their_own(file_desk: Desk, database: Path) -> None:
    other = a_desk(file_desk.store, agent="noah")
    file_desk.ask(file_desk.ticket_node)
    other.ask(other.ticket_node)
    file_desk.ask(file_desk.ticket_node)

    with raw(database) as connection:
        assert broken_links(connection, file_desk.id) == broken_links(connection, other.id) == []
