from pathlib import Path

import pytest
from command_line import CommandLine
from sample_record import Desk, a_desk


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TICKETREE_DB", "TICKETREE_AGENT", "NO_COLOR", "TMUX"):
        monkeypatch.delenv(name, raising=False)
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def cli(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path / "desk.db")


@pytest.fixture
def desk(cli: CommandLine) -> Desk:
    return a_desk(cli)
