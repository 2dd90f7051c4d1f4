"""`attach` and `attachments`: what they print, their exit status, and what a request holds afterwards."""

import json
from pathlib import Path

import pytest
from attached_files import CSV, MAIL, pdf
from command_line import sentence
from sample_record import Desk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "files"
    place.mkdir()
    (place / "orders.csv").write_bytes(CSV)
    (place / "mail.eml").write_bytes(MAIL)
    (place / "invoice.pdf").write_bytes(pdf(["Invoice W-1"]))
    (place / "scan.pdf").write_bytes(pdf([""]))
    return place


def listed(document: object) -> list[dict[str, object]]:
    assert isinstance(document, list)
    return document


def test_files_are_attached_listed_shown_and_taken_out(desk: Desk, folder: Path) -> None:
    names = ("orders.csv", "mail.eml", "invoice.pdf")
    attached = desk.cli.json("attach", "T-1", *(str(folder / name) for name in names))
    found = listed(desk.cli.json("attachments", "T-1"))
    assert isinstance(attached, dict)

    assert attached["refused"] == []
    assert attached["attachments"] == found
    assert [(each["name"], each["state"], each["words"]) for each in found] == [
        ("orders.csv", "processed", 3), ("mail.eml", "processed", 30), ("invoice.pdf", "processed", 2)
    ]  # fmt: skip
    assert found[0].keys() == {
        "id", "node", "state", "name", "media_type", "size_bytes", "sha256", "characters", "words", "notes", "reason"
    }  # fmt: skip
    first = str(found[0]["id"])
    assert desk.cli.run("attachments", "T-1", "--show", first).stdout == CSV.decode()
    desk.cli.json("attachments", "T-1", "--withdraw", first)
    planned = desk.cli.json("plan", "T-1", "now")
    assert isinstance(planned, dict)
    interactions = listed(planned["interactions"])
    assert [each["form"] for each in interactions if each["kind"] == "attachment"] == ["text", "text"]
    again = desk.cli.run("attachments", "T-1", "--withdraw", first)
    assert (sentence(again), again.exit_code) == ("orders.csv is not sent anyway (withdrawn).", 2)


def test_the_exit_status_tells_how_many_could_be_read(desk: Desk, folder: Path) -> None:
    partly = desk.cli.run("attach", "T-1", str(folder / "orders.csv"), str(folder / "scan.pdf"), str(folder / "none"))
    nothing = desk.cli.run("attach", "T-1", str(folder / "scan.pdf"))

    assert (partly.exit_code, nothing.exit_code) == (1, 2)
    assert "orders.csv · 33 B · 3 words · " in partly.stdout
    assert "scan.pdf · 543 B · failed: its pages hold no text" in partly.stdout
    assert partly.stderr == "ticketree: none cannot be opened: No such file or directory. Check the path.\n"
    assert str(folder) not in partly.output


def test_the_same_content_is_attached_once_and_that_is_said(desk: Desk, folder: Path) -> None:
    file = folder / "orders.csv"
    first = desk.cli.json("attach", "T-1", str(file))
    again = desk.cli.run("attach", "T-1", str(file.rename(folder / "copy.csv")), "--json")

    assert again.exit_code == 0
    assert isinstance(first, dict)
    assert json.loads(again.stdout)["attachments"] == first["attachments"]
    assert "copy.csv is attached here already as orders.csv, with the same content; nothing was added." in again.stderr
    assert desk.cli.json("attachments", "T-1") == first["attachments"]


def test_people_read_a_table(desk: Desk, folder: Path) -> None:
    assert "Nothing is attached" in desk.cli.run("attachments", "T-1").stdout
    desk.cli.run("attach", "T-1", str(folder / "orders.csv"))
    head, row = desk.cli.run("attachments", "T-1").stdout.splitlines()

    assert head.split() == ["ID", "NODE", "NAME", "SIZE", "STATE"]
    assert row.endswith("orders.csv  33 B  3 words")
    assert "▤ orders.csv · 33 B · 3 words · " in desk.cli.run("show", "T-1").stdout
    assert "✂" not in desk.cli.run("plan", "T-1", "now").stdout
    printed = desk.cli.run("plan", "T-1", "now").stdout.splitlines()
    assert [line.split()[-2:] for line in printed if "sent · text" in line] == [["text", "orders.csv"]]


def test_wrong_use_is_one_sentence(desk: Desk, folder: Path) -> None:
    both = desk.cli.run("attachments", "T-1", "--show", "a", "--withdraw", "b")
    unknown = desk.cli.run("attachments", "T-1", "--show", "a")
    elsewhere = desk.cli.run("attach", "T-1", "--at", "999", str(folder / "orders.csv"))

    assert "Choose one of --show and --withdraw." in sentence(both)
    assert sentence(unknown) == "There is no attachment a on this branch; `ticketree attachments` lists them."
    assert sentence(elsewhere) == "There is no node 999 in this conversation."
    assert {both.exit_code, unknown.exit_code, elsewhere.exit_code} == {2}
