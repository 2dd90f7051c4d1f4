"""Archives and folders as chat programs deliver them, and archives that misbehave."""

import json
import struct
import zipfile
from pathlib import Path

import pytest
from chat_exports import ChatDesk, a_chatgpt_chain, a_chatgpt_message, text_content

from storage.importers.chats import archives, files
from storage.values import Json


def chats(*names: str) -> bytes:
    """Return an export with a chat of each id."""
    return json.dumps([a_chat(name, f"Question of {name}") for name in names]).encode()


def a_chat(name: str, text: str) -> Json:
    return a_chatgpt_chain(a_chatgpt_message("q", "user", text_content(text)), chat=name, title="t")


def archive(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


def reasons(desk: ChatDesk, path: Path) -> list[str]:
    return [line.reason for line in desk.bring_files(path).skipped]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_shards_of_an_archive_are_read_in_order_and_the_rest_is_told_in_one_line(
    method: int, desk: ChatDesk, tmp_path: Path
) -> None:
    members = {"conversations-001.json": chats("b"), "conversations-000.json": chats("a"), "user.json": b'{"id": "u"}'}
    pictures = {f"file-{number}.png": b"\x89PNG\r\n\x1a\n" for number in range(5)}
    report = desk.bring_files(archive(tmp_path / "export.zip", {**members, **pictures, "chat.html": b"<html>"}, method))

    assert (report.imported, report.exit_status) == (2, 0)
    assert [line.reason for line in report.skipped] == [
        "chat.html, file-0.png, file-1.png and 4 more beside the chats hold none"
    ]
    assert {ticket.subject for ticket in desk.store.tickets("camille")} == {"t"}
    first = min(desk.store.tickets("camille"), key=lambda ticket: desk.nodes(ticket.id)[0].id)
    assert desk.shown(first.id) == ["Question of a"]


def test_an_unpacked_export_is_read_like_its_archive(desk: ChatDesk, tmp_path: Path) -> None:
    folder = tmp_path / "unpacked"
    (folder / "dalle").mkdir(parents=True)
    for number in range(2):
        (folder / f"conversations-00{number}.json").write_bytes(chats(f"c{number}"))
    (folder / "user.json").write_text('{"id": "u"}')
    (folder / "message_feedback.json").write_text("[]")
    (folder / "dalle" / "1.webp").write_bytes(b"RIFF\0\0")

    report = desk.bring_files(folder)

    assert (report.imported, report.exit_status) == (2, 0)
    assert [(Path(line.name).name, line.reason) for line in report.skipped] == [
        ("unpacked", "dalle/1.webp, message_feedback.json, user.json beside the chats hold none")
    ]


def test_tickets_beside_chats_are_imported_too(desk: ChatDesk, tmp_path: Path) -> None:
    folder = tmp_path / "both"
    folder.mkdir()
    (folder / "conversations.json").write_bytes(chats("a"))
    (folder / "tickets.json").write_text('[{"id": "T-1", "body": "Where is it?"}, {"id": "T-2"}]')

    report = desk.bring_files(folder)

    assert (report.found, report.imported, report.exit_status) == (3, 2, 1)


def test_names_in_an_archive_are_shown_and_never_used_as_paths(desk: ChatDesk, tmp_path: Path) -> None:
    folder = tmp_path / "inner"
    folder.mkdir()
    names = ["../../slipped.json", "/etc/slipped.json", "C:\\slipped.json", "a\x1b[31m\n.json"]
    path = archive(folder / "export.zip", {name: chats(str(number)) for number, name in enumerate(names)})

    report = desk.bring_files(path)

    assert report.imported == 4
    assert [entry for entry in tmp_path.rglob("*") if entry not in (folder, path)] == []
    sources = [name for ticket in desk.store.tickets("camille") for name, _, _ in desk.store.sources(ticket.id)]
    assert sorted(sources) == sorted(f"{path}#{name}#1" for name in names)


def test_a_bomb_beside_chats_costs_only_itself(desk: ChatDesk, tmp_path: Path) -> None:
    blanks = b"[" + b" " * 9_000_000 + b"]"
    path = archive(tmp_path / "export.zip", {"conversations.json": chats("a"), "bomb.json": blanks})

    report = desk.bring_files(path)

    assert (report.imported, report.exit_status) == (1, 1)
    assert [line.name for line in report.skipped] == [f"{path}#bomb.json"]


def test_no_more_is_unpacked_than_the_limit(desk: ChatDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = chats("a")
    monkeypatch.setattr(archives, "MAX_UNPACKED_BYTES", len(data) + 10)
    path = archive(tmp_path / "export.zip", {"1.json": data, "2.json": chats("b")})

    report = desk.bring_files(path)

    assert (report.imported, report.exit_status) == (1, 1)
    assert "would be unpacked; import it by itself" in report.skipped[0].reason


def test_a_size_that_the_archive_understates_gives_no_more_than_that(desk: ChatDesk, tmp_path: Path) -> None:
    data = chats("a", "b", "c")
    path = archive(tmp_path / "export.zip", {"conversations.json": data})
    lying = path.read_bytes().replace(struct.pack("<I", len(data)), struct.pack("<I", 600))
    path.write_bytes(lying)

    report = desk.bring_files(path)

    assert report.imported <= 1
    assert report.exit_status != 0


def test_a_damaged_member_is_named_and_the_others_are_read(desk: ChatDesk, tmp_path: Path) -> None:
    good, bad = chats("a"), chats("b")
    path = archive(tmp_path / "export.zip", {"1.json": bad, "2.json": good}, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"Question of b", b"Question of x"))

    report = desk.bring_files(path)

    assert report.exit_status == 1
    assert desk.shown() == ["Question of a"]
    assert [line.name for line in report.skipped] == [f"{path}#1.json"]
    assert "Bad CRC-32" in report.skipped[0].reason


def test_an_encrypted_member_is_named(desk: ChatDesk, tmp_path: Path) -> None:
    path = archive(tmp_path / "export.zip", {"conversations.json": chats("a")})
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    path.write_bytes(bytes(data))

    assert reasons(desk, path) == ["it is encrypted; unpack it with its password and import what is inside"]


def test_an_archive_without_chats_is_said_to_be_one(desk: ChatDesk, tmp_path: Path) -> None:
    path = archive(tmp_path / "letter.docx", {"word/document.xml": b"<w/>", "folder/": b"", "a.json": b"[1]"})

    assert reasons(desk, path) == [archives.NO_CHATS]


@pytest.mark.parametrize("cut", [10, 60, 200])
def test_an_archive_that_is_cut_off_is_said_to_be_none(cut: int, desk: ChatDesk, tmp_path: Path) -> None:
    path = archive(tmp_path / "export.zip", {"conversations.json": chats("a")})
    path.write_bytes(path.read_bytes()[:cut])

    assert reasons(desk, path) == ["its list of files cannot be read: File is not a zip file"]


A_BAD_CHAT: list[Json] = [
    {"title": "no mapping", "id": "zz"},
    {"title": "t", "id": "zz", "mapping": []},
    {"uuid": "zz", "name": "t", "chat_messages": None},
    a_chat("large", "x" * 2_100_000),
]


@pytest.mark.parametrize("bad", A_BAD_CHAT)
@pytest.mark.parametrize("is_packed", [False, True])
def test_a_first_chat_that_cannot_be_read_does_not_stop_the_others(
    bad: Json, is_packed: bool, desk: ChatDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_MESSAGE_BYTES", 2_000_000)
    data = json.dumps([bad, a_chat("a", "Q"), a_chat("b", "Q")]).encode()
    if is_packed:
        members = {"conversations-000.json": chats("good"), "other name.json": data}
        report = desk.bring_files(archive(tmp_path / "export.zip", members, zipfile.ZIP_STORED))
    else:
        report = desk.bring(data)

    assert (report.found, report.imported, report.exit_status) == (3 + is_packed, 2 + is_packed, 1)
    ((name, reason),) = report.skipped
    assert name.endswith("other name.json#1" if is_packed else "export.json#1")
    assert reason in ("it is no chat of a program that is known", "it is larger than 1.9 MiB, and a chat may have that")


CUT = "it is not valid JSON: a text that begins here has no end (line 1, column 12); nothing was imported from it"
NO_JSON = "it is not valid JSON: Expecting value (line 1, column 1); nothing was imported from it"


@pytest.mark.parametrize(
    ("shard", "said"),
    [
        (chats("b")[:13], CUT),
        (chats("b")[:300], "(line 1, column 294); nothing was imported from it"),
        (b"", "it is empty, and should hold chats"),
        (b" \n", "it is empty, and should hold chats"),
        (b"\0\1 garbage", NO_JSON),
        (b"<html>log in first</html>", NO_JSON),
        (chats("b").decode().encode("utf-16-be"), NO_JSON),
    ],
)
@pytest.mark.parametrize("is_alone", [False, True])
def test_a_damaged_shard_is_no_success(shard: bytes, said: str, is_alone: bool, desk: ChatDesk, tmp_path: Path) -> None:
    others = {} if is_alone else {"conversations-000.json": chats("a")}
    path = archive(tmp_path / "export.zip", {**others, "part\\conversations-001.json": shard})

    report = desk.bring_files(path)

    assert (report.imported, report.exit_status) == ((0, 2) if is_alone else (1, 1))
    ((name, reason),) = report.skipped
    assert name == f"{path}#part\\conversations-001.json"
    assert reason.endswith(said)


@pytest.mark.parametrize("is_packed", [False, True])
def test_chats_of_another_name_that_are_cut_off_are_told_and_other_damage_beside_chats_is_none(
    is_packed: bool, desk: ChatDesk, tmp_path: Path
) -> None:
    members = {"conversations.json": chats("a"), "more.json": chats("b")[:150], "user.json": b'{"id": "u'}
    if is_packed:
        report = desk.bring_files(archive(tmp_path / "export.zip", members))
    else:
        (folder := tmp_path / "export").mkdir()
        for name, data in members.items():
            (folder / name).write_bytes(data)
        report = desk.bring_files(folder)

    assert (report.imported, report.exit_status) == (1, 1)
    damaged, beside = report.skipped
    assert damaged.name.endswith("more.json")
    assert damaged.reason.startswith("it is not valid JSON: ")
    assert beside.reason == "user.json beside the chats holds none"


def test_an_empty_file_of_chats_in_a_folder_is_no_success(desk: ChatDesk, tmp_path: Path) -> None:
    (tmp_path / "conversations-000.json").write_bytes(chats("a"))
    (tmp_path / "conversations-001.json").touch()

    report = desk.bring_files(tmp_path)

    assert [line.reason for line in report.skipped] == ["it is empty, and should hold chats"]
    assert (report.imported, report.exit_status) == (1, 1)


def test_an_archive_of_an_empty_list_of_chats_says_so(desk: ChatDesk, tmp_path: Path) -> None:
    report = desk.bring_files(archive(tmp_path / "export.zip", {"conversations.json": b"[]"}))

    assert [line.reason for line in report.skipped] == [files.EMPTY_LIST]
    assert report.exit_status == 0


@pytest.mark.parametrize("is_alone", [False, True])
def test_an_archive_in_an_archive_is_said_to_be_unread_but_a_document_is_none(
    is_alone: bool, desk: ChatDesk, tmp_path: Path
) -> None:
    inner = archive(tmp_path / "inner.zip", {"conversations.json": chats("b")}).read_bytes()
    letter = archive(tmp_path / "letter.docx", {"[Content_Types].xml": b"<x/>"}).read_bytes()
    others = {} if is_alone else {"conversations.json": chats("a"), "letter.docx": letter}
    path = archive(tmp_path / "export.zip", {**others, "more.zip": inner, "old.tgz": b"\x1f\x8b\x08"})

    report = desk.bring_files(path)

    unread = "it is an archive inside of this one and was not looked into; unpack it and import what is inside"
    assert report.skipped[:2] == ((f"{path}#more.zip", unread), (f"{path}#old.tgz", unread))
    assert [line.reason for line in report.skipped[2:]] == (
        [] if is_alone else ["letter.docx beside the chats holds none"]
    )
    assert report.exit_status == (2 if is_alone else 1)


def test_chats_before_a_fault_are_read_and_the_fault_is_told(desk: ChatDesk) -> None:
    report = desk.bring(chats("a", "b")[:-40])

    assert (report.imported, report.exit_status) == (1, 1)
    assert report.skipped[0].reason.endswith("; what stands before it was read")
    assert "line 1, column" in report.skipped[0].reason


def test_a_chat_above_the_limit_is_named_and_the_others_are_read(
    desk: ChatDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_MESSAGE_BYTES", 2_000_000)
    report = desk.bring([a_chat("a", "Q"), a_chat("large", "x" * 4_000_000), a_chat("b", "Q")])

    assert (report.found, report.imported) == (3, 2)
    assert [(line.name.rpartition("#")[2], line.reason) for line in report.skipped] == [
        ("2", "it is larger than 1.9 MiB, and a chat may have that")
    ]


def test_bytes_that_are_no_text_are_told_once_a_file_and_kept_in_the_source(desk: ChatDesk) -> None:
    report = desk.bring(chats("a").replace(b"Question", b"Fr\xe4ge"))

    assert [line.what for line in report.repaired] == ["damaged UTF-8; what is unreadable became U+FFFD"]
    assert desk.shown() == ["Fr\ufffdge of a"]
    assert b"Fr\xe4ge" in desk.store.sources(desk.conversation().ticket_id)[0][2]
