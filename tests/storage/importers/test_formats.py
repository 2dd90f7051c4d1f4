import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from storage.errors import RefusedError
from storage.importers.importing import import_paths
from storage.importers.report import ImportReport
from storage.sqlite_store import SqliteStore
from storage.tickets import Role

Importing = Callable[..., ImportReport]


def reasons(report: ImportReport) -> list[str]:
    return [line.reason for line in report.skipped]


def test_mbox_is_split_only_at_real_separators_and_unescaped(store: SqliteStore, files: Path) -> None:
    report = import_paths(store, [files / "three.mbox"])
    assert (report.found, report.imported, report.skipped, report.repaired) == (3, 3, (), ())
    tickets = {ticket.customer: store.ticket(ticket.id) for ticket in store.tickets("camille")}
    assert tickets["Alma"].messages[0].text == (
        "From what I see, the parcel is lost.\n>From the carrier there is no word.\n\nFrom here on I only wait."
    )
    (name, kind, raw), *_ = store.sources(tickets["Bruno"].id)
    assert (name, kind) == (f"{files / 'three.mbox'}#2", "mbox")
    assert raw in (files / "three.mbox").read_bytes()
    assert raw.startswith(b"From bruno@home.example")


def test_mbox_junk_deleted_and_internal_mails_are_skipped_with_reasons(import_text: Importing) -> None:
    def entry(number: int, extra: str) -> str:
        return f"From a@x Mon Mar  2 09:00:0{number} 2026\nFrom: A <a@x>\nSubject: S{number}\n{extra}\nText.\n\n"

    report = import_text(
        "some junk\n\n"
        + entry(1, "")
        + entry(2, "X-Mozilla-Status: 0009\n")
        + "From b@x Mon Mar  2 09:00:00 2026\n\nNo headers: at all\n\n"
    )
    assert (report.found, report.imported, report.exit_status) == (1, 1, 1)
    assert reasons(report) == [
        "the 11 bytes before its first mail are no mail",
        "it was deleted in Thunderbird, which only had not compacted the folder yet",
    ]


def test_csv_with_semicolons_windows_1252_and_a_mapping(store: SqliteStore, files: Path) -> None:
    mapping = {"Ticketnummer": "id", "Betreff": "subject", "Kunde": "customer", "text": "body", "Intern": "internal"}
    report = import_paths(store, [files / "semicolon.csv"], mapping=mapping)
    assert (report.found, report.imported, report.skipped) == (2, 2, ())
    ticket = store.ticket("7001")
    assert (ticket.subject, ticket.customer, ticket.language) == ("Größe; falsch", "Jürgen Weiß", "de")
    assert [(message.text, message.internal) for message in ticket.messages] == [
        ("Die Jacke ist zu klein.\r\nKann ich sie tauschen?", False),
        ("=1+1", True),
    ]
    assert ticket.extra == {"Kanal": "Telefon"}
    lines = (files / "semicolon.csv").read_bytes().splitlines(keepends=True)
    assert store.sources("7001")[0][2] == b"".join(lines[:4])
    assert [line.what for line in report.repaired] == [
        "not valid UTF-8; read as windows-1252",
        "internal is neither yes nor no; the message is kept internal",
    ]


def test_csv_without_a_needed_column_names_what_it_has_and_how_to_map(store: SqliteStore, files: Path) -> None:
    report = import_paths(store, [files / "semicolon.csv"])
    assert reasons(report) == [
        "it has no column 'id' and 'body'; its columns are 'Ticketnummer', 'Betreff', 'Kunde', 'Text', 'Kanal', "
        "'Intern': map one of them, for example 'Ticketnummer=id'"
    ]
    assert report.exit_status == 2


