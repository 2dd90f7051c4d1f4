"""`handbook search`, and what `doctor` says of the handbook."""

from pathlib import Path

import pytest
from command_line import CommandLine, sentence

from storage.values import Json


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "handbook"
    made.mkdir()
    (made / "returns.md").write_text("# Returns\n\n## Refunds\n\nWithin 14 days.\n\nBy the same way.\x1b[2J\n")
    return made


def checks(cli: CommandLine, *before: str, status: int = 0) -> list[tuple[str, str, str]]:
    document = cli.json(*before, "doctor", status=status)
    assert isinstance(document, dict)
    found: list[tuple[str, str, str]] = [
        (check["state"], check["found"], check["advice"]) for check in document["checks"] if check["name"] == "handbook"
    ]
    return found


def test_passages_are_listed_with_file_and_heading(cli: CommandLine, folder: Path) -> None:
    result = cli.run("--handbook", str(folder), "handbook", "search", "refunds", "please")

    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:4] == ["returns.md › Returns › Refunds", "    Within 14 days.", "", lines[3]]
    assert "\x1b" not in result.stdout


def test_as_json_each_passage_has_its_place(cli: CommandLine, folder: Path) -> None:
    found: Json = cli.json("--handbook", str(folder), "handbook", "search", "refunds")

    assert found == [
        {
            "file": "returns.md",
            "heading": "Returns › Refunds",
            "line": 5,
            "text": "Within 14 days.\n\nBy the same way.\x1b[2J",
        }
    ]


def test_finding_nothing_is_no_failure(cli: CommandLine, folder: Path) -> None:
    result = cli.run("--handbook", str(folder), "handbook", "search", "kettle")

    assert (result.exit_code, result.stdout) == (0, "The handbook says nothing on kettle.\n")
    assert cli.json("--handbook", str(folder), "handbook", "search", "kettle") == []


def test_without_a_handbook_it_says_how_to_name_one(cli: CommandLine, tmp_path: Path) -> None:
    for before in ([], ["--handbook", str(tmp_path / "none")]):
        result = cli.run(*before, "handbook", "search", "refunds")
        assert result.exit_code == 2
        assert "--handbook" in sentence(result)


def test_the_configuration_names_it_relative_to_its_own_folder(cli: CommandLine, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('handbook = "handbook"\n')

    found = cli.json("--config", str(tmp_path / "config.toml"), "handbook", "search", "refunds")

    assert isinstance(found, list)
    assert len(found) == 1


def test_doctor_counts_what_is_there_and_names_what_is_skipped(cli: CommandLine, folder: Path) -> None:
    (folder / "latin.md").write_bytes("Rückgabe".encode("latin-1"))

    found = checks(cli, "--handbook", str(folder), status=1)

    assert found == [
        ("ok", f"{folder} (from --handbook), 1 file, 1 passage", ""),
        ("warning", "latin.md is not UTF-8 text; save it as UTF-8; it is skipped", ""),
    ]


def test_doctor_names_the_first_of_many_and_an_empty_folder_as_such(cli: CommandLine, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert [state for state, *_ in checks(cli, "--handbook", str(empty), status=1)] == ["warning"]
    for number in range(9):
        (empty / f"{number}.md").write_bytes(b"\0")

    found = [what for _, what, _ in checks(cli, "--handbook", str(empty), status=1)]

    assert len(found) == 7
    assert found[-1] == "4 more files are skipped"


def test_doctor_says_that_none_is_configured_or_that_it_is_not_there(cli: CommandLine, tmp_path: Path) -> None:
    ((state, found, advice),) = checks(cli)
    assert (state, found) == ("ok", "none is configured")
    assert "--handbook" in advice
    ((state, found, _),) = checks(cli, "--handbook", str(tmp_path / "none"), status=2)
    assert state == "problem"
    assert "There is no handbook folder" in found


@pytest.mark.parametrize(
    ("line", "wanted"),
    [("step_limit = 0", "from 1 to 50"), ("turn_tokens = 0", "of at least 1"), ('self_check = "yes"', "true or false")],
)
def test_limits_that_cannot_be_used_are_named(cli: CommandLine, tmp_path: Path, line: str, wanted: str) -> None:
    (tmp_path / "config.toml").write_text(line)

    assert wanted in sentence(cli.run("--config", str(tmp_path / "config.toml"), "tickets"))
