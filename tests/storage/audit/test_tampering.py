"""Whatever is changed behind Ticketree's back is found, and named with its place and time."""

from collections.abc import Callable
from contextlib import closing

import pytest
from audited_record import Audited
from raw_record import raw
from tampering import move_links, remove, rewrite_chain, swap_contents, swap_links, tampered

from storage.audit.findings import Cause, Finding
from storage.search.renewal import Renewal
from storage.sqlite.driver import sqlite3
from storage.sqlite_store import open_store

Tamper = Callable[[sqlite3.Connection, Audited], object]


def both(*steps: Tamper) -> Tamper:
    """One after the other."""

    def tamper(connection: sqlite3.Connection, at: Audited) -> None:
        for step in steps:
            step(connection, at)

    return tamper


def sql(statement: str, *values: str | int | bytes) -> Tamper:
    """One statement; {answer} and the like are the ids of the record's nodes."""
    return lambda connection, at: connection.execute(statement.format(**vars(at)), values)


# Each: what is done, what is said of it, and the node that is named.
CASES: dict[str, tuple[Tamper, str, str]] = {
    "a letter of a content is changed": (
        sql("UPDATE payload SET text = 'Fear Sophie, ' WHERE interaction_id = {answer} AND piece = 1"),
        "Its content, or how it ended, does not fit its commitment",
        "answer",
    ),
    "a bit of a content is flipped, so that it is no text any more": (
        sql("UPDATE payload SET text = CAST(x'C4656172' AS TEXT) WHERE interaction_id = {answer} AND piece = 1"),
        "Its content, or how it ended, does not fit its commitment",
        "answer",
    ),
    "a piece of a content is taken away": (
        sql("DELETE FROM payload WHERE interaction_id = {answer} AND piece = 2"),
        "Its content has the pieces 1, 3 where its end counts 3",
        "answer",
    ),
    "a piece is added to a content": (
        sql("INSERT INTO payload VALUES ({conversation}, {answer}, 4, 'x')"),
        "Its content has the pieces 1, 2, 3, 4 where its end counts 3",
        "answer",
    ),
    "two pieces of a content are joined": (
        both(
            sql(
                "UPDATE payload SET text = 'Dear Sophie, votre colis est en route, ' WHERE interaction_id = {answer}"
                " AND piece = 1"
            ),
            sql("DELETE FROM payload WHERE interaction_id = {answer} AND piece = 2"),
        ),
        "Its content has the pieces 1, 3 where its end counts 3",
        "answer",
    ),
    "a content is taken away whole": (
        sql("DELETE FROM payload WHERE interaction_id = {answer}"),
        "Its content has the pieces none where its end counts 3",
        "answer",
    ),
    "two contents are swapped": (
        lambda connection, at: swap_contents(connection, at.question, at.shorter),
        "Its content, or how it ended, does not fit its commitment",
        "question",
    ),
    "a seal is taken away": (
        sql("DELETE FROM seal WHERE interaction_id = {answer}"),
        "The seal of its content is gone although the ticket was not erased",
        "answer",
    ),
    "how an answer failed is rewritten": (
        sql("UPDATE seal SET detail = '{{\"x\":1}}' WHERE interaction_id = {answer}"),
        "Its content, or how it ended, does not fit its commitment",
        "answer",
    ),
    "a preview says something else": (
        sql("UPDATE seal SET preview = 'Bonjour' WHERE interaction_id = {question}"),
        "Its preview, which lists show, is not what it says",
        "question",
    ),
    "the preview of a ticket says something else": (
        sql("UPDATE seal SET preview = 'Kettle' WHERE interaction_id = {ticket_node}"),
        "Its preview, which lists show, is not what it says",
        "ticket_node",
    ),
    "another author is put in": (
        sql("UPDATE heading SET author = 'noah' WHERE interaction_id = {question}"),
        "Who wrote it, or what it was made for, does not fit its commitment",
        "question",
    ),
    "an author is taken away": (
        sql("DELETE FROM heading WHERE interaction_id = {question}"),
        "Who wrote it is gone although the ticket was not erased",
        "question",
    ),
    "a row in the middle is dropped with all that is its own": (
        lambda connection, at: remove(connection, at.shorter),
        "Links 9 to 10 are missing before it",
        "short_answer",
    ),
    "an end in the middle is dropped": (
        sql("DELETE FROM final WHERE interaction_id = {answer}"),
        "It has no end although its conversation went on",
        "answer",
    ),
    "two rows are swapped": (
        lambda connection, at: swap_links(connection, at.conversation, 5, 9),
        "It does not name the hash of the link before it",
        "shorter",
    ),
    "a row is hung below another": (
        sql("UPDATE interaction SET parent_id = {ticket_node} WHERE id = {shorter}"),
        "Its stored fields do not give the hash",
        "shorter",
    ),
    "a row is hung below another, and its hash is made to fit": (
        both(
            sql("UPDATE interaction SET parent_id = {ticket_node} WHERE id = {shorter}"),
            lambda connection, at: rewrite_chain(connection, at.conversation),
        ),
        "Its depth is not one more than that of the node it stands below",
        "shorter",
    ),
    "a row is hung below one that came later, and all hashes are made to fit": (
        both(
            sql("UPDATE interaction SET parent_id = {short_answer} WHERE id = {shorter}"),
            lambda connection, at: rewrite_chain(connection, at.conversation),
        ),
        "It cannot be reached from the root",
        "shorter",
    ),
    "a row is put in between, as it was written before": (
        both(
            lambda connection, at: move_links(connection, at.conversation, 7, 1),
            sql(
                "INSERT INTO interaction SELECT 99, conversation_id, seq + 90, kind, external, node_count, parent_id,"
                " depth, replaces_id, snapshot, created_at, writer, commitment, 7, prev_hash, hash"
                " FROM interaction WHERE id = {question}"
            ),
        ),
        "It does not name the hash of the link before it",
        "99",
    ),
    "a time is changed": (
        sql("UPDATE interaction SET created_at = created_at - 1 WHERE id = {answer}"),
        "Its stored fields do not give the hash",
        "answer",
    ),
    "the time of an end is changed": (
        sql("UPDATE final SET ended_at = ended_at + 1 WHERE interaction_id = {answer}"),
        "Its stored fields do not give the hash",
        "answer",
    ),
    "an answer is made to have ended otherwise": (
        sql("UPDATE final SET status = 'length' WHERE interaction_id = {answer}"),
        "Its stored fields do not give the hash",
        "answer",
    ),
    "a hash is made to fit, but not those after it": (
        sql("UPDATE interaction SET hash = zeroblob(32) WHERE id = {answer}"),
        "Its stored fields do not give the hash",
        "answer",
    ),
    "the conversation is said to be older than its root": (
        sql("UPDATE conversation SET created_at = created_at - 1 WHERE id = {conversation}"),
        "said to have been opened at another time than its root was",
        "root",
    ),
    "the body of a request is altered": (
        sql("UPDATE wire SET data = x'7b7d' WHERE request_id = {request} AND direction = 'sent'"),
        "The body of a request does not give its recorded SHA-256",
        "answer",
    ),
    "the digest of a request is altered": (
        sql("UPDATE request SET body_sha256 = 'ab' WHERE id = {request}"),
        "The body of a request does not give its recorded SHA-256",
        "answer",
    ),
    "the body of a request is taken away": (
        sql("DELETE FROM wire WHERE request_id = {request}"),
        "The body of a request is gone although the ticket was not erased",
        "answer",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_it_is_found_and_named(record: Audited, case: str) -> None:
    tamper, what, where = CASES[case]
    with tampered(record.database) as connection:
        tamper(connection, record)
    found = record.verify()
    (first,) = [each for each in found.breaks if each.place.conversation_id is not None]
    assert first.cause is Cause.CHANGED
    assert what in first.what
    assert first.place.conversation_id == record.conversation
    assert (first.place.agent, first.place.ticket) == ("camille", "T-1")
    assert first.place.node_id == (int(where) if where.isdigit() else getattr(record, where))
    assert first.since is not None
    assert not found.holds


def test_a_request_that_is_given_to_the_root_or_to_what_hangs_on_a_node_is_found(record: Audited) -> None:
    for kind in ("root", "observation"):
        with tampered(record.database) as connection:
            connection.execute(
                "UPDATE request SET interaction_id = (SELECT id FROM interaction i WHERE kind = ?"
                " AND i.conversation_id = request.conversation_id) WHERE id = ?",
                (kind, record.request),
            )
        (found,) = record.verify().breaks
        assert found.what == "A request is said to be sent from here, where no model is ever asked."
        assert found.place.conversation_id == record.conversation


def test_the_first_break_of_a_conversation_is_named_and_the_others_are_counted(record: Audited) -> None:
    with tampered(record.database) as connection:
        connection.execute("UPDATE interaction SET created_at = 0 WHERE conversation_id = ?", (record.conversation,))
        connection.execute("UPDATE final SET ended_at = 0 WHERE conversation_id = ?", (record.others,))
    ours, theirs = record.verify().breaks
    # Each entry has a copy that lists show, and which it differs from now; the conversation was opened with its root.
    assert (ours.place.seq, ours.place.link, ours.more) == (1, 1, 7 + 8 + 1)
    assert (theirs.place.conversation_id, theirs.place.link, theirs.more) == (record.others, 2, 3)


def test_the_last_row_is_missed_by_what_stood_beside_it(record: Audited) -> None:
    with tampered(record.database) as connection:
        last = connection.execute(
            "SELECT max(id) FROM interaction WHERE conversation_id = ?", (record.conversation,)
        ).fetchone()[0]
        connection.execute("DELETE FROM final WHERE interaction_id = ?", (last,))
        connection.execute("DELETE FROM interaction WHERE id = ?", (last,))
    said = _said(record)
    assert f"Row {last} of heading names a row of interaction that is not there." in said
    assert f"Row {last} of seal names a row of interaction that is not there." in said


def test_an_end_that_is_dropped_leaves_its_seal(record: Audited) -> None:
    with tampered(record.database) as connection:
        connection.execute("DELETE FROM final WHERE interaction_id = (SELECT max(id) FROM interaction)")
    (found,) = record.verify().breaks
    assert found.place.conversation_id == record.others
    assert found.what == "It has a seal but no end, so its end was removed."


def test_a_conversation_without_entries_is_found(record: Audited) -> None:
    with tampered(record.database) as connection:
        for (node,) in connection.execute(
            "SELECT id FROM interaction WHERE conversation_id = ?", (record.others,)
        ).fetchall():
            remove(connection, node)
    (found,) = record.verify().breaks
    assert found.what == "It has no entries, not even a root: they were removed."
    assert (found.place.agent, found.place.ticket) == ("noah", "T-1")


@pytest.mark.parametrize(
    ("statement", "agent", "ticket"),
    [
        ("UPDATE agent SET name = 'lena' WHERE name = 'noah'", "lena", "T-1"),
        ("UPDATE conversation SET agent_id = (SELECT id FROM agent WHERE name = 'lena') WHERE id = {}", "lena", "T-1"),
        ("UPDATE ticket SET name = 'T-2' WHERE name = 'T-1'", "noah", "T-2"),
    ],
    ids=["the agent has another name", "it is given to another agent", "the ticket has another id"],
)
def test_a_conversation_that_is_listed_under_another_name_is_found(
    record: Audited, statement: str, agent: str, ticket: str
) -> None:
    with tampered(record.database) as connection:
        if "SELECT" in statement:
            connection.execute("INSERT INTO agent (name, added_at) VALUES ('lena', 1)")
        connection.execute(statement.format(record.others))
    found = {each.place.conversation_id: each for each in record.verify().breaks}[record.others]
    assert found.what.startswith("The conversation was opened by another agent, or on another ticket,")
    assert (found.place.agent, found.place.ticket, found.place.seq) == (agent, ticket, 1)


def test_a_row_that_goes_to_another_conversation_is_found_in_both(record: Audited) -> None:
    with tampered(record.database) as connection:
        connection.execute(
            "UPDATE interaction SET conversation_id = ?, seq = 5, link = 9 WHERE id = ?",
            (record.others, record.shorter),
        )
    places = {found.place.conversation_id for found in record.verify().breaks}
    assert {record.conversation, record.others} <= places


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        (
            "UPDATE ticket_message SET text = 'Where is my kettle?' WHERE id = 1",
            "Message 1 of snapshot 1 does not give",
        ),
        ("UPDATE ticket_message SET internal = 1 WHERE id = 1", "Message 1 of snapshot 1 does not give its digest"),
        ("UPDATE ticket_message SET role = 'robot' WHERE id = 1", "has a message that cannot be read any more"),
        ("DELETE FROM ticket_message WHERE id = 2", "lacks one of its messages"),
        ("DELETE FROM snapshot_message WHERE position = 1", "lacks one of its messages"),
        ("DELETE FROM snapshot_message WHERE position = 2", "Snapshot 1 of the ticket does not give its digest"),
        ("UPDATE snapshot_words SET subject = 'Kettle'", "Snapshot 1 of the ticket does not give its digest"),
        ("DELETE FROM snapshot_words", "The words of snapshot 1 are gone although the ticket was not erased"),
    ],
)
def test_words_of_a_ticket_that_change_are_found(record: Audited, statement: str, what: str) -> None:
    with tampered(record.database) as connection:
        connection.execute(statement)
    found = [each for each in record.verify().breaks if each.place.conversation_id is None and each.place.ticket]
    assert any(what in each.what for each in found)
    assert {each.place.ticket for each in found} == {"T-1"}
    assert all(each.since for each in found)