def test_csv_rows_that_cannot_be_used_are_named_by_line(import_text: Importing, store: SqliteStore) -> None:
    report = import_text('\ufeffsep=,\nID,Body,Author\n1,"two\nlines",Ana\n,no id,\n2,,\n\n3,a,b,c\n1,more,Bo\n')
    assert (report.found, report.imported, report.exit_status) == (4, 1, 1)
    assert [(line.name.rpartition("#")[2], line.reason) for line in report.skipped] == [
        ("5", "line 5 has no id"),
        ("6", "line 6 has no body"),
        ("8", "line 8 has 4 cells but the header has 3; a quotation mark is missing there"),
    ]
    assert [message.text for message in store.ticket("1").messages] == ["two\nlines", "more"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_delimiter_is_found(delimiter: str, import_text: Importing, store: SqliteStore) -> None:
    import_text("\n".join(delimiter.join(row) for row in (["id", "customer", "body"], ["1", "Ana", "Hello"])))
    assert store.ticket("1").customer == "Ana"


def test_mapping_to_an_unknown_column_is_refused(store: SqliteStore, files: Path) -> None:
    with pytest.raises(RefusedError, match="no column 'colour' to map to; there are id, subject"):
        import_paths(store, [files / "semicolon.csv"], mapping={"Kanal": "colour"})


def test_jsonl_bad_line_is_named_and_the_others_are_imported(store: SqliteStore, files: Path) -> None:
    report = import_paths(store, [files / "bad_line.jsonl"])
    assert (report.found, report.imported, report.exit_status) == (3, 2, 1)
    assert reasons(report) == [
        "line 2 was left out: it is not valid JSON: a text that begins here has no end (line 2, column 41)"
    ]
    assert store.ticket("L-1").messages[0].text == "First line\u2028still first"
    assert store.sources("L-3")[0][2] == (files / "bad_line.jsonl").read_bytes().splitlines()[2]


def test_json_in_utf16_keeps_each_ticket_s_own_bytes(store: SqliteStore, files: Path) -> None:
    report = import_paths(store, [files / "utf16.json"])
    assert (report.found, report.imported, report.repaired) == (2, 2, ())
    assert (store.ticket("U-1").subject, store.ticket("U-1").language) == ("Größe", "de")
    assert (store.ticket("U-2").customer, store.ticket("U-2").language) == ("花子", "ja")
    raw = store.sources("U-2")[0][2]
    assert raw in (files / "utf16.json").read_bytes()
    assert json.loads(raw.decode("utf-16-le"))["id"] == "U-2"


def test_json_with_messages_notes_and_unknown_fields(store: SqliteStore, files: Path) -> None:
    report = import_paths(store, [files / "messages.json"])
    ticket = store.ticket("8001")
    assert (ticket.language, ticket.status, ticket.created_at) == ("fr", "pending", 1772442000_000000)
    assert [(m.author, m.role, m.text, m.created_at, m.internal) for m in ticket.messages] == [
        ("Sophie Martin", Role.CUSTOMER, "Le fauteuil est cassé. \ufffd", 1772442000_000000, False),
        ("Camille", Role.AGENT, "Avez-vous une photo ?", 1772445600_000000, False),
        ("Camille", Role.AGENT, "She called before.", 1772445600_000000, True),
    ]
    assert ticket.extra == {"priority": {"level": 2, "tags": ["chair", "\ufffd"]}}
    assert b"\\ud800" in store.sources("8001")[0][2]
    assert [line.what for line in report.repaired] == ["id is a number; taken as text"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"id": "1", "body": ["a"]}', "its body is a list, not a text"),
        ('{"id": true, "body": "a"}', "its id is true, not a text"),
        ('{"id": "1", "body": "  "}', "it has no text"),
        ('{"body": "a"}', "it has no id; give it one with --ticket"),
        ('{"id": "1", "title": "a"}', "no 'body' and no 'messages' among its fields ('id', 'title')"),
        ('{"id": "1", "messages": {"text": "a"}}', "its messages are an object, not a list"),
        ('{"id": "1", "messages": []}', "it has no text"),
        ('["a", 1]', "not an object with the fields of a ticket"),
        ('{"id": "1", "body": "a", "x": ' + "[" * 60 + "]" * 60 + "}", "nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
        (
            '[{"id": "1", "body": "a"},\n {"id": "2", "bo',
            "a text that begins here has no end (line 2, column 14); nothing was imported",
        ),
        ('[{"id": "1", "body": "a"},\n {"id": ', "it ends too early (line 2, column 9); nothing was imported"),
        ('[{"id": "1", "body": "a"}\n {"id": "2"}]', "Expecting ',' or ']' (line 2, column 2)"),
    ],
)
def test_json_that_is_no_ticket_is_skipped_with_the_reason(
    text: str, reason: str, import_text: Importing, store: SqliteStore
) -> None:
    report = import_text(text)
    assert reason in report.skipped[0].reason
    assert report.exit_status == 2
    assert store.tickets("camille") == []


