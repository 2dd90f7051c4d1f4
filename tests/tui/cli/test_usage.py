"""`usage` and `prices`: what models took and cost, for people, programs and spreadsheets."""

import csv
import io
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from command_line import CommandLine, sentence
from desks import A_REQUEST
from fake_openai import FakeOpenAI
from hostile import EVERY
from sample_record import Desk

from assistant.money.price_file import OLD_AFTER_MONTHS, read_prices, shipped_text
from storage.store import Store
from storage.values import Json, JsonObject
from tui.cli.csv_cells import safe_cell

FIGURES = {"calls", "failed", "without_figures", "usage", "cost", "unpriced", "latency_ms"}
HEAD = (
    "day,calls,failed,without_figures,prompt_tokens,cached_tokens,cache_write_tokens,completion_tokens,"
    "reasoning_tokens,unpriced_tokens,cost,currency"
)
SAID: JsonObject = {
    "prompt_tokens": 2000,
    "prompt_tokens_details": {"cached_tokens": 1500},
    "completion_tokens": 300,
    "completion_tokens_details": {"reasoning_tokens": 64},
}


def today() -> date:
    return datetime.now().astimezone().date()


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as server:
        yield server


@pytest.fixture
def own_prices(bare_environment: None) -> Path:
    path = Path(os.environ["XDG_CONFIG_HOME"]) / "ticketree" / "prices.toml"
    path.parent.mkdir(parents=True)
    return path


def own_text(dated: date, host: str = "127.0.0.1") -> str:
    return (
        f'date = {dated}\ncurrency = "EUR"\n[[server]]\nname = "Ours"\nhosts = ["{host}"]\n'
        'models = [{ names = ["ok"], input = 1, cached = 0.5, output = 10 }]\n'
    )


def record(
    store: Store, node: int, attempt: int, *, model: str = "gpt-4.1-mini", task: str = "draft-reply",
    base_url: str = "https://api.openai.com/v1", usage: JsonObject = SAID, error: str = "",
) -> None:  # fmt: skip
    conversation = store.locate("camille", node).id
    request = store.record_request(
        conversation, node, replace(A_REQUEST, attempt=attempt, task=task, base_url=base_url, model=model)
    )
    store.record_response(
        conversation, request, response=b"", status_code=200, usage=usage, latency_ms=700, error=error
    )


@pytest.fixture
def used(desk: Desk) -> Desk:
    """Camille's conversation on T-1 with three calls of a priced model, one of a local one, and one that failed."""
    with desk.store() as store:
        record(store, desk.answer, 1)
        record(store, desk.shorter_answer, 1, task="translate")
        record(store, desk.friendlier_answer, 1, error="The server is busy.", usage={})
        record(store, desk.friendlier_answer, 2)
        record(store, desk.friendlier_answer, 3, model="llama3.2", base_url="http://localhost:11434/v1")
    return desk


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def member(document: Json, *keys: str | int) -> Json:
    for key in keys:
        if isinstance(key, int):
            assert isinstance(document, list)
            document = document[key]
        else:
            assert isinstance(document, dict)
            document = document[key]
    return document


def test_the_usage_of_a_streamed_answer_is_told_with_the_price_of_ones_own_file(
    desk: Desk, server: FakeOpenAI, own_prices: Path
) -> None:
    asked_on = today()
    own_prices.write_text(own_text(asked_on))
    asked = desk.cli.run("--base-url", server.url, "--model", "ok", "ask", "T-1", "shorter, please")
    assert asked.exit_code == 0

    document = desk.cli.json("usage")

    assert isinstance(document, dict)
    assert set(document) == {"agent", "since", "until", "by", "prices", "total", "groups"}
    day = member(document, "groups", 0, "name")
    assert day in (asked_on.isoformat(), document["until"]), "a day may have ended meanwhile"
    total = member(document, "total")
    assert isinstance(total, dict)
    assert set(total) == FIGURES
    assert total["usage"] == {"prompt": 21, "cached": 0, "cache_write": 0, "completion": 7, "reasoning": 0}
    assert (total["calls"], total["failed"], total["without_figures"], total["unpriced"]) == (1, 0, 0, {})
    assert total["cost"] == "0.000091"
    assert member(document, "prices") == {
        "currency": "EUR", "date": asked_on.isoformat(), "source": "", "file": str(own_prices),
    }  # fmt: skip
    assert member(document, "groups", 0) == {"name": day, **total}


def test_people_see_a_table_with_its_total_and_what_is_not_in_it(used: Desk) -> None:
    result = used.cli.run("usage", "--by", "model")

    head, mini, llama, total, *remarks = result.stdout.splitlines()
    assert head.split() == ["MODEL", "CALLS", "FAILED", "IN", "CACHED", "OUT", "REASONING", "COST"]
    assert mini.split() == [
        "gpt-4.1-mini", "4", "1", "6,000", "75", "%", "900", "192", "≈", "0.0025", "USD",
    ]  # fmt: skip
    assert llama.split() == ["llama3.2", "1", "2,000", "75", "%", "300", "64", "2.30k", "tokens"]
    assert total.split()[:5] == ["total", "5", "1", "8,000", "75"]
    assert total.endswith("≈ 0.0025 USD + 2.30k tokens")
    assert remarks[0] == "Not in the money: 2,300 tokens at a server of your own network."
    assert remarks[1].startswith("Prices of 20")


