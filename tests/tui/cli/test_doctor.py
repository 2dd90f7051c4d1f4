"""`doctor`: what is configured, what is missing, and how to fix it."""

from pathlib import Path

import pytest
from command_line import CommandLine
from sample_record import Desk

NAMES = {
    "versions",
    "sqlite",
    "configuration",
    "agent",
    "database",
    "model",
    "counter",
    "task",
    "replies",
    "prices",
    "handbook",
    "clipboard",
    "terminal",
}


@pytest.fixture(autouse=True)
def ordinary_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)


@pytest.fixture(autouse=True)
def safe_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    from storage.sqlite.driver import sqlite3

    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 53, 4))


def checks(cli: CommandLine, *before: str, status: int = 0) -> dict[str, dict[str, str]]:
    """The last check of each name."""
    document = cli.json(*before, "doctor", status=status)
    assert isinstance(document, dict)
    assert set(document) == {"usable", "checks"}
    assert document["usable"] is (status != 2)
    assert all(set(check) == {"name", "state", "found", "advice"} for check in document["checks"])
    return {check["name"]: check for check in document["checks"]}


def test_a_desk_in_order_has_every_check_and_exit_status_0(desk: Desk) -> None:
    found = checks(desk.cli)

    assert set(found) == NAMES
    assert {check["state"] for check in found.values()} == {"ok"}
    assert found["agent"]["found"] == "camille (from --agent)"
    assert found["database"]["found"] == f"{desk.cli.db} (from --db), mode 600, schema up to date, 2 tickets"
    assert "built-in assistant answers" in found["model"]["found"]
    assert found["counter"]["found"] == "cl100k_base, near"


def test_a_database_that_does_not_exist_is_not_made(cli: CommandLine) -> None:
    assert "made at the first use" in checks(cli)["database"]["found"]
    assert not cli.db.exists()


def test_a_database_that_others_can_read_is_a_warning_with_the_way_out(desk: Desk) -> None:
    desk.cli.db.chmod(0o644)

    database = checks(desk.cli, status=1)["database"]

    assert database["state"] == "warning"
    assert database["advice"] == f"Others can read it; `chmod 600 {desk.cli.db}` keeps it yours."


def test_a_file_that_is_no_database_is_a_problem(cli: CommandLine) -> None:
    cli.db.write_bytes(b"no database " * 1_000)

    database = checks(cli, status=2)["database"]

    assert database["state"] == "problem"
    assert str(cli.db) in database["found"]


def test_an_sqlite_that_can_damage_the_record_is_a_warning(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from storage.sqlite.driver import sqlite3

    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 2))

    assert "WAL-reset bug" in checks(desk.cli, status=1)["sqlite"]["found"]


def test_the_key_is_told_to_be_there_and_never_shown(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-desk")

    result = desk.cli.run("--model", "gpt-4.1", "doctor")

    assert "gpt-4.1 at https://api.openai.com/v1, a key is set" in result.stdout
    assert "secret" not in result.output


def test_a_password_in_the_base_url_is_never_shown(desk: Desk) -> None:
    result = desk.cli.run("--base-url", "http://desk:hunter2@localhost/v1", "doctor")

    assert "http://localhost/v1" in result.stdout
    assert "hunter2" not in result.output


def test_a_model_without_key_and_server_is_a_warning(desk: Desk) -> None:
    model = checks(desk.cli, "--model", "gpt-4.1", status=1)["model"]

    assert model["state"] == "warning"
    assert "OPENAI_API_KEY" in model["advice"]


def test_a_broken_configuration_is_told_and_the_rest_is_still_looked_at(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("budget = 0")

    found = checks(desk.cli, "--config", str(file), status=2)

    assert found["configuration"]["found"] == f"{file}: budget must be a whole number of at least 1, not 0."
    assert {"versions", "sqlite", "terminal"} <= set(found)


def test_unknown_keys_of_the_configuration_are_warnings(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("bugdet = 1")

    assert "did you mean budget?" in checks(desk.cli, "--config", str(file), status=1)["configuration"]["found"]


def test_a_broken_task_and_a_broken_reply_are_problems(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "draft-reply.md").write_text("no front matter")
    file = tmp_path / "config.toml"
    file.write_text('tasks_folder = "."\nreplies_folder = "missing"')

    found = checks(desk.cli, "--config", str(file), status=2)

    assert found["task"]["state"] == "problem"
    assert found["replies"]["state"] == "problem"


@pytest.mark.parametrize(
    ("variables", "found"),
    [
        ({"SSH_TTY": "/dev/pts/1"}, "through the terminal"),
        ({"DISPLAY": ":0"}, "the desktop's clipboard"),
        ({"TERM": "linux"}, "a file in "),
    ],
    ids=["ssh", "desktop", "console"],
)
def test_the_way_of_a_copy_is_told(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], found: str
) -> None:
    for name in ("SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert found in checks(desk.cli)["clipboard"]["found"]


def test_inside_tmux_the_needed_option_is_named(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMUX", "/run/tmux,1,0")

    assert "set-clipboard on" in checks(desk.cli)["terminal"]["advice"]


def test_for_people_each_check_is_a_line_with_sign_name_and_finding(desk: Desk) -> None:
    lines = desk.cli.run("doctor").stdout.splitlines()

    assert "✓ agent          camille (from --agent)" in lines
