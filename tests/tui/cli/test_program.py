"""The program as a whole: what it imports, its options, and how it fails."""

import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CommandLine, sentence
from sample_record import Desk

from tui.cli.program import COMMANDS, ticketree


def modules_after(*arguments: str) -> set[str]:
    """Run the program in a fresh interpreter and return what it imported."""
    code = (
        "import sys\n"
        "from tui.cli import main\n"
        f"sys.argv = ['ticketree', *{list(arguments)!r}]\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
        "print('\\n' + ' '.join(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    "arguments",
    [
        ["tickets"],
        ["plan", "T-1", "shorter", "--at", "1"],
        ["tree", "T-1"],
        ["show", "T-1"],
        ["export", "T-1", "--to", "mermaid"],
        ["tasks"],
    ],
    ids=lambda arguments: str(arguments[0]),
)
def test_no_command_but_the_app_imports_textual_and_none_but_those_that_ask_openai(
    desk: Desk, arguments: list[str]
) -> None:
    arguments = [str(desk.answer) if each == "1" else each for each in arguments]

    modules = modules_after("--db", str(desk.cli.db), "--agent", "camille", *arguments)

    assert modules.isdisjoint({"textual", "openai", "pyperclip"})


def test_the_version_is_told_without_opening_anything() -> None:
    modules = modules_after("--version")

    assert modules.isdisjoint({"textual", "openai", "tiktoken", "sqlite_utils", "platformdirs", "rich"})


def test_the_version_is_the_package_s(cli: CommandLine) -> None:
    assert cli.run_bare("--version").stdout == "ticketree 0.1.0\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(cli: CommandLine, name: str) -> None:
    result = cli.run_bare(name, "--help")

    assert result.exit_code == 0
    assert name in cli.run_bare("--help").stdout
    assert result.stdout.startswith(f"Usage: ticketree {name}")


def test_the_app_without_a_terminal_is_refused_with_a_hint(cli: CommandLine) -> None:
    for arguments in ([], ["open", "T-1"], ["demo"]):
        assert "needs a terminal" in sentence(cli.run(*arguments))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fly"], "No such command 'fly'"),
        (["tickets", "--nonsense"], "No such option"),
        (["tree"], "Missing argument 'TICKET'"),
        (["tree", "T-9"], "T-9"),
        (["show", "T-9"], "T-9"),
        (["plan", "T-9", "hello"], "T-9"),
        (["ask", "T-9", "hello"], "T-9"),
        (["show", "T-1", "--at", "999"], "999"),
        (["plan", "T-1", "hello", "--at", "999"], "999"),
        (["ask", "T-1", "hello", "--at", "999"], "999"),
        (["show", "T-1", "--at", "x"], "'x' is not a valid integer"),
        (["plan", "T-1", "hello", "--budget", "0"], "0 is not in the range"),
        (["plan", "T-1", "hello", "--budget", "many"], "'many' is not a valid integer"),
        (["plan", "T-1", "hello", "--strategy", "best"], "'best' is not one of"),
        (["plan", "T-1", "hello", "--counter", "guess"], "'guess' is not one of"),
        (["ask", "T-1", "hello", "--task", "no-such-task"], "no-such-task"),
        (["ask", "T-1", "  "], "empty"),
        (["import"], "Missing argument 'PATH...'"),
        (["import", "x.csv", "--map", "Betreff"], "must look like THEIRS=OURS"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_use_is_one_sentence_and_exit_status_2(desk: Desk, arguments: list[str], said: str) -> None:
    result = desk.cli.run(*arguments)

    assert result.exit_code == 2
    assert said in sentence(result)


@pytest.mark.parametrize("command", ["tree", "show", "plan", "ask"])
def test_a_node_of_another_agent_is_not_found_as_if_it_did_not_exist(desk: Desk, command: str) -> None:
    def said(node: int) -> str:
        text = ["hello"] if command in ("plan", "ask") else []
        at = [] if command == "tree" else ["--at", str(node)]
        ticket = "T-2" if command == "tree" else "T-1"
        result = desk.cli.run(command, ticket, *text, *at)
        assert result.exit_code == 2
        return sentence(result).replace(str(node), "NODE")

    assert said(desk.noahs_ticket) == said(987_654)


def unreadable(path: Path) -> None:
    path.write_bytes(b"this is no database, " * 500)


def empty(path: Path) -> None:
    path.touch()


def folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("make", [unreadable, empty, folder])
@pytest.mark.parametrize("command", [["tickets"], ["tree", "T-1"], ["plan", "T-1"], ["ask", "T-1", "hello"]])
def test_a_database_that_is_none_is_one_sentence(cli: CommandLine, make: object, command: list[str]) -> None:
    assert callable(make)
    make(cli.db)

    result = cli.run(*command)

    assert result.exit_code == 2
    assert str(cli.db) in sentence(result)


def test_a_configuration_that_cannot_be_used_stops_every_command_with_its_sentence(
    cli: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text("budget = 'much'")

    for command in (["tickets"], ["plan", "T-1"], ["ask", "T-1", "hello"], ["tasks"]):
        result = cli.run_bare("--config", str(file), "--db", str(cli.db), *command)
        assert result.exit_code == 2
        assert sentence(result) == f"{file}: budget must be a whole number of at least 1, not 'much'."


def test_an_unknown_configuration_key_is_a_remark_and_the_result_stands_alone_on_stdout(
    desk: Desk, tmp_path: Path
) -> None:
    file = tmp_path / "config.toml"
    file.write_text("bugdet = 4")

    result = desk.cli.run_bare("--config", str(file), "--db", str(desk.cli.db), "tickets", "--json")

    assert result.exit_code == 0
    assert "did you mean budget?" in result.stderr
    assert result.stdout.startswith("[")


def test_a_closed_pipe_is_quiet(desk: Desk) -> None:
    with desk.store() as store:
        node = store.selected(store.conversation("camille", "T-1").id)
        store.add_message(store.conversation("camille", "T-1").id, node, "camille", "long line\n" * 100_000)

    program = f"from tui.cli import main; import sys; sys.argv = ['ticketree', '--db', {str(desk.cli.db)!r}"
    shell = f"{sys.executable} -c \"{program}, '--agent', 'camille', 'show', 'T-1']; main()\" | head -c 9"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True)

    assert done.stdout == "[2] · T-"
    assert done.stderr == ""


def test_a_fault_of_the_program_is_a_sentence_too(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tui.cli import main

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(ticketree, "invoke", broken)
    monkeypatch.setattr(sys, "argv", ["ticketree", "tickets"])

    with pytest.raises(SystemExit) as caught:
        main()

    assert caught.value.code == 2
    assert capsys.readouterr().err == (
        "ticketree: Something unexpected happened (RuntimeError: boom); TICKETREE_TRACEBACK=1 shows where.\n"
    )
