"""`summarise` and `--strategy summarise`: what is summarised is shown before, made in one call, and sent instead."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from command_line import CommandLine, sentence
from fake_openai import ANSWER, FakeOpenAI
from long_talk import add_turns, talk

from assistant.builtin.extracting import LABEL
from assistant.plan.plan import Fate, PlanSettings, StrategyName
from assistant.plan.planner import make_plan
from assistant.plan.rendering import HISTORY_LEAD, SUMMARY_LEAD
from assistant.tasks.registry import Tasks
from assistant.tokens.counters import EstimateCounter
from storage.kinds import COMPACTION
from storage.sqlite_store import open_store
from storage.values import JsonObject
from tui.chat_items import chat_items

ASK = ("--strategy", "summarise", "--budget", "1500")


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as server:
        yield server


@pytest.fixture
def long_desk(cli: CommandLine) -> CommandLine:
    """A conversation of 20 turns beside the ticket's own, each of some 100 tokens."""
    with closing(open_store(cli.db)) as store:
        talk(store, 20)
    return cli


def to(server: FakeOpenAI, model: str = "ok") -> tuple[str, ...]:
    return ("--base-url", server.url, "--model", model, "--window", "16000")


def planned(cli: CommandLine, *arguments: str) -> JsonObject:
    document = cli.json("plan", "T-1", "shorter", *arguments)
    assert isinstance(document, dict)
    return document


def fates(plan: JsonObject) -> list[str]:
    interactions = plan["interactions"]
    assert isinstance(interactions, list)
    return [str(entry["fate"]) for entry in interactions if isinstance(entry, dict)]


def test_the_plan_says_what_a_summary_would_cover_and_calls_nobody(long_desk: CommandLine, server: FakeOpenAI) -> None:
    result = long_desk.run(*to(server), "plan", "T-1", "shorter", *ASK)
    document = planned(long_desk, *ASK)

    assert document["verdict"] == "needs_summary"
    covered = document["to_summarise"]
    assert isinstance(covered, dict)
    assert set(covered) == {"first_turn", "last_turn", "last_node", "tokens", "expected"}
    assert f"Turns 1 to {covered['last_turn']} do not fit beside the rest" in result.stdout
    assert "asking first makes one call that summarises them" in result.stdout
    assert server.requests == []


def test_the_plan_says_how_many_calls_a_summary_takes_where_the_window_is_small(
    long_desk: CommandLine, server: FakeOpenAI
) -> None:
    result = long_desk.run("--base-url", server.url, "--model", "ok", "plan", "T-1", "shorter", *ASK)
    long_desk.run("--base-url", server.url, "--model", "ok", "ask", "T-1", "shorter", *ASK)

    assert f"asking first makes {len(server.requests) - 1} calls that summarise them" in result.stdout
    assert len(server.requests) > 2


def test_asking_makes_the_summary_first_and_says_so_for_one_request_alone(
    long_desk: CommandLine, server: FakeOpenAI
) -> None:
    before = planned(long_desk, *ASK)["to_summarise"]
    result = long_desk.run(*to(server), "ask", "T-1", "shorter", *ASK)

    assert (result.exit_code, result.stdout) == (0, ANSWER + "\n")
    assert isinstance(before, dict)
    assert result.stderr.startswith(f"ticketree: Summarising turns 1 to {before['last_turn']}…\n")
    call, request = server.requests
    assert call.messages[-1][1].startswith(HISTORY_LEAD)
    assert [text.startswith(SUMMARY_LEAD) for _, text in request.messages].count(True) == 1
    after = planned(long_desk, *ASK)
    assert after["verdict"] == "fits"
    assert {"sent", "summarised"} == set(fates(after))
    assert planned(long_desk)["strategy"] == "cut"


@pytest.mark.parametrize("strategy", StrategyName)
def test_plan_marks_json_and_the_bytes_that_a_server_gets_are_one(
    long_desk: CommandLine, server: FakeOpenAI, tmp_path: Path, strategy: StrategyName
) -> None:
    (tmp_path / "config.toml").write_text('counter = "estimate"')
    program = ("--config", str(tmp_path / "config.toml"), "--base-url", server.url, "--model", "ok")
    long_desk.run(*program, "summarise", "T-1")
    with closing(open_store(long_desk.db)) as store:
        conversation = store.conversation("camille", "T-1")
        add_turns(store, conversation, range(21, 24), tokens=200)
        branch = store.branch(conversation.id, store.selected(conversation.id))
    options = ("--strategy", strategy.value, "--budget", "1500")
    document = long_desk.json(*program, "plan", "T-1", "shorter", *options)
    settings = PlanSettings(strategy, budget=1_500)
    plan = make_plan(branch, "shorter", Tasks().get(), settings, EstimateCounter())
    result = long_desk.run(*program, "ask", "T-1", "shorter", *options, "--send-without-ticket")

    assert result.exit_code == 0
    assert plan.as_json() == document
    assert Fate.SUMMARISED in [item.fate for item in plan.items] or strategy is not StrategyName.SUMMARISE
    assert Fate.CUT in [item.fate for item in plan.items] or strategy is StrategyName.SUMMARISE
    shown = chat_items([entry for entry in branch if entry.is_external], plan, {})
    marks = {item.id: item.fate for item in plan.items if item.kind not in (COMPACTION.name, "system", "question")}
    assert {item.id: item.fate for item in shown} == marks
    assert server.requests[-1].messages == [(message.role, message.content) for message in plan.chain]


