"""How many tokens a model takes, and how that is known: learned, configured, of the server's kind, or documented."""

import tomllib
from datetime import date

import pytest

from assistant.tokens.windows import KNOWN_FILE, Window, WindowSource, known_server, window_of
from storage.measures import LearnedWindow

URL = "http://localhost:8000/v1"
OLLAMA = "http://localhost:11434/v1"


def found(
    model: str = "qwen3", url: str = URL, configured: int | None = None, learned: tuple[LearnedWindow, ...] = ()
) -> tuple[int, WindowSource] | None:
    window = window_of(model, url, configured=configured, learned=learned)
    return None if window is None else (window.tokens, window.source)


def named(tokens: int, configured: int | None = None) -> LearnedWindow:
    return LearnedWindow(tokens, is_bound=False, configured=configured)


def bound(tokens: int, configured: int | None = None) -> LearnedWindow:
    return LearnedWindow(tokens, is_bound=True, configured=configured)


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("gpt-4", 8_192),
        ("gpt-4-32k-0613", 32_768),
        ("gpt-4o-mini-2024-07-18", 128_000),
        ("openai/gpt-4.1-mini", 1_047_576),
        ("ft:gpt-4.1-mini:desk::1", 1_047_576),
        ("gpt-5-mini", 400_000),
        ("gpt-5-chat-latest", 128_000),
        ("anthropic/claude-sonnet-4", 200_000),
    ],
)
def test_the_longest_beginning_of_a_documented_name_counts(model: str, tokens: int) -> None:
    assert found(model) == (tokens, WindowSource.KNOWN)


def test_of_other_models_nothing_is_known() -> None:
    assert found("qwen3") is None


def test_ollama_is_told_by_its_port_and_takes_little_unless_it_is_configured() -> None:
    assert found("qwen3", OLLAMA) == (4_096, WindowSource.SERVER)
    assert found("qwen3", OLLAMA, configured=16_384) == (16_384, WindowSource.CONFIGURED)
    assert known_server("http://[broken") is None
    assert known_server("http://localhost:port/v1") is None


def test_what_the_server_refused_wins_over_what_is_documented_and_configured() -> None:
    assert found("gpt-4o", learned=(named(32_000),)) == (32_000, WindowSource.LEARNED)
    assert found("qwen3", OLLAMA, learned=(named(8_192),)) == (8_192, WindowSource.LEARNED)
    assert found(configured=16_384, learned=(named(4_096, 16_384),)) == (4_096, WindowSource.LEARNED)


def test_whoever_configures_another_window_has_changed_the_server() -> None:
    assert found(configured=16_384, learned=(named(4_096),)) == (16_384, WindowSource.CONFIGURED)
    assert found(learned=(named(4_096, 16_384),)) is None


def test_a_configured_window_may_be_smaller_than_what_the_server_takes() -> None:
    assert found(configured=4_096, learned=(named(8_192, 4_096),)) == (4_096, WindowSource.CONFIGURED)


def test_refusals_without_a_number_come_down_until_the_request_fits() -> None:
    assert found(learned=(bound(8_000),)) == (6_000, WindowSource.LEARNED)
    assert found(learned=(bound(8_000), bound(6_000))) == (4_500, WindowSource.LEARNED)
    assert found(learned=(named(8_192), bound(8_000))) == (6_000, WindowSource.LEARNED)
    assert found(learned=(named(8_192), bound(20_000))) == (8_192, WindowSource.LEARNED)
    assert found(learned=(bound(8_000), named(7_000))) == (7_000, WindowSource.LEARNED)


def test_each_window_says_how_it_is_known() -> None:
    documented = window_of("gpt-4", URL, configured=None, learned=())
    guessed = window_of("gpt-4", URL, configured=None, learned=(bound(8_000),))
    assert documented == Window(8_192, WindowSource.KNOWN, "as documented for gpt-4 on 2025-10-01")
    assert guessed is not None
    assert guessed.reason == "a guess: the server refused 8,000 tokens and named no limit"


def test_the_file_of_documented_windows_is_dated_and_names_its_sources() -> None:
    data = tomllib.loads(KNOWN_FILE.read_text(encoding="utf-8"))
    assert date.fromisoformat(data["as_of"])
    assert all(entry["source"].startswith("https://") for entry in (*data["models"], *data["servers"]))
    names = [name for vendor in data["models"] for name, _ in vendor["windows"]]
    assert len(names) == len(set(names))
