"""Foreign text in every command: no control sequence that came from data reaches the terminal."""

import re
from contextlib import closing
from pathlib import Path

import pytest
from command_line import CommandLine
from hostile import EVERY, Hostile

from storage.interactions import Status
from storage.sqlite_store import open_store
from storage.text import storable
from storage.tickets import IncomingTicket, Role, TicketMessage

OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@pytest.fixture(scope="module")
def hostile_desk(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Every string as subject, customer, message, author, answer and error text."""
    cli = CommandLine(tmp_path_factory.mktemp("hostile") / "desk.db")
    texts = [storable(hostile.text) for hostile in EVERY]
    with closing(open_store(cli.db)) as store:
        for number, text in enumerate(texts):
            message = TicketMessage(author=text, role=Role.CUSTOMER, text=text)
            store.save_ticket(IncomingTicket(id=f"T-{number}", subject=text, customer=text, messages=(message,)))
        conversation = store.open_conversation("camille", "T-1").id
        for text in texts:
            question = store.add_message(conversation, store.selected(conversation), "camille", text)
            answer = store.begin_answer(conversation, question.id, text, meta={})
            store.add_text(conversation, answer.id, text)
            error = {"kind": "other", "message": text, "advice": text}
            store.finish(conversation, answer.id, Status.ERROR, {"error": error})
    return cli


@pytest.mark.parametrize(
    "command",
    [["tickets"], ["tree", "T-1"], ["show", "T-1"], ["plan", "T-1", "hm", "--counter", "estimate"]],
    ids=lambda command: str(command[0]),
)
def test_no_command_prints_what_a_terminal_would_obey(hostile_desk: CommandLine, command: list[str]) -> None:
    result = hostile_desk.run(*command)

    assert result.exit_code == 0
    assert result.stdout.count("\n") > len(EVERY)
    assert not OBEYED.search(result.stdout)


@pytest.mark.parametrize("command", [["tickets"], ["tree", "T-1"]], ids=lambda command: str(command[0]))
def test_json_escapes_everything_and_loses_nothing(hostile_desk: CommandLine, command: list[str]) -> None:
    result = hostile_desk.run(*command, "--json")

    assert result.stdout.isascii()
    document = hostile_desk.json(*command)
    rows = document["nodes"] if isinstance(document, dict) else document
    assert isinstance(rows, list)
    texts = {row.get("text", row.get("subject")) for row in rows if isinstance(row, dict)}
    assert {storable(hostile.text) for hostile in EVERY} <= texts


@pytest.mark.parametrize("hostile", [each for each in EVERY if "\0" not in each.text], ids=str)
def test_no_error_prints_what_a_terminal_would_obey(hostile_desk: CommandLine, hostile: Hostile) -> None:
    result = hostile_desk.run("tree", "--", hostile.text)

    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert not OBEYED.search(result.stderr.rstrip("\n"))


def test_a_text_that_begins_with_a_hyphen_follows_two_hyphens(hostile_desk: CommandLine) -> None:
    assert hostile_desk.run("plan", "--counter", "estimate", "--", "T-1", "-2+3").exit_code == 0


def test_an_unreadable_path_is_named_without_obeying_it(tmp_path: Path) -> None:
    path = tmp_path / "red\x1b[31m.db"
    path.write_bytes(b"no database " * 1_000)

    result = CommandLine(path).run("tickets")

    assert "red␛[31m.db" in result.stderr
    assert not OBEYED.search(result.stderr.rstrip("\n"))
