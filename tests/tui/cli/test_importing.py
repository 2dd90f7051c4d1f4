"""`import`: what it reports, and its exit statuses; the formats themselves are tested in tests/storage/importers."""

import json
from pathlib import Path

import pytest
from chat_exports import a_chatgpt_chain, a_chatgpt_message, text_content
from command_line import CommandLine, sentence
from sample_record import Desk

from storage.values import Json
from tui.cli.progress import ProgressLine

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
    cli.make()
    assert "1 found, 1 would be imported" in cli.run("import", "--check", str(file)).stdout
    assert cli.json("tickets") == []


def test_a_check_makes_no_record_where_there_is_none(cli: CommandLine, file: Path) -> None:
    before = set(file.parent.iterdir())

    report = cli.json("import", "--check", str(file))

    assert report == {"found": 1, "imported": 1, "unchanged": 0, "skipped": [], "repaired": []}
    assert set(file.parent.iterdir()) == before
    assert not cli.db.exists()


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


@pytest.mark.parametrize(
    "arguments", [("no-such-file.json",), ("empty",), ("no-id.json",), ("no-id.json", "--map", "a=b")]
)
def test_where_nothing_is_to_be_imported_no_record_is_made(
    arguments: tuple[str, ...], cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "no-id.json").write_text(json.dumps({"body": "It is broken."}))

    result = cli.run("import", *arguments)

    assert result.exit_code == (0 if arguments == ("empty",) else 2)
    assert not cli.db.exists()


def test_a_ticket_without_an_id_makes_a_record_where_it_is_given_one(cli: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "no-id.json").write_text(json.dumps({"body": "It is broken."}))

    assert cli.run("import", str(tmp_path / "no-id.json"), "--ticket", "T-9").exit_code == 0
    assert "T-9" in cli.run("tickets").stdout


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


def a_chat(answer: str = "Say it plainly.") -> dict[str, Json]:
    return a_chatgpt_chain(
        a_chatgpt_message("u", "user", text_content("How do I word this?")),
        a_chatgpt_message("t", "tool", text_content("machinery")),
        a_chatgpt_message("a", "assistant", text_content(answer)),
        title="Wording",
    )


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([a_chat()]))
    return path


def ticket_of_chat(cli: CommandLine) -> str:
    return next(line.split()[0] for line in cli.run("tickets").stdout.splitlines() if line.endswith("Wording"))


def test_a_chat_becomes_a_closed_ticket_with_the_agent_s_conversation(cli: CommandLine, chat: Path) -> None:
    assert cli.json("import", str(chat)) == {"found": 1, "imported": 1, "unchanged": 0, "skipped": [], "repaired": []}
    assert cli.json("import", str(chat)) == {"found": 1, "imported": 0, "unchanged": 1, "skipped": [], "repaired": []}

    ticket = ticket_of_chat(cli)
    tree = cli.json("tree", ticket)
    assert isinstance(tree, dict)
    assert tree["agent"] == "camille"
    assert [(node["kind"], node["text"]) for node in tree["nodes"][2:]] == [
        ("agent_message", "How do I word this?"),
        ("assistant_response", "Say it plainly."),
    ]
    assert tree["selected"] == tree["nodes"][-1]["id"]
    shown = cli.run("show", ticket).stdout
    assert "Say it plainly." in shown
    assert "machinery" not in shown
    assert "Say it plainly." in cli.run("export", ticket, "--to", "markdown").stdout
    assert cli.run("tickets", "--status", "closed").stdout.count("Wording") == 1


def test_what_would_be_sent_after_a_chat_lacks_no_ticket(cli: CommandLine, chat: Path) -> None:
    cli.run("import", str(chat))

    result = cli.run("plan", ticket_of_chat(cli), "shorter", "--json")
    plan = json.loads(result.stdout)

    assert (plan["verdict"], plan["ticket_sent"], plan["counts"]["ticket"]) == ("fits", True, 0)
    assert [item["kind"] for item in plan["interactions"]] == [
        "system",
        "agent_message",
        "assistant_response",
        "question",
    ]
    assert result.stderr == ""


def test_a_chat_goes_to_the_ticket_that_is_named(desk: Desk, chat: Path) -> None:
    assert desk.cli.run("import", str(chat), "--ticket", "T-1").exit_code == 0
    assert "Say it plainly." in desk.cli.run("show", "T-1").stdout

    missing = desk.cli.run("import", str(chat), "--ticket", "T-99")
    assert missing.exit_code == 2
    assert "there is no ticket T-99" in missing.stdout


def test_what_was_repaired_is_told(cli: CommandLine, chat: Path) -> None:
    cli.run("import", str(chat))
    chat.write_text(json.dumps([a_chat("Say it otherwise."), {"title": "no chat"}]))

    result = cli.run("import", str(chat))

    assert result.exit_code == 1
    assert "'n2' has another text than when it was imported" in result.stdout
    assert "#2: it is no chat of a program that is known" in result.stdout


def test_progress_is_shown_on_a_terminal_alone_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = iter(range(100))
    monkeypatch.setattr("tui.cli.progress.time.monotonic", lambda: float(next(seconds)))
    with ProgressLine() as silent:
        silent.tell("a.json", 1)
    assert capsys.readouterr().err == ""

    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with ProgressLine() as line:
        line.tell("a\x1b[31m.json", 1_234)
    assert capsys.readouterr().err == "\r\x1b[K1,234 found · a␛[31m.json\r\x1b[K"
