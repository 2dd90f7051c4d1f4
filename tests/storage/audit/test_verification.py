"""What holds, what only looks broken, and what the record cannot prove about itself."""

import string
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest
from audited_record import Audited
from desks import Clock, a_desk, a_ticket
from hypothesis import given
from hypothesis import strategies as st
from raw_record import raw
from tampering import tampered

from storage.audit.chain_walk import ChainWalk
from storage.audit.findings import Cause, Findings
from storage.audit.hashing import END_FIELDS, ENTRY_FIELDS, end_hash, entry_hash, sealed
from storage.audit.rows import ConversationRow, EndRow, EntryRow, RecordRows
from storage.audit.verification import verify
from storage.chain import commitment, final_hash, interaction_hash
from storage.interactions import Status
from storage.kinds import OBSERVATION
from storage.sqlite_store import memory_store, open_store
from storage.values import JsonObject


def test_a_record_that_nobody_touched_holds(record: Audited) -> None:
    found = record.verify()
    assert (found.breaks, found.unfinished, found.erased, found.anchored) == ((), (), 0, None)
    assert found.holds
    assert found.complete
    assert (found.conversations, found.interactions, found.links, found.requests, found.snapshots) == (2, 12, 24, 2, 1)


def test_an_empty_record_and_one_in_memory_hold(tmp_path: Path) -> None:
    with closing(open_store(tmp_path / "new.db")) as store:
        assert verify(store).holds
    desk = a_desk(memory_store(clock=Clock()))
    desk.ask(desk.ticket_node, "Was ist das?\n\0\u2028" + "é" * 300)
    assert verify(desk.store).holds


def test_an_answer_under_way_is_told_apart_from_one_whose_writer_is_gone(tmp_path: Path) -> None:
    database = tmp_path / "record.db"
    with closing(open_store(database)) as store:
        desk = a_desk(store)
        node = desk.begin(desk.ticket_node)
        store.add_text(desk.id, node.id, "Dear")
        (writing,) = verify(store).unfinished
        assert writing.what == "An answer is still being written."
        with closing(open_store(database)) as other:
            assert verify(other).unfinished == (writing,)
    with closing(open_store(database)) as store:
        found = verify(store)
        assert found.holds
        (broken_off,) = found.unfinished
        assert broken_off.cause is Cause.UNFINISHED
        assert broken_off.what.startswith("An answer broke off: its writer is gone.")
        assert broken_off.place.node_id == node.id
        store.close_crashed()
        assert verify(store).unfinished == ()