def test_a_ticket_rewritten_with_its_digests_no_longer_is_what_the_conversations_took_in(record: Audited) -> None:
    with tampered(record.database) as connection:
        connection.execute("UPDATE snapshot_words SET digest = 'ab'")
    found = record.verify().breaks
    assert {each.place.conversation_id for each in found} == {None, record.conversation, record.others}
    assert any("is not the one that was taken in here" in each.what for each in found)


def test_a_raw_source_that_changes_is_found(record: Audited) -> None:
    with tampered(record.database) as connection:
        connection.execute("UPDATE raw_source SET data = x'5b5d'")
    assert _said(record) == ["The raw source 'a.json' was changed: its bytes do not give its digest."]


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("DROP TRIGGER interaction_no_update", "The trigger interaction_no_update is missing"),
        ("DROP INDEX interaction_parent", "The index interaction_parent is missing"),
        ("CREATE TRIGGER seal_late AFTER INSERT ON seal BEGIN SELECT 1; END", "The trigger seal_late does not belong"),
        ("CREATE TABLE notes (x)", "The table notes does not belong to the record"),
    ],
)
def test_a_guard_that_is_gone_or_added_is_found(record: Audited, statement: str, what: str) -> None:
    with raw(record.database) as connection:
        connection.execute(statement)
    (found,) = record.verify().breaks
    assert what in found.what


