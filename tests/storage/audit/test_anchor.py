"""An anchored head shows what the record alone cannot."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from audited_record import Audited, a_request
from desks import Desk
from raw_record import raw
from tampering import remove, rewrite_chain, tampered

from storage.audit.anchor import Anchor, anchor_record, read_anchor
from storage.audit.hashing import REQUEST_FIELDS
from storage.audit.verification import NEEDS_AN_ANCHOR
from storage.errors import UnreadableError
from storage.sqlite_store import open_store
from storage.values import Json, JsonObject


@pytest.fixture
def anchor(record: Audited) -> Anchor:
    with closing(open_store(record.database)) as store:
        return anchor_record(store, 7)


def test_what_is_added_later_is_counted_and_holds(record: Audited, anchor: Anchor) -> None:
    assert (anchor.links, len(anchor.heads)) == (24, 2)
    with closing(open_store(record.database)) as store:
        desk = Desk(store, store.conversation("camille", "T-1"))
        a_request(store, desk, desk.ask(record.answer))
        store.open_conversation("zoe", "T-1")
    found = record.verify(anchor)
    assert found.breaks == ()
    assert found.anchored is not None
    assert found.anchored.as_json() == {"made_at": 7, "conversations": 2, "links": 24, "added": 4}
    assert not set(NEEDS_AN_ANCHOR) & set(found.not_proved)


def test_a_conversation_written_anew_with_all_its_hashes_is_found_by_the_anchor_alone(
    record: Audited, anchor: Anchor
) -> None:
    with tampered(record.database) as connection:
        connection.execute("UPDATE interaction SET created_at = created_at - 9 WHERE id = ?", (record.shorter,))
        rewrite_chain(connection, record.conversation)
    assert record.verify().holds
    (found,) = record.verify(anchor).breaks
    assert found.what == "Link 16 is not the one that was anchored: the conversation was written anew."
    assert found.place.conversation_id == record.conversation


def test_an_end_that_was_cut_off_without_a_trace_is_found_by_the_anchor_alone(record: Audited, anchor: Anchor) -> None:
    with tampered(record.database) as connection:
        remove(connection, connection.execute("SELECT max(id) FROM interaction").fetchone()[0])
    assert record.verify().holds
    (found,) = record.verify(anchor).breaks
    assert found.what == "It was anchored with 8 links and has fewer now: its end was cut off."
    assert (found.place.conversation_id, found.since) == (record.others, 7)


def test_an_earlier_copy_that_was_put_back_is_found_by_the_anchor_alone(record: Audited, tmp_path: Path) -> None:
    shutil.copy(record.database, tmp_path / "earlier.db")
    with closing(open_store(record.database)) as store:
        Desk(store, store.conversation("camille", "T-1")).ask(record.answer)
        later = anchor_record(store, 8)
    shutil.copy(tmp_path / "earlier.db", record.database)
    assert record.verify().holds
    (found,) = record.verify(later).breaks
    assert "has fewer now" in found.what


def test_a_conversation_that_is_gone_is_found(record: Audited, anchor: Anchor) -> None:
    with tampered(record.database) as connection:
        nodes = connection.execute("SELECT id FROM interaction WHERE conversation_id = ?", (record.others,)).fetchall()
        for (node,) in nodes:
            remove(connection, node)
        connection.execute("DELETE FROM conversation WHERE id = ?", (record.others,))
    assert [each.what for each in record.verify(anchor).breaks if each.place.conversation_id] == [
        f"Conversation {record.others} was anchored with 8 links and is gone."
    ]


def test_a_request_that_is_rewritten_with_its_digest_is_found_by_the_anchor_alone(
    record: Audited, anchor: Anchor
) -> None:
    body = b"{}"
    with tampered(record.database) as connection:
        connection.execute("UPDATE wire SET data = ? WHERE direction = 'sent'", (body,))
        connection.execute(
            "UPDATE request SET body_sha256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'"
        )
    assert record.verify().holds
    (found,) = record.verify(anchor).breaks
    assert found.what == "The first 2 requests are not those that were anchored."


@pytest.mark.parametrize(
    "change",
    [
        "interaction_id = {short_answer}",
        "interaction_id = {question}, attempt = 7",
        "sent_at = sent_at - 1",
        "task = 'shorten'",
        "model = 'another'",
        "plan = '{{\"total\":1}}'",
    ],
)
def test_a_request_that_is_moved_or_has_another_time_task_model_or_plan_is_found_by_the_anchor_alone(
    record: Audited, anchor: Anchor, change: str
) -> None:
    with tampered(record.database) as connection:
        connection.execute(f"UPDATE request SET {change} WHERE id = {record.request}".format(**vars(record)))
    assert record.verify().holds
    (found,) = record.verify(anchor).breaks
    assert found.what == "The first 2 requests are not those that were anchored."
    assert found.place.conversation_id == record.conversation


def test_two_requests_whose_answers_are_swapped_are_found_by_the_anchor_alone(record: Audited) -> None:
    with closing(open_store(record.database)) as store:
        desk = Desk(store, store.conversation("camille", "T-1"))
        a_request(store, desk, store.node(desk.id, record.short_answer), body=b"{}")
        anchor = anchor_record(store, 7)
    with tampered(record.database) as connection:
        for request, attempt, node in ((3, 9, record.answer), (1, 1, record.short_answer), (3, 1, record.answer)):
            connection.execute(
                "UPDATE request SET interaction_id = ?, attempt = ? WHERE id = ?", (node, attempt, request)
            )
    assert record.verify().holds
    (found,) = record.verify(anchor).breaks
    assert found.what == "The first 3 requests are not those that were anchored."


def test_the_hash_of_a_request_covers_all_that_is_stored_beside_its_bytes(record: Audited) -> None:
    with raw(record.database) as connection:
        columns = {name for (name,) in connection.execute("SELECT name FROM pragma_table_info('request')")}
    assert {"node_id", "conversation_id", *columns} - {"interaction_id"} == {"conversation_id", *REQUEST_FIELDS}


@pytest.mark.parametrize("is_erased", [False, True], ids=["kept", "erased"])
def test_requests_that_are_gone_are_found(record: Audited, anchor: Anchor, is_erased: bool) -> None:
    if is_erased:
        with closing(open_store(record.database)) as store:
            store.erase("T-1", "camille", "asked for it")
    with tampered(record.database) as connection:
        for table in ("call_figures", "wire", "response"):
            connection.execute(f"DELETE FROM {table} WHERE request_id = 2")
        connection.execute("DELETE FROM request WHERE id = 2")
    assert [each.what for each in record.verify(anchor).breaks] == ["It was anchored with 2 requests and has 1 now."]


def test_an_anchor_still_fits_after_an_erasure(record: Audited, anchor: Anchor) -> None:
    with closing(open_store(record.database)) as store:
        store.erase("T-1", "camille", "asked for it")
    assert record.verify(anchor).breaks == ()


def test_an_anchor_is_read_back_as_it_was_written_and_holds_no_words(record: Audited, anchor: Anchor) -> None:
    written = json.dumps(anchor.as_json())
    assert read_anchor(json.loads(written)) == anchor
    assert "T-1" not in written
    assert "camille" not in written


def test_an_anchor_of_one_conversation_is_compared_with_that_alone(record: Audited) -> None:
    with closing(open_store(record.database)) as store:
        alone = anchor_record(store, 7, record.conversation)
    found = record.verify(alone)
    assert found.breaks == ()
    assert found.anchored is not None
    assert (found.anchored.conversations, found.anchored.links, found.anchored.added) == (1, 16, 0)


def test_an_anchor_that_was_changed_or_is_none_is_refused(anchor: Anchor) -> None:
    changed: JsonObject = {**anchor.as_json(), "conversations": []}
    with pytest.raises(UnreadableError, match="was changed"):
        read_anchor(changed)
    with pytest.raises(UnreadableError, match=r"of version 1, .*make a new one: `ticketree audit anchor -o FILE`"):
        read_anchor({**anchor.as_json(), "version": 1})
    no_anchors: tuple[Json, ...] = ([], {}, {**anchor.as_json(), "version": "2"})
    for document in no_anchors:
        with pytest.raises(UnreadableError, match="no anchor"):
            read_anchor(document)
    with pytest.raises(UnreadableError, match="no head of a conversation"):
        read_anchor({**anchor.as_json(), "conversations": [{"conversation": 1}]})