def test_what_is_written_while_it_reads_breaks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The chains and what stands beside them are read from two states of the record, and each is whole."""
    database = tmp_path / "record.db"
    with closing(open_store(database)) as store:
        desk = a_desk(store)
        other = a_desk(store, ticket=a_ticket("T-2"))
        other.answer(other.ticket_node)
        answers = [desk.begin(desk.ticket_node)]
        one_at_a_time = threading.Lock()
        read = store.audited

        def write() -> None:
            with one_at_a_time:
                store.add_text(desk.id, answers[-1].id, "Dear Sophie")
                store.add_internal(desk.id, answers[-1].id, OBSERVATION, "x", text="seen", meta={})
                store.finish(desk.id, answers[-1].id, Status.COMPLETE, {})
                answers.append(desk.begin(answers[-1].id))
                with raw(database) as connection:
                    connection.execute(
                        "INSERT INTO erasure (ticket_id, agent_id, reason, content, erased_at) SELECT id, 1, 'x', '{}',"
                        " 0 FROM ticket WHERE name = 'T-2' AND NOT EXISTS (SELECT 1 FROM erasure)"
                    )
                    connection.execute("INSERT INTO search (search) VALUES ('rebuild')")

        def audited(audit: Callable[[RecordRows], object]) -> object:
            def after_the_first_row(rows: RecordRows) -> object:
                assert next(rows.heads())
                write()
                return audit(rows)

            return read(after_the_first_row)

        monkeypatch.setattr(store, "audited", audited)
        found = verify(store)
        assert (found.breaks, found.complete, len(answers)) == ((), True, 4)
        monkeypatch.undo()
        assert verify(store).holds
        assert verify(store).erased


def test_pieces_missing_from_an_answer_under_way_are_found(tmp_path: Path) -> None:
    database = tmp_path / "record.db"
    with closing(open_store(database)) as store:
        desk = a_desk(store)
        node = desk.begin(desk.ticket_node)
        for piece in ("Dear ", "Sophie"):
            store.add_text(desk.id, node.id, piece)
    with tampered(database) as connection:
        connection.execute("DELETE FROM payload WHERE interaction_id = ? AND piece = 1", (node.id,))
    with closing(open_store(database)) as store:
        (found,) = verify(store).breaks
        assert (found.place.node_id, found.what) == (node.id, "The pieces of its content so far are not all there.")


def test_a_lawful_erasure_is_no_break(record: Audited) -> None:
    with closing(open_store(record.database)) as store:
        a_desk(store, ticket=a_ticket("T-2"))
        store.erase("T-1", "camille", "asked for it")
        found = verify(store)
    assert found.holds
    assert found.complete
    assert found.erased == 24
    assert found.requests == 2


def test_words_that_go_without_an_erasure_and_words_that_stay_after_one_are_breaks(record: Audited) -> None:
    with tampered(record.database) as connection:
        for table in ("payload", "seal", "heading"):
            connection.execute(f"DELETE FROM {table} WHERE conversation_id = ?", (record.others,))
    (found,) = record.verify().breaks
    copies_left = 4
    assert (found.place.conversation_id, found.more) == (record.others, 7 + copies_left)
    assert "gone although the ticket was not erased" in found.what
    with tampered(record.database) as connection:
        connection.execute(
            "INSERT INTO erasure (ticket_id, agent_id, reason, content, erased_at) VALUES (1, 1, 'x', '{}', 0)"
        )
    (found, *_) = [each for each in record.verify().breaks if each.place.conversation_id is not None]
    assert found.place.conversation_id == record.conversation
    assert "still there although the ticket was erased" in found.what


def test_what_cannot_be_proved_is_said(record: Audited) -> None:
    said = " ".join(record.verify().not_proved)
    assert "Whoever can write the file can rewrite a whole conversation with all its hashes" in said
    assert "Only an anchored head that was kept elsewhere shows that" in said
    assert "can also add entries at the end" in said
    assert "Requests are no links of the chain: that one was taken away, given to another answer" in said
    assert "no hash shows one that was taken away, or changed with its digest" in said
    assert "when it was opened, and when each version of it came in" in said


_TEXT = st.text(string.printable + "é\u2028\0日", max_size=40)
_NUMBER = st.integers(-(2**63), 2**63 - 1)
_HASH = st.binary(min_size=32, max_size=32)


@given(_HASH, _HASH, _NUMBER, _TEXT, st.none() | _NUMBER, st.none() | _TEXT)
def test_hashes_are_those_of_the_chain(
    before: bytes, sealed_as: bytes, number: int, text: str, maybe: int | None, writer: str | None
) -> None:
    stored, mark = text.encode(), None if writer is None else writer.encode()
    entry = EntryRow(
        1, before, b"", sealed_as, number, number, 1, number, stored, number, number, maybe, maybe, number, maybe, mark,
        None, None, None,
    )  # fmt: skip
    begun: JsonObject = {name: getattr(entry, name) for name in ENTRY_FIELDS if name != "commitment"}
    begun = {**begun, "kind": text, "writer": writer}
    assert entry_hash(entry) == interaction_hash(before, begun, sealed_as)
    end = EndRow(1, before, b"", sealed_as, number, number, number, number, stored, None, None, None, None, None)
    ended: JsonObject = {name: getattr(end, name) for name in END_FIELDS if name != "commitment"}
    assert end_hash(end) == final_hash(before, {**ended, "status": text}, sealed_as)
    assert sealed(before, stored, b"x") == commitment(before, text, "x")


@pytest.mark.parametrize(("row", "fields"), [(EntryRow, ENTRY_FIELDS), (EndRow, END_FIELDS)])
def test_rows_have_the_fields_that_hashes_cover_in_order(row: type[EntryRow | EndRow], fields: tuple[str, ...]) -> None:
    assert row._fields[3 : 3 + len(fields)] == fields


def test_links_come_in_order_and_whole_however_many_rows_they_are() -> None:
    desk = a_desk(memory_store(clock=Clock()))
    other = a_desk(desk.store, agent="noah")
    pieces = [f"{number} " for number in range(100)]
    first = desk.begin(desk.ticket_node)
    for _ in range(20):
        desk.store.add_internal(desk.id, desk.ticket_node, OBSERVATION, "x", text="seen", meta={})
    desk.store.finish(desk.id, first.id, Status.COMPLETE, {})
    long = desk.answer(first.id, *pieces)
    for _ in range(40):
        other.ask(other.ticket_node)
    links = desk.store.audited(lambda rows: list(rows.links()))
    positions = [(row.conversation_id, row.link) for row in links]
    assert positions == sorted(set(positions))
    (end,) = [row for row in links if isinstance(row, EndRow) and row.interaction_id == long.id]
    assert [(end.number, end.data), *(end.more or ())] == [(at, text.encode()) for at, text in enumerate(pieces, 1)]
    assert verify(desk.store).holds


def test_a_commitment_that_is_no_bytes_is_named(record: Audited) -> None:
    with closing(open_store(record.database)) as store:
        root, *_ = store.audited(lambda rows: list(rows.links(record.conversation)))
    findings = Findings()
    assert isinstance(root, EntryRow)
    walk = ChainWalk(ConversationRow(root.conversation_id, "camille", "T-1", 0, erased=False), {}, findings)
    walk.follow([root._replace(commitment=cast(bytes, "ab"))])
    (found,) = findings.all()
    assert found.what == "Its time, its position or a hash is not of the type that the schema keeps."
    assert walk.links == 0
