import csv
import io
import json
from collections.abc import Callable

import pytest
from hostile import EVERY, Hostile

from storage.importers.languages import guess_language, language_code
from storage.importers.report import ImportReport
from storage.importers.texts import decode_text
from storage.sqlite_store import SqliteStore
from storage.text import storable

Importing = Callable[..., ImportReport]


@pytest.mark.parametrize("hostile", EVERY, ids=str)
def test_hostile_text_is_kept_exactly(hostile: Hostile, import_text: Importing, store: SqliteStore) -> None:
    text = f"x{hostile.text}x"
    import_text(json.dumps([{"id": "json", "subject": text, "customer": text, "body": text}]), "a.json")
    rows = io.StringIO(newline="")
    csv.writer(rows).writerows([["id", "subject", "customer", "body"], ["csv", *[storable(text)] * 3]])
    import_text(rows.getvalue(), "b.csv")
    for name in ("json", "csv"):
        ticket = store.ticket(name)
        assert {ticket.subject, ticket.customer, ticket.messages[0].text} == {storable(text)}


@pytest.mark.parametrize(
    ("data", "charset", "text", "repair"),
    [
        (b"plain", "", "plain", ""),
        ("é".encode(), "utf-8", "é", ""),
        ("é".encode(), "", "é", "no character set is named; it is UTF-8"),
        ("é".encode(), "us-ascii", "é", "said to be us-ascii; it is UTF-8"),
        ("é".encode("latin-1"), "iso-8859-1", "é", ""),
        (b"\x80", "iso-8859-1", "€", ""),
        (b"\x80", "utf-8", "€", "not valid utf-8; read as windows-1252"),
        ("ééé".encode() + b"\xff", "utf-8", "ééé\ufffd", "damaged UTF-8; what is unreadable became U+FFFD"),
        ("é".encode(), "x-foo", "é", "the character set 'x-foo' is unknown; it is UTF-8"),
        ("жук".encode("koi8-r"), "koi8-r", "жук", ""),
        ("联通".encode("gbk"), "gb2312", "联通", ""),
        ("色".encode(), "iso-2022-jp", "色", "said to be iso-2022-jp; it is UTF-8"),
        ("色".encode("iso-2022-jp"), "iso-2022-jp", "色", ""),
        (b"+2AA-", "utf-7", "\ufffd", ""),
        (b"\\u0041", "unicode_escape", "\\u0041", "the character set 'unicode_escape' is unknown; all of it is ASCII"),
        (b"41", "hex", "41", "the character set 'hex' is unknown; all of it is ASCII"),
        (b"a", "ut\0f", "a", "the character set 'ut\\x00f' is unknown; all of it is ASCII"),
    ],
)
def test_bytes_are_decoded_by_what_they_are(data: bytes, charset: str, text: str, repair: str) -> None:
    decoded = decode_text(data, charset)
    assert (decoded.text, decoded.repair) == (text, repair)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Hello, my order has not arrived and you have not answered.", "en"),
        ("Bonjour, ma commande n'est pas arrivée, que faire avec les autres ?", "fr"),
        ("Hallo, meine Bestellung ist noch nicht da, bitte um Hilfe.", "de"),
        ("Hola, mi pedido no ha llegado y no sé qué hacer con la caja.", "es"),
        ("Buongiorno, il mio ordine non è arrivato e non ho ricevuto notizie.", "it"),
        ("Hallo, mijn bestelling is nog niet aangekomen en ik heb niets gehoord.", "nl"),
        ("Olá, a minha encomenda não chegou e também não recebi os documentos.", "pt"),
        ("注文した靴がまだ届きません。", "ja"),
        ("주문한 신발이 아직 오지 않았어요.", "ko"),
        ("Order 12345", ""),
        ("", ""),
        ("de la", ""),
    ],
)
def test_language_is_guessed_only_when_the_text_says_it(text: str, language: str) -> None:
    assert guess_language(text) == language


@pytest.mark.parametrize(("tag", "code"), [("fr-CA", "fr"), ("EN", "en"), (" de, en", "de"), ("French", ""), ("", "")])
def test_language_tag_gives_its_code(tag: str, code: str) -> None:
    assert language_code(tag) == code
