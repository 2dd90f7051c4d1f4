from pathlib import Path

import pytest

from assistant.plan.plan import StrategyName
from storage.closed_means import ClosedMeans
from storage.retention import RetentionRules
from tui.config import Config, load_config
from tui.errors import SetupError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_every_key_is_read(file: Path) -> None:
    file.write_text(
        """
        agent = "camille"
        db = "desk.db"
        model = "gpt-4.1-mini"
        base_url = "http://localhost:11434/v1"
        budget = 1900
        strategy = "select"
        window_turns = 4
        sticky = false
        counter = "estimate"
        temperature = 0
        max_output_tokens = 800
        connect_timeout_s = 5
        first_byte_timeout_s = 90
        between_chunks_timeout_s = 60.5
        replies_folder = "/srv/replies"
        tasks_folder = "~/tasks"
        theme = "textual-light"
        [keys]
        follow_up = "f"
        """
    )

    assert load_config(file, must_exist=True) == Config(
        path=file,
        agent="camille",
        db=file.parent / "desk.db",
        model="gpt-4.1-mini",
        base_url="http://localhost:11434/v1",
        budget=1900,
        strategy=StrategyName.SELECT,
        window_turns=4,
        sticky=False,
        counter="estimate",
        temperature=0.0,
        max_output_tokens=800,
        connect_timeout_s=5.0,
        first_byte_timeout_s=90.0,
        between_chunks_timeout_s=60.5,
        replies_folder=Path("/srv/replies"),
        tasks_folder=Path.home() / "tasks",
        theme="textual-light",
        keys={"follow_up": "f"},
    )


def test_no_file_is_an_empty_configuration(file: Path) -> None:
    assert load_config(file, must_exist=False) == Config()


def test_a_file_that_was_asked_for_must_exist(file: Path) -> None:
    with pytest.raises(SetupError, match=r"There is no configuration file .*config\.toml\."):
        load_config(file, must_exist=True)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("budget = 0", "budget must be a whole number of at least 1, not 0."),
        ('budget = "many"', "budget must be a whole number of at least 1, not 'many'."),
        ("budget = true", "budget must be a whole number of at least 1, not True."),
        ("budget = 1.5", "budget must be a whole number of at least 1, not 1.5."),
        ('strategy = "best"', 'strategy must be one of "cut", "select", "window", "summarise", not \'best\'.'),
        ('counter = "guess"', 'counter must be one of "exact", "estimate", not \'guess\'.'),
        ("temperature = 2.1", "temperature must be a number from 0 to 2, not 2.1."),
        ("temperature = nan", "temperature must be a number from 0 to 2, not nan."),
        ("first_byte_timeout_s = 0", "first_byte_timeout_s must be a number from 0.1 to 3600, not 0."),
        ('agent = "  "', "agent must be a text in quotes that is not empty, not '  '."),
        ("model = 4", "model must be a text in quotes that is not empty, not 4."),
        ("db = 4", "db must be a path in quotes, not 4."),
        ('keys = "j"', "keys must be a table of texts"),
        ("keys.follow_up = 1", "keys must be a table of texts"),
        ("agent = camille", "is not valid TOML:"),
    ],
)
def test_a_value_that_cannot_be_used_is_one_sentence_with_file_and_key(file: Path, line: str, sentence: str) -> None:
    file.write_text(line)

    with pytest.raises(SetupError) as caught:
        load_config(file, must_exist=True)

    assert str(file) in str(caught.value)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_text_is_one_sentence(file: Path) -> None:
    file.write_bytes(b'agent = "\xff\xfe"')

    with pytest.raises(SetupError, match="is not UTF-8 text"):
        load_config(file, must_exist=True)


def test_a_folder_in_place_of_the_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="cannot be read: Is a directory"):
        load_config(tmp_path, must_exist=True)


def test_an_unknown_key_is_a_warning_with_the_nearest_known_one(file: Path) -> None:
    file.write_text('bugdet = 1900\nagent = "camille"')

    config = load_config(file, must_exist=True)

    assert config.agent == "camille"
    assert config.warnings == (f"{file}: the key bugdet is not known and does nothing; did you mean budget?",)


def test_an_unknown_key_like_no_other_names_the_known_ones(file: Path) -> None:
    file.write_text("zzz = 1")

    (warning,) = load_config(file, must_exist=True).warnings

    assert "known keys are agent, db, model" in warning


def test_how_long_words_are_kept_is_read(file: Path) -> None:
    file.write_text(
        """
        [retention]
        days_after_closing = 365
        grace_days_for_reopening = 14
        closed_means = { csv = ["Done", "closed"], json = ["solved"] }
        """
    )

    config = load_config(file, must_exist=True)
    assert config.retention == RetentionRules(365, 14)
    assert config.closed_means == ClosedMeans({"csv": frozenset({"done", "closed"}), "json": frozenset({"solved"})})
    file.write_text("[retention]\ndays_after_closing = 0\n")
    assert load_config(file, must_exist=True).retention == RetentionRules(0)
    file.write_text("")
    config = load_config(file, must_exist=True)
    assert (config.retention, config.closed_means) == (None, ClosedMeans())


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("retention = 30", r"retention must be a table, such as \[retention\] with days_after_closing = 365"),
        ("[retention]", "must say days_after_closing"),
        (
            "[retention]\ndays_after_closing = -1",
            "retention.days_after_closing must be a whole number from 0 to 36,500",
        ),
        ("[retention]\ndays_after_closing = 99999", "from 0 to 36,500"),
        ("[retention]\ndays_after_closing = true", "must be a whole number"),
        ('[retention]\ndays_after_closing = 1\nclosed_means = "done"', "a table of lists of texts"),
        ("[retention]\ndays_after_closing = 1\nclosed_means = { csv = [] }", "a table of lists of texts"),
        ("[retention]\ndays_after_closing = 1\nclosed_means = { csv = [1] }", "a table of lists of texts"),
    ],
)
def test_a_retention_that_cannot_be_used_says_so(file: Path, line: str, why: str) -> None:
    file.write_text(line)

    with pytest.raises(SetupError, match=why):
        load_config(file, must_exist=True)


def test_a_misspelt_key_of_a_table_is_told_with_its_table(file: Path) -> None:
    file.write_text("[retention]\ndays_after_closing = 1\ndays_for_reopening = 1\n")

    (warning,) = load_config(file, must_exist=True).warnings
    assert "the key retention.days_for_reopening is not known" in warning
    assert "did you mean grace_days_for_reopening?" in warning