@pytest.mark.parametrize(
    ("by", "names"),
    [("task", ["draft-reply", "translate"]), ("ticket", ["T-1"]), ("model", ["gpt-4.1-mini", "llama3.2"])],
)
def test_calls_are_put_together_by_what_is_asked_for(used: Desk, by: str, names: list[str]) -> None:
    document = used.cli.json("usage", "--by", by)

    groups = member(document, "groups")
    assert isinstance(groups, list)
    assert [member(group, "name") for group in groups] == names
    assert sum(calls for group in groups if isinstance(calls := member(group, "calls"), int)) == 5
    assert member(document, "total", "cost") == "0.00249"
    assert member(document, "total", "unpriced") == {"local": 2300}


def test_another_agent_and_another_ticket_have_none_of_it(used: Desk) -> None:
    other = CommandLine(used.cli.db, "noah")

    assert member(other.json("usage", "--all"), "total", "calls") == 0
    assert member(used.cli.json("usage", "--ticket", "T-2"), "total", "calls") == 0
    assert member(used.cli.json("usage", "--ticket", "T-1"), "total", "calls") == 5
    assert other.run("usage", "--all").stdout == "No model was asked yet.\n"
    unknown = used.cli.run("usage", "--ticket", "T-9")
    assert (unknown.exit_code, "T-9" in sentence(unknown)) == (2, True)


def test_after_an_erasure_the_numbers_are_the_same(used: Desk) -> None:
    before = used.cli.json("usage", "--by", "ticket")
    assert used.cli.run("erase", "T-1", "--reason", "asked for", "--yes").exit_code == 0

    assert used.cli.json("usage", "--by", "ticket") == before


def test_a_spreadsheet_gets_a_table_without_thousands(used: Desk) -> None:
    text = used.cli.run("usage", "--csv").stdout_bytes.decode()

    assert text.startswith(f"\ufeff{HEAD}\r\n")
    (head, row) = rows(text)
    assert row[1:] == ["5", "1", "0", "8000", "6000", "0", "1200", "256", "2300", "0.00249", "USD"]
    assert date.fromisoformat(row[0]) <= today()
    assert len(head) == len(row)


def test_no_name_becomes_a_formula_of_a_spreadsheet(desk: Desk) -> None:
    names = ["=cmd|' /C calc'!A0", "+1", "-2+3", "@SUM(A1)", "\t=1+1", "\r=1", ' =1"', "a,b\nc", "ж"]
    with desk.store() as store:
        for attempt, name in enumerate(names, 1):
            record(store, desk.answer, attempt, model=name)

    (_, *found) = rows(desk.cli.run("usage", "--csv", "--by", "model").stdout)

    assert {row[0] for row in found} == {
        "'=cmd|' /C calc'!A0", "'+1", "'-2+3", "'@SUM(A1)", "' =1+1", "'␍=1", "' =1\"", "a,b c", "ж",
    }  # fmt: skip


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_a_cell_is_never_a_formula_and_controls_no_terminal(case: object) -> None:
    cell = safe_cell(getattr(case, "text", ""))

    assert cell.lstrip(" ")[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d")
    assert not [sign for sign in cell if ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0]


def test_days_are_counted_back_from_today(used: Desk) -> None:
    week, every = used.cli.json("usage", "--days", "7"), used.cli.json("usage", "--all")
    until = member(week, "until")

    assert isinstance(until, str)
    assert member(week, "since") == (date.fromisoformat(until) - timedelta(days=6)).isoformat()
    assert member(every, "since") is None
    assert member(every, "total") == member(week, "total")


@pytest.mark.parametrize("wrong", [["--all", "--days", "3"], ["--json", "--csv"], ["--days", "0"], ["--by", "hour"]])
def test_what_makes_no_sense_is_refused(desk: Desk, wrong: list[str]) -> None:
    result = desk.cli.run("usage", *wrong)

    assert result.exit_code == 2
    assert sentence(result)


def test_prices_that_cannot_be_used_are_said_in_one_sentence(desk: Desk, own_prices: Path) -> None:
    own_prices.write_text("date = 2026-11-30\n")

    result = desk.cli.run("usage")

    assert result.exit_code == 2
    assert sentence(result) == (f"{own_prices}: currency must be a text in quotes, and is missing.")


def test_the_prices_that_are_used_can_be_printed_changed_and_used(cli: CommandLine, own_prices: Path) -> None:
    printed = cli.run("prices").stdout
    assert printed == shipped_text()

    own_prices.write_text(printed.replace('"USD"', '"CHF"'))

    assert cli.run("prices").stdout == own_prices.read_text()
    assert read_prices(cli.run("prices").stdout, "x").currency == "CHF"


def test_doctor_tells_which_prices_and_how_old_they_are(cli: CommandLine, own_prices: Path) -> None:
    def check() -> JsonObject:
        checks = member(cli.json("doctor", status=cli.run("doctor").exit_code), "checks")
        assert isinstance(checks, list)
        return next(each for each in checks if isinstance(each, dict) and each["name"] == "prices")

    shipped = check()
    assert "genai-prices" in str(shipped["found"])
    assert f"Your own would be read from {own_prices}." in str(shipped["found"])

    own_prices.write_text(own_text(today()))
    assert (check()["state"], str(own_prices) in str(check()["found"])) == ("ok", True)

    own_prices.write_text(own_text(today() - timedelta(days=31 * OLD_AFTER_MONTHS + 1)))
    assert check()["state"] == "warning"
    assert "months old" in str(check()["found"])

    own_prices.write_text("nonsense")
    assert check()["state"] == "problem"
