"""No input may stop an import, and none may make it take long: sizes are counted here, never seconds."""

import base64
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage.importers import limits as bounds
from storage.importers.html_text import html_to_text
from storage.importers.html_tokens import tokens
from storage.importers.importing import import_paths
from storage.importers.mail_body import read_body
from storage.importers.mail_headers import addresses, decode_words, sender, typed
from storage.importers.mail_summary import summarise_mail
from storage.importers.texts import decode_text
from storage.sqlite_store import SqliteStore, memory_store

_BEGINNINGS = [
    b"From: a@x\nSubject: =?utf-8?Q?=E2?=\n",
    b"From a@x Mon Mar  2 09:00:00 2026\nFrom: a@x\n\n",
    b'From: a@x\nContent-Type: multipart/mixed; boundary="b"\n\n--b\n',
    b"From: a@x\nContent-Type: text/html; charset=utf-16\n\n<p ",
    b'[{"id": "1", "body": "',
    b'{"id": "1", "body": "a"}\n{"id": ',
    b'{"tickets": [',
    b"id,body,created_at\n1,",
    b"\xff\xfe[\0{\0",
    b"\xef\xbb\xbf",
    b"",
]
# Words that the formats give a meaning to, so that random input gets past the first check.
_PIECES = [
    b"\n\n",
    b"\r",
    b"\0",
    b'"',
    b"--b\n",
    b"--b--",
    b"=?",
    b"?=",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b";",
    b":",
    b"<!--",
]
_PIECES += [
    b"Content-Type: ",
    b"multipart/alternative",
    b"Date: ",
    b"References: <a> <b>",
    b"\nFrom ",
    b"\\ud800",
    b"1e999",
]
_contents = st.builds(
    lambda begin, pieces: begin + b"".join(pieces),
    st.sampled_from(_BEGINNINGS),
    st.lists(st.one_of(st.binary(max_size=12), st.sampled_from(_PIECES)), max_size=30),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=_contents)
def test_any_bytes_are_imported_or_skipped_with_a_reason(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "any").write_bytes(content)
    store = memory_store()
    checked = import_paths(store, [tmp_path / "any"], check=True)
    assert store.tickets("camille") == []
    report = import_paths(store, [tmp_path / "any"])
    assert report == checked
    assert report.found or report.skipped
    assert all(line.reason for line in report.skipped)
    assert report.imported + report.unchanged <= report.found
    again = import_paths(store, [tmp_path / "any"])
    assert (again.found, again.unchanged, again.skipped) == (
        report.found,
        report.imported + report.unchanged,
        report.skipped,
    )
    store.close()


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=200), charset=st.text(max_size=20))
def test_any_bytes_of_any_charset_become_text_that_can_be_stored(data: bytes, charset: str) -> None:
    decode_text(data, charset).text.encode()
    decode_words(data)[0].encode()
    sender(data)[1].encode()
    typed(data)[0].encode()
    summarise_mail(data).subject.encode()
    read_body(data).text.encode()


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<li",
                "<ul>",
                "<td>",
                "</tr>",
                "x ",
                "<a href='",
                "'>",
                "<!--",
                "-->",
                "<pre>",
                "&amp",
                "<br>",
                "</ul>",
                "<div hidden>",
                "</div>",
                "<style>",
                ">",
            ]
        )
    )
)
def test_any_html_becomes_text_without_markup_of_known_tags(pieces: list[str]) -> None:
    result = html_to_text("".join(pieces))
    assert result.hidden_count >= 0
    assert not any(tag in result.text for tag in ("<br>", "<p>", "</ul>", "<!--"))


@pytest.mark.parametrize(
    "piece", ["<a x='", '<a x="', "<!--", "<![CDATA[", "</", "<a", "<", "&", "<p", "<script>", "<a =", "< a"]
)
def test_html_tokens_grow_no_faster_than_the_input(piece: str) -> None:
    assert sum(1 for _ in tokens(piece * 50_000)) <= 2 * 50_000 + 1


def test_deeply_nested_html_does_not_recurse() -> None:
    assert html_to_text("<div><b><ul><li>" * 10_000 + "deep" + "</b>" * 10_000).text.endswith("deep")


def test_recipients_are_counted_up_to_a_bound() -> None:
    value = b", ".join(b"Person %d <p%d@home.example>" % (number, number) for number in range(100_000))
    assert len(addresses(value)) == bounds.MAX_ADDRESSES


def test_huge_headers_leave_the_mail_readable(store: SqliteStore, tmp_path: Path) -> None:
    huge = b"To: " + b",\n ".join(b'"P %d" <p%d@home.example>' % (n, n) for n in range(50_000))
    nested = b"\nX-Comment: " + b"(" * 100_000 + b"\nReferences: " + b"<a@x> " * 50_000
    (tmp_path / "mail").write_bytes(b"From: A <a@x>\nSubject: Here\n" + huge + nested + b"\n\nText.\n")
    assert import_paths(store, [tmp_path / "mail"]).imported == 1
    (ticket,) = store.tickets("camille")
    assert (ticket.subject, store.ticket(ticket.id).messages[0].text) == ("Here", "Text.\n".strip())


def test_a_mail_over_the_limit_is_skipped_with_the_limit(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.importers.eml.MAX_MESSAGE_BYTES", 2 * bounds.MIB)
    (tmp_path / "mail").write_bytes(b"From: A <a@x>\n\n" + base64.b64encode(bytes(3 * bounds.MIB)))
    report = import_paths(store, [tmp_path / "mail"])
    assert [line.reason for line in report.skipped] == ["it is 4.0 MiB; a mail may have 2.0 MiB"]


def test_a_line_over_the_limit_costs_only_itself(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.importers.jsonl_tickets.MAX_MESSAGE_BYTES", 100)
    lines = ['{"id": "1", "body": "a"}', '{"id": "2", "body": "%s"}' % ("b" * 350), '{"id": "3", "body": "c"}']
    (tmp_path / "lines").write_text("\n".join(lines))
    report = import_paths(store, [tmp_path / "lines"])
    assert report.imported == 2
    assert [line.name.rpartition("#")[2] for line in report.skipped] == ["2"]
