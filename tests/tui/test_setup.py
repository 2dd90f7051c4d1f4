from pathlib import Path

import pytest

from assistant.plan.plan import PlanSettings, StrategyName
from tui import locations
from tui.config import Config
from tui.errors import SetupError
from tui.options import Options
from tui.setup import Chosen, resolve, resolve_with

FILE = Path("desk/config.toml")


def test_an_option_wins_over_the_environment_and_the_environment_over_the_file() -> None:
    config = Config(path=FILE, agent="filed", db=Path("filed.db"), model="filed-model", base_url="http://filed/v1")
    environ = {"TICKETREE_AGENT": "env", "TICKETREE_DB": "env.db", "OPENAI_BASE_URL": "http://env/v1"}
    options = Options(agent="typed", db=Path("typed.db"), model="typed-model", base_url="http://typed/v1")

    by_option = resolve_with(config, options, environ)
    by_environment = resolve_with(config, Options(), environ)
    by_file = resolve_with(config, Options(), {})

    assert by_option.agent == Chosen("typed", "--agent")
    assert by_option.database == Chosen("typed.db", "--db")
    assert by_option.model == Chosen("typed-model", "--model")
    assert by_option.base_url == Chosen("http://typed/v1", "--base-url")
    assert by_environment.agent == Chosen("env", "TICKETREE_AGENT")
    assert by_environment.database == Chosen("env.db", "TICKETREE_DB")
    assert by_environment.base_url == Chosen("http://env/v1", "OPENAI_BASE_URL")
    assert by_file.agent == Chosen("filed", str(FILE))
    assert by_file.database == Chosen("filed.db", str(FILE))
    assert by_file.model == Chosen("filed-model", str(FILE))
    assert by_file.base_url == Chosen("http://filed/v1", str(FILE))


def test_without_any_choice_the_login_name_and_the_data_folder_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "camille")

    setup = resolve_with(Config(), Options(), {})

    assert setup.agent == Chosen("camille", "the name you are logged in with")
    assert setup.database == Chosen(str(locations.database_file()), "default")
    assert setup.model.value == setup.base_url.value == setup.api_key == ""
    assert setup.settings == PlanSettings()


def test_an_unknown_login_name_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr("getpass.getuser", unknown)

    with pytest.raises(SetupError, match="--agent NAME or TICKETREE_AGENT"):
        resolve_with(Config(), Options(), {})


@pytest.mark.parametrize("name", ["\x1b[31mred", "two\nlines", "a\u202eb", "x" * 81])
def test_a_name_that_could_deceive_is_refused(name: str) -> None:
    with pytest.raises(SetupError, match=r"The agent's name \(from TICKETREE_AGENT\)"):
        resolve_with(Config(), Options(), {"TICKETREE_AGENT": name})


def test_an_empty_agent_option_is_refused_and_not_replaced_by_another_name() -> None:
    with pytest.raises(SetupError, match="--agent needs a name"):
        resolve_with(Config(agent="camille"), Options(agent=" "), {})


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://host/v1", "http://", "https:///"])
def test_a_base_url_that_is_none_says_how_one_looks(url: str) -> None:
    with pytest.raises(SetupError, match="must look like http://localhost:11434/v1"):
        resolve_with(Config(), Options(base_url=url), {})


def test_the_key_is_taken_from_the_environment_and_never_shown() -> None:
    setup = resolve_with(Config(), Options(agent="camille"), {"OPENAI_API_KEY": " sk-secret "})

    assert setup.api_key == "sk-secret"
    assert "secret" not in repr(setup)


def test_settings_of_the_file_become_the_defaults() -> None:
    config = Config(budget=1900, strategy=StrategyName.WINDOW, window_turns=2, sticky=True)

    settings = resolve_with(config, Options(agent="camille"), {}).settings

    assert settings == PlanSettings(strategy=StrategyName.WINDOW, budget=1900, window_turns=2, sticky=True)


def test_the_configuration_file_that_was_asked_for_is_read(tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    file.write_text('agent = "camille"')

    assert resolve(Options(config=file), {}).agent == Chosen("camille", str(file))
