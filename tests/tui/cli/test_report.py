"""`report`: how tasks do, without a word of anybody and without another agent's figures."""

import csv
import io
import os
from dataclasses import replace

import pytest
from command_line import sentence
from desks import A_REQUEST, a_ticket
from gated import FAILED, PASSED
from sample_record import Desk
from turn_desk import TASK

from assistant.gates.record import record_copy, record_override, record_repair, record_results
from assistant.gates.results import Gate
from storage.interactions import Status
from storage.store import Store
from storage.values import Json, JsonObject

WORDS = ("zqquestion", "zqanswer", "zqreason", "zqdetail", "zqticket", "zqerror", "zqbody", "hamac", "W999", "Sophie")
NOTHING = dict.fromkeys(("copied", "edited", "discarded", "open", "internal", "unfinished"), 0)
META: JsonObject = {"task": TASK.name, "task_version": TASK.version}


def answered(store: Store, agent: str, ticket_id: str, latency_ms: int = 700) -> tuple[int, int]:
    """One question with a judged answer that a model gave; returns the conversation and the answer."""
    conversation = store.open_conversation(agent, ticket_id).id
    question = store.add_message(conversation, store.selected(conversation), agent, "zqquestion").id
    answer = store.begin_answer(conversation, question, "gpt-4.1-mini", meta=META).id
    request = store.record_request(
        conversation, answer, replace(A_REQUEST, task=TASK.name, task_version=TASK.version, body=b"zqbody")
    )
    usage: JsonObject = {"prompt_tokens": 1_000_000, "completion_tokens": 0}
    store.record_response(
        conversation, request, response=b"zqanswer", status_code=200, usage=usage, latency_ms=latency_ms
    )
    store.add_text(conversation, answer, "zqanswer for Sophie")
    store.finish(conversation, answer, Status.COMPLETE, {"note": "zqerror"})
    record_results(store, conversation, answer, Gate.RULES, TASK, (FAILED, PASSED))
    return conversation, answer


@pytest.fixture
def done(desk: Desk) -> Desk:
    """Camille has copied one of two answers after an override; noah has one."""
    with desk.store() as store:
        store.save_ticket(a_ticket("T-7", "zqticket zqdetail", customer="Sophie"))
        conversation, answer = answered(store, "camille", "T-7")
        record_override(store, conversation, answer, "camille", "zqreason")
        record_copy(store, conversation, answer, "camille", "zqanswer for Sophie", whole=True)
        _, second = answered(store, "camille", "T-7", 2_300)
        record_repair(store, conversation, second, "camille", (FAILED,))
        answered(store, "noah", "T-7", 100)
    return desk


def task(document: Json) -> JsonObject:
    assert isinstance(document, dict)
    (found,) = [each for each in document["tasks"] if each["task"] == TASK.name]
    assert isinstance(found, dict)
    return found


def test_the_figures_of_a_version_of_a_task(done: Desk) -> None:
    document = done.cli.json("report")
    assert isinstance(document, dict)
    assert set(document) == {"agent", "since", "until", "prices", "tasks"}
    assert document["agent"] == "camille"
    found = task(document)
    assert found["version"] == TASK.version
    assert found["answers"] == {**NOTHING, "copied": 1, "open": 1}
    assert (found["repairs"], found["overrides"], found["calls"], found["failed"]) == (1, 1, 2, 0)
    assert found["checks"] == [
        {"rule": "dates", "pass": 2, "fail": 0, "unknown": 0, "overridden": 0},
        {"rule": "numbers", "pass": 0, "fail": 2, "unknown": 0, "overridden": 1},
    ]
    assert found["latency"] == {"p50_ms": 700, "p95_ms": 2300}
    assert float(str(found["cost"])) > 0


def test_people_read_the_same_in_two_tables(done: Desk) -> None:
    result = done.cli.run("report")
    assert (result.exit_code, result.stderr) == (0, "")
    head, *rows = result.stdout.splitlines()
    assert head.split()[:4] == ["TASK", "VERSION", "REQUESTS", "FAILED"]
    (row,) = [row for row in rows[:1] if row.startswith(TASK.name)]
    assert "2,000,000" in row
    assert row.endswith("0.7 s  2.3 s")
    (check,) = [row for row in rows if " numbers " in row]
    assert check.split()[-2:] == ["2", "1"]


@pytest.mark.parametrize("options", [(), ("--json",), ("--csv",), ("--csv", "--rules"), ("--all-agents", "--json")])
def test_no_word_of_anybody_is_printed(done: Desk, options: tuple[str, ...]) -> None:
    result = done.cli.run("report", "--all", *options)
    assert result.exit_code == 0
    assert TASK.name in result.stdout
    for word in WORDS:
        assert word not in result.stdout


def test_spreadsheets_get_a_row_for_each_version_or_each_rule(done: Desk) -> None:
    (row,) = csv.DictReader(io.StringIO(done.cli.run("report", "--csv").stdout.removeprefix("\ufeff")))
    assert (row["task"], row["copied"], row["calls"], row["p95_ms"]) == (TASK.name, "1", "2", "2300")
    rules = list(csv.DictReader(io.StringIO(done.cli.run("report", "--csv", "--rules").stdout.removeprefix("\ufeff"))))
    assert [(rule["rule"], rule["fail"], rule["overridden"]) for rule in rules] == [
        ("dates", "0", "0"), ("numbers", "2", "1"),
    ]  # fmt: skip


def test_only_the_own_conversations_count_unless_the_owner_of_the_file_asks_for_all(
    done: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert task(done.cli.json("--agent", "noah", "report"))["calls"] == 1
    everybody = done.cli.json("report", "--all-agents")
    assert isinstance(everybody, dict)
    assert everybody["agent"] is None
    assert task(everybody)["calls"] == 3
    owner = os.getuid()
    monkeypatch.setattr("os.geteuid", lambda: owner + 1)
    monkeypatch.setattr("os.getuid", lambda: owner + 1)
    refused = done.cli.run("report", "--all-agents")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert sentence(refused).startswith("Only who owns the file of the database")


def test_what_was_never_copied_is_discarded_once_the_ticket_is_closed_or_erased(done: Desk) -> None:
    assert done.cli.run("close", "T-7").exit_code == 0
    assert task(done.cli.json("report"))["answers"] == {**NOTHING, "copied": 1, "discarded": 1}
    assert done.cli.run("erase", "T-7", "--reason", "asked for", "--yes").exit_code == 0
    erased = task(done.cli.json("report"))
    assert (erased["calls"], erased["checks"]) == (2, [])
    assert erased["answers"] == {**NOTHING, "copied": 1, "discarded": 1}


def test_an_empty_time_says_so_and_options_that_exclude_each_other_are_refused(desk: Desk) -> None:
    assert desk.cli.run("report", "--all").stdout == "Nothing was asked yet.\n"
    assert desk.cli.run("report", "--days", "1").stdout.startswith("Nothing was asked since ")
    for options in (("--all", "--days", "3"), ("--json", "--csv"), ("--rules",)):
        assert desk.cli.run("report", *options).exit_code == 2
