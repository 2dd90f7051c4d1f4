"""The README promises only what the program does."""

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from storage.closed_means import UNCONFIGURED
from tui.cli.program import COMMANDS, ticketree
from tui.commands.registry import COMMANDS as ACTIONS
from tui.config import load_config

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def command_lines() -> Iterator[list[str]]:
    """The arguments of every `ticketree …` line, without pipes and redirections."""
    for block in blocks("sh"):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if "ticketree" in words and words[0] in ("ticketree", "uv"):
                arguments = words[words.index("ticketree") + 1 :]
                end = next((place for place, word in enumerate(arguments) if word in ("|", "<", ">")), len(arguments))
                yield arguments[:end]


def commands_of(command: click.Command, context: click.Context) -> list[click.Command]:
    """The command itself, and those of a group."""
    if not isinstance(command, click.Group):
        return [command]
    found = [command.get_command(context, name) for name in command.list_commands(context)]
    return [command, *(each for each in found if each is not None)]


@pytest.mark.parametrize("arguments", command_lines(), ids=" ".join)
def test_every_command_line_is_understood(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def hear(name: str) -> None:
        if click.get_current_context().invoked_subcommand is None:
            ran.append(name)

    context = ticketree.make_context("ticketree", ["--version"], resilient_parsing=True)
    for name in COMMANDS:
        command = ticketree.get_command(context, name)
        assert command is not None
        for each in commands_of(command, context):
            monkeypatch.setattr(each, "callback", lambda name=name, **_: hear(name))
    monkeypatch.setattr("tui.cli.app.start_app", lambda *_, **__: ran.append("the app"))

    result = CliRunner().invoke(ticketree, arguments)

    assert result.exit_code == 0, result.output
    assert len(ran) == 1


def test_every_command_is_told() -> None:
    told = {argument for arguments in command_lines() for argument in arguments}

    assert set(COMMANDS) <= told


def test_the_example_of_a_configuration_can_be_used(tmp_path: Path) -> None:
    (example,) = blocks("toml")
    file = tmp_path / "config.toml"
    file.write_text(example, encoding="utf-8")

    config = load_config(file, must_exist=True)

    assert config.warnings == ()
    of_its_own = {name for name in config.__slots__ if name not in ("path", "closed_means", "warnings")}
    assert set(tomllib.loads(example)) == of_its_own
    assert config.closed_means != UNCONFIGURED
    assert set(config.keys) <= {action.id for action in ACTIONS}


def test_the_example_of_a_task_can_be_used(tmp_path: Path) -> None:
    (example,) = blocks("markdown")
    file = tmp_path / "refund-note.md"
    file.write_text(example, encoding="utf-8")

    result = CliRunner().invoke(ticketree, ["--db", str(tmp_path / "desk.db"), "tasks", "check", str(file)])

    assert result.exit_code == 0, result.output


def test_the_example_of_a_ticket_can_be_imported(tmp_path: Path) -> None:
    (example,) = blocks("json")
    file = tmp_path / "ticket.json"
    file.write_text(example, encoding="utf-8")

    result = CliRunner().invoke(ticketree, ["--db", str(tmp_path / "desk.db"), "import", str(file), "--json"])

    assert json.loads(result.stdout) == {"found": 1, "imported": 1, "unchanged": 0, "skipped": [], "repaired": []}


def test_the_keys_are_the_app_s() -> None:
    keys = {action.title: action.keys for action in ACTIONS}
    rows = re.findall(r"^\| (`.*?`) \| (.*?) \|$", README.split("## Keys")[1].split("##")[0], re.MULTILINE)

    assert rows
    for shown, titles in rows:
        titles = re.sub(r" \(.*?\)", "", titles)
        for key, title in zip(re.findall(r"`(.*?)`", shown), titles.split("; "), strict=True):
            assert key in keys[title]
