from collections.abc import Callable
from pathlib import Path

import pytest

from storage.importers.importing import import_paths
from storage.importers.report import ImportReport
from storage.sqlite_store import SqliteStore
from storage.tickets import Ticket

Importing = Callable[..., ImportReport]


@pytest.fixture
def only(store: SqliteStore) -> Callable[[], Ticket]:
    """The one ticket in the record."""

    def ticket() -> Ticket:
        (summary,) = store.tickets("camille")
        return store.ticket(summary.id)

    return ticket


def mail(subject: str = "Hello", body: str = "Text.", **headers: str) -> str:
    lines = {"From": "Ana <ana@home.example>", "To": "service@shop.example", "Subject": subject}
    lines["Message-ID"] = "<m-1@home.example>"
    lines["Date"] = "Tue, 03 Mar 2026 10:00:00 +0000"
    lines.update({name.replace("_", "-"): value for name, value in headers.items()})
    return "\n".join(f"{name}: {value}" for name, value in lines.items() if value) + "\n\n" + body


def test_encoded_subject_folded_and_split_inside_a_character_is_decoded(
    store: SqliteStore, files: Path, only: Callable[[], Ticket]
) -> None:
    report = import_paths(store, [files / "encoded_subject.eml"])
    ticket = only()
    assert (report.found, report.imported, report.skipped, report.repaired) == (1, 1, (), ())
    assert ticket.id == "T-80005"
    assert ticket.subject == "Mon hamac n\u2019est pas arrivé [T-80005] (urgent)"
    assert ticket.customer == "Sophie Müller"
    assert ticket.language == "fr"
    assert ticket.messages[0].text.startswith("Bonjour,\n\nmon hamac n'est toujours pas arrivé. Je l'ai commandé")
    assert "février, et vous m'avez" in ticket.messages[0].text
    assert ticket.messages[0].created_at == 1772529300_000000
    assert store.sources("T-80005") == [
        (str(files / "encoded_subject.eml"), "eml", (files / "encoded_subject.eml").read_bytes())
    ]


def test_text_that_is_not_what_its_charset_says_is_decoded_and_reported(
    store: SqliteStore, files: Path, only: Callable[[], Ticket]
) -> None:
    report = import_paths(store, [files / "wrong_charset.eml"])
    assert only().messages[0].text == "Der Wasserkocher riecht nach Öl. Können Sie mir helfen?"
    assert [line.what for line in report.repaired] == ["said to be iso-8859-1; it is UTF-8"]


def test_text_without_a_charset_is_windows_1252_when_it_is_not_utf8(
    store: SqliteStore, files: Path, only: Callable[[], Ticket]
) -> None:
    report = import_paths(store, [files / "missing_charset.eml"])
    assert only().subject == "Rückgabe"
    assert only().messages[0].text == "Die Größe passt nicht \u2013 bitte umtauschen."
    assert {line.what for line in report.repaired} == {
        "no character set is named; read as windows-1252",
        "subject: no character set is named; read as windows-1252",
    }


def test_html_only_mail_is_read_as_its_reader_sees_it(
    store: SqliteStore, files: Path, only: Callable[[], Ticket]
) -> None:
    import_paths(store, [files / "html_only.eml"])
    message = only().messages[0]
    assert message.text == (
        "Hello,\n\nI have two questions:\n\n- Is the kettle dishwasher safe?\n"
        "- See the page (https://shop.example/kettle).\n\nBest regards\n\nMarta\u00a0Köhler"
    )
    # head, class .pre, comment, display, font-size, visibility, opacity, hidden, white on white, script
    assert message.hidden_count == 10


def test_attachments_are_listed_by_safe_name_and_size_and_plain_text_is_preferred(
    store: SqliteStore, files: Path, only: Callable[[], Ticket]
) -> None:
    report = import_paths(store, [files / "attachments.eml"])
    message = only().messages[0]
    assert message.text == ("The vase arrived broken, I took a photo of it and put the invoice next to it.\n-- \nNora")
    assert [(file.name, file.media_type, file.size_bytes) for file in message.attachments] == [
        ("logo.png", "image/png", 8),
        ("dégâts.jpg", "image/jpeg", 10),
        ("winmail.dat", "application/ms-tnef", 5),
        ("Your invoice", "message/rfc822", 68),
    ]
    assert [line.what for line in report.repaired] == [
        "the part 'winmail.dat' is Outlook's own format; what is inside is not listed"
    ]


def test_encrypted_mail_is_kept_and_its_part_is_named(import_text: Importing, only: Callable[[], Ticket]) -> None:
    body = (
        "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: application/octet-stream; "
        'name="encrypted.asc"\n\n-----BEGIN PGP MESSAGE-----\n--b--\n'
    )
    report = import_text(mail(body=body, Content_Type='multipart/encrypted; boundary="b"'))
    assert report.imported == 1
    assert [file.name for file in only().messages[0].attachments] == ["pgp-encrypted", "encrypted.asc"]
    assert "cannot be read" in report.repaired[0].what