def test_a_guard_that_was_made_weaker_is_found(record: Audited) -> None:
    with raw(record.database) as connection:
        connection.execute("DROP TRIGGER payload_no_update")
        connection.execute("CREATE TRIGGER payload_no_update BEFORE UPDATE ON payload BEGIN SELECT 1; END")
    assert _said(record) == ["The trigger payload_no_update is not the one that the schema makes."]


def test_with_a_table_gone_the_rest_is_said_to_be_unchecked(record: Audited) -> None:
    with raw(record.database) as connection:
        connection.execute("DROP TABLE seal")
    found = record.verify()
    assert not found.complete
    assert found.breaks[-1].what == "Rows were not checked, because a table is not as it should be."


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("INSERT INTO search (search) VALUES ('delete-all')", "lacks {} entries, so what is there is not found"),
        (
            "INSERT INTO search (search, rowid, words) SELECT 'delete', id, words FROM search_entry WHERE id = 2",
            "lacks 1 entries",
        ),
        ("INSERT INTO search (rowid, words) VALUES (999, '1:hammock t:1')", "has 1 entries too many"),
    ],
)
def test_an_index_of_the_search_that_was_changed_is_found_and_can_be_made_anew(
    record: Audited, sql: str, what: str
) -> None:
    with closing(open_store(record.database)) as store:
        before = store.search("camille", "hammock")
        entries = store.reindex().entries
    with raw(record.database) as connection:
        connection.execute(sql)
    (found,) = _said(record)
    assert what.format(entries) in found
    assert "ticketree reindex" in found

    with closing(open_store(record.database)) as store:
        assert store.reindex() == Renewal(entries, added=0)
        assert store.search("camille", "hammock") == before
    assert record.verify().holds


def test_a_damaged_page_is_found(record: Audited) -> None:
    with raw(record.database) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page, size = connection.execute(
            "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_master WHERE name = 'payload'"
        ).fetchone()
    data = bytearray(record.database.read_bytes())
    data[(page - 1) * size : (page - 1) * size + 8] = bytes(8)
    record.database.write_bytes(data)
    found = record.verify()
    assert not found.holds
    assert not found.complete
    assert any("cannot be read, so not all of it was checked" in each.what for each in found.breaks)


def test_a_finding_as_json_has_what_where_and_since_when(record: Audited) -> None:
    with tampered(record.database) as connection:
        connection.execute("UPDATE payload SET text = 'x' WHERE interaction_id = ?", (record.shorter,))
    (found,) = record.verify().breaks
    assert found.as_json() == {
        "cause": "changed",
        "what": "Its content, or how it ended, does not fit its commitment: it was changed.",
        "conversation": record.conversation,
        "agent": "camille",
        "ticket": "T-1",
        "node": record.shorter,
        "seq": 5,
        "link": 10,
        "request": None,
        "since": found.since,
        "more": 0,
    }


def _said(record: Audited) -> list[str]:
    findings: tuple[Finding, ...] = record.verify().breaks
    return [found.what for found in findings]
