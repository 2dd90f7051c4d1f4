"""`doctor` on sizes: how counts come about, what the model takes, and what an exact count is contradicted by."""

from dataclasses import replace

import pytest
from desks import A_REQUEST
from sample_record import Desk

from storage.measures import LearnedWindow, PromptCount

URL = "http://localhost:8000/v1"


def checks(desk: Desk, *options: str, status: int = 0) -> dict[str, dict[str, str]]:
    document = desk.cli.json(*options, "doctor", status=status)
    assert isinstance(document, dict)
    return {check["name"]: check for check in document["checks"]}


def model(name: str, url: str = URL) -> list[str]:
    return ["--base-url", url, "--model", name]


@pytest.fixture(autouse=True)
def a_machine_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    from storage.sqlite.driver import sqlite3

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 53, 4))


def sent(desk: Desk, name: str, *counts: PromptCount, encoding: str, window: LearnedWindow | None = None) -> None:
    """Let requests to a model be counted so, and perhaps refused."""
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        for attempt, count in enumerate(counts or (None,), 1):
            request_id = store.record_request(
                conversation,
                desk.answer,
                replace(A_REQUEST, attempt=50 + attempt, task_version="3", base_url=URL, model=name),
            )
            if count is not None:
                store.add_prompt_count(conversation, request_id, encoding, count)
            if window is not None:
                store.learn_window(conversation, request_id, window)


def test_an_unknown_window_leaves_the_budget_alone(desk: Desk) -> None:
    found = checks(desk, *model("qwen3"))
    assert found["window"]["found"] == "not known, so the budget of 3,000 tokens alone counts"
    assert found["counter"]["found"] == "cl100k_base, near until a few more answers have come (0 so far)"


def test_each_source_of_a_window_is_named(desk: Desk) -> None:
    assert "8,192 tokens (as documented for gpt-4 on" in checks(desk, *model("gpt-4"))["window"]["found"]
    assert "1,024 are kept for the answer, 7,168 left" in checks(desk, *model("gpt-4"))["window"]["found"]
    configured = checks(desk, *model("qwen3"), "--window", "9000")["window"]["found"]
    assert configured.startswith("9,000 tokens (configured)")
    ollama = checks(desk, *model("qwen3", "http://localhost:11434/v1"))["window"]
    assert "4,096 tokens (what Ollama takes unless it is told otherwise" in ollama["found"]
    assert "without a word" in ollama["advice"]
    sent(desk, "qwen3", encoding="cl100k_base", window=LearnedWindow(2_048, False, None))
    assert checks(desk, *model("qwen3"))["window"]["found"].startswith("2,048 tokens (the server said so")


def test_calibrated_counts_say_what_they_rest_on(desk: Desk) -> None:
    sent(desk, "qwen3", *[PromptCount(2, tokens, 13 * tokens // 10 + 11) for tokens in (300, 500, 900)],
         encoding="cl100k_base")  # fmt: skip
    assert checks(desk, *model("qwen3"))["counter"]["found"].startswith("cl100k_base, calibrated by 3 answers (text by")


def test_an_exact_count_that_the_server_contradicts_is_a_warning(desk: Desk) -> None:
    sent(desk, "gpt-4", *[PromptCount(2, tokens, tokens + 11 + 212) for tokens in (300, 500, 900, 1_000, 1_500)],
         encoding="cl100k_base")  # fmt: skip
    counter = checks(desk, *model("gpt-4"), status=1)["counter"]
    assert counter["state"] == "warning"
    assert "exact; but the server counts about 212 tokens more than are sent, in the last 5 answers" in counter["found"]
    assert "gateway" in counter["advice"]


@pytest.mark.parametrize(
    ("config", "status", "advice"),
    [
        ("max_output_tokens = 9000", 2, "Lower max_output_tokens"),
        ("budget = 8000", 1, "The configured budget of 8,000 tokens is used up to 7,168; lower it."),
    ],
)
def test_a_budget_or_an_answer_that_the_window_does_not_take_is_told(
    desk: Desk, config: str, status: int, advice: str
) -> None:
    file = desk.cli.db.parent / "sizes.toml"
    file.write_text(config, encoding="utf-8")
    window = checks(desk, "--config", str(file), *model("gpt-4"), status=status)["window"]
    assert window["advice"].startswith(advice)