def test_signed_mail_shows_its_text_and_lists_the_signature(import_text: Importing, only: Callable[[], Ticket]) -> None:
    body = "--b\n\nSigned words.\n--b\nContent-Type: application/pgp-signature\n\n-----BEGIN\n--b--\n"
    import_text(mail(body=body, Content_Type='multipart/signed; boundary="b"'))
    message = only().messages[0]
    assert (message.text, [file.name for file in message.attachments]) == ("Signed words.", ["signature"])


def test_mail_that_only_carries_another_mail_shows_that_ones_text(
    import_text: Importing, only: Callable[[], Ticket]
) -> None:
    report = import_text(mail(body="Subject: Inside\n\nForwarded words.", Content_Type="message/rfc822"))
    assert only().messages[0].text == "Forwarded words."
    assert "that of the mail attached" in report.repaired[0].what


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("Tue, 3 Mar 2026 10:00:00 -0500", 1772550000_000000),
        ("3 Mar 2026 10:00", 1772532000_000000),
        ("Tue, 99 Foo 2026 99:00:00", None),
        ("Mon, 1 Jan 1900 00:00:00 +0000", None),
        ("Mon, 1 Jan 9999 00:00:00 +0000", None),
        ("Tue, 3 Mar 2026 10:00:00 +99999999999999999999", None),
        ("", None),
    ],
)
def test_date_is_microseconds_or_none(
    date: str, expected: int | None, import_text: Importing, only: Callable[[], Ticket]
) -> None:
    report = import_text(mail(Date=date))
    assert only().messages[0].created_at == expected
    assert bool(report.repaired) == (expected is None)


def test_mail_without_any_id_is_the_same_ticket_every_time(import_text: Importing, store: SqliteStore) -> None:
    text = mail(Message_ID="", Date="")
    assert (import_text(text).imported, import_text(text, "again").unchanged) == (1, 1)
    assert len(store.tickets("camille")) == 1


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("=?utf-8?B?SMOkbmdlbWF0dGU?=", "Hängematte"),  # no padding
        ("=?utf-8?Q?two words?=", "two words"),  # a space inside
        ("=?x-unknown?Q?caf=C3=A9?=", "café"),
        ("=?utf-8?Q?caf=E9?=", "café"),
        ("=?utf-8?Q?never ends", "=?utf-8?Q?never ends"),
        ("=?unicode_escape?Q?=5Cu0041?=", "\\u0041"),
        ("=?iso-2022-jp?B?GyRCPydDZxsoQg==?=", "色仲"),
        ("a =?utf-8?Q?b?= c =?utf-8?Q?d?=   =?utf-8?Q?e?=", "a b c de"),
    ],
)
def test_encoded_words_are_decoded_also_where_they_break_the_rules(
    subject: str, expected: str, import_text: Importing, only: Callable[[], Ticket]
) -> None:
    import_text(mail(subject=subject))
    assert only().subject == expected


def test_exchange_ids_with_brackets_join_a_thread(import_text: Importing, only: Callable[[], Ticket]) -> None:
    import_text(mail(Message_ID="<[abc123]@[10.0.0.1]>"), "first")
    import_text(mail(Message_ID="<b@x>", In_Reply_To="<[abc123]@[10.0.0.1]>"), "second")
    assert [message.source_id for message in only().messages] == ["<[abc123]@[10.0.0.1]>", "<b@x>"]


def test_nul_bytes_and_bare_carriage_returns_do_no_harm(import_text: Importing, only: Callable[[], Ticket]) -> None:
    import_text(mail(body="one\rtwo\nthree\0four").replace("\n", "\r\n"))
    assert only().subject == "Hello"
    assert only().messages[0].text == "one\ntwo\nthree\0four"


def test_parts_nested_ten_thousand_deep_are_read_up_to_the_bound(
    import_text: Importing, only: Callable[[], Ticket]
) -> None:
    body = "".join(f'--b{n}\nContent-Type: multipart/mixed; boundary="b{n + 1}"\n\n' for n in range(10_000))
    report = import_text(mail(body=body, Content_Type='multipart/mixed; boundary="b0"'))
    assert only().subject == "Hello"
    assert "parts nested deeper than 20 were left out" in [line.what for line in report.repaired]


def test_multipart_without_its_boundary_is_read_as_one_text(import_text: Importing, only: Callable[[], Ticket]) -> None:
    report = import_text(mail(body="Just words.", Content_Type="multipart/mixed"))
    assert only().messages[0].text == "Just words."
    assert "read as one text" in report.repaired[0].what


def test_content_language_is_taken_before_a_guess(import_text: Importing, only: Callable[[], Ticket]) -> None:
    import_text(mail(Content_Language="pt-BR", body="ok"))
    assert only().language == "pt"


def test_flowed_text_is_joined_with_quotes_and_stuffing_kept_apart(
    import_text: Importing, only: Callable[[], Ticket]
) -> None:
    body = "> quoted \n> words\n From the start \nto the end"
    import_text(mail(body=body, Content_Type="text/plain; format=flowed"))
    assert only().messages[0].text == "> quoted words\nFrom the start to the end"
