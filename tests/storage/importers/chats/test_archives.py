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
