"""`plan --compare`: every strategy for one request, as the plan of each says."""

from contextlib import closing

import pytest
from command_line import CommandLine
from long_talk import talk
from sample_record import Desk

from assistant.plan.plan import StrategyName
from storage.sqlite_store import open_store
from storage.values import Json, JsonObject

REQUEST = ("plan", "T-1", "shorter", "--budget", "1500", "--counter", "estimate")


@pytest.fixture
def long_desk(cli: CommandLine) -> CommandLine:
    """A conversation of 20 turns beside the ticket's own, each of some 100 tokens."""
    with closing(open_store(cli.db)) as store:
        talk(store, 20)
    return cli


def document(value: Json) -> JsonObject:
    assert isinstance(value, dict)
    return value


def rows(comparison: JsonObject) -> dict[str, JsonObject]:
    listed = comparison["strategies"]
    assert isinstance(listed, list)
    return {str(document(row)["strategy"]): document(row) for row in listed}


def test_each_row_says_what_the_plan_of_its_strategy_says(long_desk: CommandLine) -> None:
    comparison = document(long_desk.json(*REQUEST, "--compare"))
    compared = rows(comparison)

    assert (comparison["budget"], comparison["chosen"], comparison["counter"]) == (1_500, "cut", "estimate")
    assert list(compared) == [name.value for name in StrategyName]
    for name, row in compared.items():
        plan = document(long_desk.json(*REQUEST, "--strategy", name))
        assert (row["verdict"], row["ticket_sent"]) == (plan["verdict"], plan["ticket_sent"])
        summary = plan["to_summarise"]
        assert row["expected"] == (summary is not None)
        if summary is None:
            assert (row["total"], row["summarised_turns"], row["first_calls"]) == (plan["total"], 0, None)
        else:
            first = document(row["first_calls"])
            assert row["summarised_turns"] == document(summary)["last_turn"]
            assert first["prompts"]
            assert first["expected"] == document(summary)["expected"]
    assert compared["summarise"]["expected"] is True


def test_a_newer_ticket_counts_as_it_does_in_the_plan(desk: Desk) -> None:
    with desk.store() as store:
        desk.write_again(store)

    row = rows(document(desk.cli.json("plan", "T-1", "shorter", "--compare")))["cut"]

    assert row["total"] == document(desk.cli.json("plan", "T-1", "shorter"))["total"]


def test_people_get_a_table_with_what_stands_in_the_way(long_desk: CommandLine) -> None:
    printed = long_desk.run(*REQUEST, "--compare").stdout

    head, cut, *_ = printed.splitlines()
    assert head.split() == ["STRATEGY", "TURNS", "SENT", "CUT", "SUMMARISED", "TOKENS", "CACHED", "TICKET"]
    assert cut.startswith("cut *")
    assert cut.endswith("⚠ outside")
    assert "cut: ⚠ The ticket is outside the budget" in printed
    assert "made first, which summarise" in printed
    assert "* cut is chosen." in printed


def test_a_model_with_a_price_has_a_column_for_it(long_desk: CommandLine) -> None:
    at = ("--base-url", "https://api.openai.com/v1", "--model", "gpt-4.1-mini")
    compared = rows(document(long_desk.json(*at, *REQUEST, "--compare")))

    assert "≈ USD" in long_desk.run(*at, *REQUEST, "--compare").stdout
    assert all(isinstance(row["cost"], str) for row in compared.values())
    assert isinstance(document(compared["summarise"]["first_calls"])["cost"], str)


def test_one_strategy_cannot_be_compared(long_desk: CommandLine) -> None:
    result = long_desk.run(*REQUEST, "--compare", "--strategy", "cut")

    assert result.exit_code == 2
    assert "leave out --strategy" in result.stderr