def test_a_summary_by_hand_is_printed_and_stands_on_its_branch(long_desk: CommandLine, server: FakeOpenAI) -> None:
    document = long_desk.json(*to(server), "summarise", "T-1")

    assert isinstance(document, dict)
    assert document["text"] == ANSWER
    covers = document["covers"]
    assert isinstance(covers, dict)
    assert (covers["first_turn"], covers["last_turn"], covers["last_node"]) == (1, 20, document["node"])
    assert isinstance(document["counts"], dict)
    assert document["counts"]["summary"] < document["counts"]["covered"]
    assert sentence(long_desk.run(*to(server), "summarise", "T-1")).startswith("Turns 1 to 20 stand summarised already")


def test_redo_makes_another_from_the_originals_and_the_newest_counts(
    long_desk: CommandLine, server: FakeOpenAI
) -> None:
    first = long_desk.json(*to(server), "summarise", "T-1")
    again = long_desk.json(*to(server), "summarise", "T-1", "--redo")

    assert isinstance(first, dict)
    assert isinstance(again, dict)
    assert again["covers"] == first["covers"]
    assert server.requests[0].messages == server.requests[1].messages
    interactions = planned(long_desk, *ASK)["interactions"]
    assert isinstance(interactions, list)
    used = [entry["id"] for entry in interactions if isinstance(entry, dict) and entry["kind"] == COMPACTION.name]
    assert used == [again["id"]]


def test_the_call_can_be_audited_at_the_node_where_the_summary_stands(
    long_desk: CommandLine, server: FakeOpenAI
) -> None:
    made = long_desk.json(*to(server), "summarise", "T-1")
    assert isinstance(made, dict)

    document = long_desk.json("audit", "request", str(made["node"]))

    assert isinstance(document, dict)
    assert isinstance(document["attempts"], list)
    (call,) = document["attempts"]
    assert isinstance(call, dict)
    assert (call["task"], call["problems"]) == ("summarise-history", [])
    assert call["body"] == server.requests[0].body.decode()
    assert long_desk.run("audit", "isolation").exit_code == 0


def test_the_bytes_of_an_answer_are_not_those_of_a_summary_that_ends_with_it(
    long_desk: CommandLine, server: FakeOpenAI
) -> None:
    asked = long_desk.json(*to(server), "ask", "T-1", "shorter", "--budget", "9000")
    assert isinstance(asked, dict)
    node = str(asked["node"])
    with closing(open_store(long_desk.db)) as store:
        add_turns(store, store.open_conversation("camille", "T-1"), [21])
    made = long_desk.json(*to(server), "summarise", "T-1")

    assert isinstance(made, dict)
    assert str(made["node"]) == node
    assert long_desk.run("audit", "request", node, "--body").stdout_bytes == server.requests[0].body
    assert len(server.requests) == 2


def test_a_failed_summary_sends_nothing_and_exits_as_a_failed_provider(
    long_desk: CommandLine, server: FakeOpenAI
) -> None:
    result = long_desk.run(*to(server, "401"), "ask", "T-1", "shorter", *ASK)

    assert result.exit_code == 4
    assert "No summary was made, and nothing was sent." in result.stderr
    assert len(server.requests) == 1
    assert planned(long_desk, *ASK)["verdict"] == "needs_summary"
    sent = long_desk.run(*to(server), "ask", "T-1", "shorter", "--strategy", "select", "--budget", "1500")
    assert sent.exit_code == 0


def test_without_a_model_the_summary_is_an_extract_that_says_so(long_desk: CommandLine) -> None:
    result = long_desk.run("summarise", "T-1")

    assert result.exit_code == 0
    assert result.stdout.startswith(LABEL)
    assert "20,50 €" not in result.stdout
    assert "19,50 €" in result.stdout


@pytest.mark.parametrize(
    ("turns", "arguments", "why"),
    [
        (None, (), "There is nothing to summarise yet"),
        (2, (), "too few or too short"),
        (20, ("--redo",), "No summary stands on this path"),
    ],
)
def test_what_cannot_be_summarised_is_refused(
    cli: CommandLine, tmp_path: Path, turns: int | None, arguments: tuple[str, ...], why: str
) -> None:
    ticket = {"id": "T-1", "subject": "Hamac", "customer": "Sophie", "body": "Bonjour"}
    (tmp_path / "ticket.json").write_text(json.dumps(ticket))
    cli.run("import", str(tmp_path / "ticket.json"))
    if turns is not None:
        with closing(open_store(cli.db)) as store:
            add_turns(store, store.open_conversation("camille", "T-1"), range(turns), tokens=20)

    result = cli.run("summarise", "T-1", *arguments)

    assert result.exit_code == 3
    assert why in sentence(result)