@pytest.mark.parametrize(
    ("fields", "repair"),
    [
        ('"subject": 5', "subject is a number; taken as text"),
        ('"subject": []', "subject is a list; left out"),
        ('"subject": "a", "subject": "b"', "'subject' appears more than once; the last one was taken"),
        ('"customer": {"name": "Ana", "email": "a@x"}', "customer is an object; its name was taken"),
        ('"created_at": "2026-03-02T09:00:00"', "times without a zone are read as UTC"),
        ('"created_at": "soon"', "cannot be read"),
        ('"created_at": 1e300', "cannot be right"),
        ('"created_at": -5', "cannot be right"),
        ('"x": NaN', "NaN is no JSON value; read as missing"),
        ('"language": "klingon"', "is not a code such as"),
        ('"messages": [{"text": "a", "role": "elf"}]', "the role 'elf' is unknown; read as customer"),
        ('"messages": [5, {"text": ""}]', "message 1 is a number; left out"),
    ],
)
def test_json_is_repaired_and_the_repair_is_reported(fields: str, repair: str, import_text: Importing) -> None:
    report = import_text(f'{{"id": "1", "body": "Text.", {fields}}}')
    assert (report.imported, report.skipped) == (1, ())
    assert any(repair in line.what for line in report.repaired)


def test_time_without_a_zone_is_reported_once_a_file(import_text: Importing) -> None:
    tickets = [{"id": str(number), "body": "a", "created_at": "2026-03-02 09:00"} for number in range(3)]
    report = import_text(json.dumps(tickets))
    assert [line.what for line in report.repaired] == ["times without a zone are read as UTC"]


@pytest.mark.parametrize(
    ("export", "program"),
    [
        ('[{"title": "t", "create_time": 1, "mapping": {"a": {}}}]', "ChatGPT"),
        ('[{"uuid": "c", "name": "n", "chat_messages": []}]', "Claude"),
        ('[{"id": "o", "chat": {"history": {"messages": {}}}}]', "Open WebUI"),
        ('{"conversationId": "L", "messages": []}', "LibreChat"),
    ],
)
def test_chat_exports_are_not_taken_for_tickets(
    export: str, program: str, import_text: Importing, store: SqliteStore
) -> None:
    report = import_text(export)
    assert reasons(report) == [f"this chat of {program} holds no messages"]
    assert store.tickets("camille") == []


@pytest.mark.parametrize(
    ("content", "reason", "status"),
    [
        (b"", "it is empty", 0),
        (b"[]", "it holds an empty list: no tickets and no chats", 0),
        (b"id,body\n", "it holds a header but no rows", 0),
        (b"PK\x03\x04rest", "its list of files cannot be read: File is not a zip file", 2),
        (b"\x00\x01\x02", "it is a binary file of a format that is not recognised", 2),
        (
            b"Just a few words.",
            "its content is not recognised as any of ticketree, zip, jsonl, chats, json, mbox, eml, csv",
            2,
        ),
    ],
)
def test_what_is_no_import_is_said_and_an_empty_one_is_no_failure(
    content: bytes, reason: str, status: int, import_text: Importing
) -> None:
    report = import_text(content, "export.json")
    assert (reasons(report), report.exit_status, report.found) == ([reason], status, 0)


