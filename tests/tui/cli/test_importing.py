"""`import`: what it reports, and its exit statuses; the formats themselves are tested in tests/storage/importers."""

import json
from pathlib import Path

import pytest
from command_line import CommandLine, sentence
from sample_record import Desk

TICKET = {"id": "T-7", "subject": "Lamp", "customer": "Ana", "body": "It is broken.", "language": "en"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tickets.json"
    path.write_text(json.dumps(TICKET))
    return path


def test_the_report_is_a_document_of_exactly_the_promised_fields(cli: CommandLine, file: Path) -> None:
    assert cli.json("import", str(file)) == {"found": 1, "imported": 1, "unchanged": 0, "skipped": [], "repaired": []}
    assert cli.json("import", str(file)) == {"found": 1, "imported": 0, "unchanged": 1, "skipped": [], "repaired": []}


def test_a_check_reports_and_writes_nothing(cli: CommandLine, file: Path) -> None:
    assert "1 found, 1 would be imported" in cli.run("import", "--check", str(file)).stdout
    assert cli.json("tickets") == []


def test_what_was_skipped_is_named_with_its_reason_and_the_rest_is_done(cli: CommandLine, file: Path) -> None:
    picture = file.with_name("picture.png")
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")

    partly = cli.run("import", str(file), str(picture))
    nothing = cli.run("import", str(picture))

    assert partly.exit_code == 1
    assert f"skipped   {picture.name}: " in partly.stdout or f"skipped   {picture}: " in partly.stdout
    assert nothing.exit_code == 2


def test_a_file_that_is_not_there_is_skipped_by_name(cli: CommandLine) -> None:
    result = cli.run("import", "no-such-file.eml")

    assert result.exit_code == 2
    assert "no-such-file.eml" in result.stdout


def test_columns_of_another_name_are_mapped(cli: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "export.csv"
    file.write_text("Nummer,Betreff,Text\nT-8,Lampe,Sie ist kaputt.\n")

    mapping = ["--map", "Nummer=id", "--map", "Betreff=subject", "--map", "Text=body"]
    assert cli.run("import", str(file), *mapping).exit_code == 0

    (ticket,) = cli.run("tickets").stdout.splitlines()[1:]
    assert ticket.split()[0] == "T-8"
    assert ticket.endswith("Lampe")


def test_a_mapping_to_an_unknown_column_is_wrong_use(desk: Desk, file: Path) -> None:
    result = desk.cli.run("import", str(file), "--map", "Betreff=title")

    assert result.exit_code == 2
    assert "'title'" in sentence(result)


def test_a_ticket_gets_the_id_that_it_is_given(cli: CommandLine, file: Path) -> None:
    assert cli.run("import", str(file), "--ticket", "T-99").exit_code == 0
    assert "T-99" in cli.run("tickets").stdout