def test_maildir_is_walked_without_unfinished_deliveries(store: SqliteStore, tmp_path: Path) -> None:
    for folder in ("cur", "new", "tmp", ".Sent/cur", ".git"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "17.host:2,S").write_text(f"From: {folder} <a@x>\nSubject: {folder}\n\nText.\n")
    (tmp_path / "dovecot-uidlist").write_text("3 V1 N2")
    report = import_paths(store, [tmp_path])
    assert (report.imported, report.skipped) == (3, ())
    assert {ticket.subject for ticket in store.tickets("camille")} == {"cur", "new", ".Sent/cur"}


def test_paths_that_cannot_be_read_are_said_and_do_not_stop_the_others(store: SqliteStore, tmp_path: Path) -> None:
    (tmp_path / "good").write_text("id,body\n1,a\n")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    report = import_paths(store, [tmp_path, tmp_path / "missing", tmp_path / "good", Path("nul\0byte")])
    assert (report.imported, report.exit_status) == (1, 1)
    assert reasons(report) == [
        "it is a link to nothing",
        "it is a link to a folder; name that folder to import it",
        "it is no file but a device, pipe or socket",
        "there is no such file",
        "it is no path that can exist",
    ]


def test_file_name_that_is_no_text_is_shown_and_stored(store: SqliteStore, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    path.write_text('{"id": "1", "body": "a"}')
    assert import_paths(store, [path]).imported == 1
    assert store.sources("1")[0][0].endswith("caf\ufffd")


def test_ticket_of_another_customer_with_the_same_id_is_not_mixed_in(
    import_text: Importing, store: SqliteStore
) -> None:
    import_text('{"id": "1", "customer": "Ana Bell", "body": "My chair."}')
    report = import_text('{"id": "1", "customer": "Bert Kohl", "body": "My lamp."}', "other")
    assert "of another customer (Ana Bell)" in report.skipped[0].reason
    assert store.ticket("1").snapshots == 1
    assert import_text('{"id": "1", "customer": "Ana B. Bell", "body": "My table."}', "same").imported == 1


def test_status_is_updated_only_where_the_source_names_one(import_text: Importing, store: SqliteStore) -> None:
    import_text('{"id": "1", "customer": "Ana", "status": "Closed", "body": "Hi"}')
    assert import_text('{"id": "1", "customer": "Ana", "body": "Hi"}').unchanged == 1
    assert store.ticket("1").status == "closed"
    assert import_text('{"id": "1", "customer": "Ana", "status": "open", "body": "Hi"}').imported == 1
    assert store.ticket("1").status == "open"


def test_check_reports_the_same_and_writes_nothing(store: SqliteStore, files: Path) -> None:
    import_paths(store, [files / "thread" / "04-first.eml", files / "utf16.json"])
    before = [store.ticket(ticket.id) for ticket in store.tickets("camille")]
    checked = import_paths(store, [files], check=True)
    assert [store.ticket(ticket.id) for ticket in store.tickets("camille")] == before
    assert checked == import_paths(store, [files])
    assert (checked.imported, checked.unchanged) == (12, 2)
    assert import_paths(store, [files], check=True) == import_paths(store, [files])


def test_report_has_the_promised_shape(store: SqliteStore, files: Path) -> None:
    report = import_paths(store, [files / "bad_line.jsonl", files / "wrong_charset.eml"])
    name = str(files / "bad_line.jsonl#2")
    assert json.loads(json.dumps(report.as_json())) == {
        "found": 4,
        "imported": 3,
        "unchanged": 0,
        "skipped": [{"name": name, "reason": report.skipped[0].reason}],
        "repaired": [{"name": str(files / "wrong_charset.eml"), "what": "said to be iso-8859-1; it is UTF-8"}],
    }


def test_progress_is_told_about_files_and_tickets(store: SqliteStore, files: Path) -> None:
    told: list[tuple[str, int]] = []
    import_paths(store, [files / "utf16.json"], progress=lambda name, found: told.append((name, found)))
    name = str(files / "utf16.json")
    assert told == [(name, 0), (f"{name}#1", 0), (f"{name}#2", 1)]
