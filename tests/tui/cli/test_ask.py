"""`ask`: one turn from the command line, by the rules of the app."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import sentence
from fake_openai import ANSWER, FakeOpenAI
from fake_openai_sizes import other_tokens
from sample_record import Desk

KEYS = {"node", "status", "text", "data", "gates", "warnings", "usage", "plan"}


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(count=other_tokens) as server:
        yield server


def ask(desk: Desk, server: FakeOpenAI, model: str, *arguments: str) -> list[str]:
    return ["--base-url", server.url, "--model", model, "ask", *arguments]


def test_an_answer_goes_to_stdout_alone_and_into_the_record(desk: Desk, server: FakeOpenAI) -> None:
    result = desk.cli.run(*ask(desk, server, "ok", "T-1", "shorter, please"))

    assert (result.exit_code, result.stdout, result.stderr) == (0, ANSWER + "\n", "")
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        *_, question, answer = store.path(conversation, store.selected(conversation))
    assert (question.content, question.node.parent_id) == ("shorter, please", desk.friendlier_answer)
    assert (answer.content, answer.node.status) == (ANSWER, "complete")


def test_what_the_plan_said_is_what_the_server_got(desk: Desk, server: FakeOpenAI) -> None:
    planned = desk.cli.json("plan", "T-1", "shorter, please")
    asked = desk.cli.json(*ask(desk, server, "ok", "T-1", "shorter, please"))

    assert isinstance(planned, dict)
    assert isinstance(asked, dict)
    (request,) = server.requests
    assert len(request.messages) == len(planned["interactions"])
    assert request.messages[-1] == ("user", "shorter, please")
    assert asked["plan"]["counts"] == planned["counts"]


def test_a_newer_ticket_is_taken_in_before_the_question_as_the_plan_said(desk: Desk, server: FakeOpenAI) -> None:
    with desk.store() as store:
        desk.write_again(store)
    planned = desk.cli.json("plan", "T-1", "shorter")
    result = desk.cli.run(*ask(desk, server, "ok", "T-1", "shorter", "--task", "shorten"))

    assert (result.exit_code, result.stdout) == (0, ANSWER + "\n")
    assert isinstance(planned, dict)
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        *_, before, ticket, question, _ = store.path(conversation, store.selected(conversation))
    assert before.id == desk.friendlier_answer
    assert ticket.ticket is not None
    assert (ticket.ticket.snapshot, question.content) == (2, "shorter")
    (request,) = server.requests
    assert [role for role, _ in request.messages][1:] == [
        "assistant" if item["kind"] == "assistant_response" else "user" for item in planned["interactions"][1:]
    ]
    assert ticket.ticket.messages[-1].text in request.messages[-2][1]


def test_the_json_of_an_answer_holds_exactly_the_promised_fields(desk: Desk, server: FakeOpenAI) -> None:
    document = desk.cli.json(*ask(desk, server, "ok", "T-1", "shorter"))

    assert isinstance(document, dict)
    assert set(document) == KEYS
    assert (document["status"], document["text"]) == ("complete", ANSWER)
    assert document["data"] is None
    assert not [gate for gate in document["gates"] if gate["result"] == "fail"]
    assert document["warnings"] == []
    assert document["usage"].keys() == {"prompt_tokens", "completion_tokens", "total_tokens"}
    assert document["plan"]["verdict"] == "fits"


def test_plan_and_usage_are_those_of_the_answer_and_not_of_its_check(
    desk: Desk, server: FakeOpenAI, tmp_path: Path
) -> None:
    config = tmp_path / "checked.toml"
    config.write_text("self_check = true", encoding="utf-8")

    document = desk.cli.json("--config", str(config), *ask(desk, server, "ok", "T-1", "shorter"))

    assert isinstance(document, dict)
    asked, checked = server.requests
    assert (asked.messages[-1], checked.messages[-1][0]) == (("user", "shorter"), "user")
    assert document["usage"]["prompt_tokens"] == other_tokens([text for _, text in asked.messages])
    assert [item["kind"] for item in document["plan"]["interactions"]][-1] == "question"


def test_an_answer_to_a_part_of_the_request_is_warned_of(desk: Desk) -> None:
    with FakeOpenAI(count=lambda _: 21) as server:
        result = desk.cli.run(*ask(desk, server, "ok", "T-1", "shorter"))
        document = desk.cli.json(*ask(desk, server, "ok", "T-1", "friendlier"))

    assert result.exit_code == 0
    assert "The server dropped part of the request: ok read 21 of about" in result.stderr
    assert "configure window (or --window)" in result.stderr
    assert isinstance(document, dict)
    (warning,) = document["warnings"]
    assert (warning["warning"], warning["read"]) == ("prompt_dropped", 21)


def test_a_first_question_opens_the_conversation(desk: Desk, server: FakeOpenAI) -> None:
    assert desk.cli.run(*ask(desk, server, "ok", "T-2", "draft a reply")).exit_code == 0

    with desk.store() as store:
        conversation = store.conversation("camille", "T-2").id
        assert [node.kind for node in store.nodes(conversation)] == [
            "root",
            "ticket",
            "agent_message",
            "assistant_response",
        ]


def test_asking_at_an_earlier_node_makes_a_sibling(desk: Desk, server: FakeOpenAI) -> None:
    assert desk.cli.run(*ask(desk, server, "ok", "T-1", "in English", "--at", str(desk.answer))).exit_code == 0

    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        question = next(node for node in store.nodes(conversation) if node.preview == "in English")
    assert (question.parent_id, question.n, question.m) == (desk.answer, 3, 3)


def test_a_ticket_outside_the_budget_stops_the_question_and_nothing_is_written(desk: Desk, server: FakeOpenAI) -> None:
    whole = desk.cli.json("plan", "T-1", "shorter")
    assert isinstance(whole, dict)
    budget = str(whole["total"] - 1)

    stopped = desk.cli.run(*ask(desk, server, "ok", "T-1", "shorter", "--budget", budget))

    assert stopped.exit_code == 3
    assert "send without it on purpose" in sentence(stopped)
    assert server.requests == []
    with desk.store() as store:
        assert store.selected(store.conversation("camille", "T-1").id) == desk.friendlier_answer

    kept = desk.cli.run(*ask(desk, server, "ok", "T-1", "shorter", "--budget", budget, "--strategy", "select"))
    assert kept.exit_code == 0

    sent = desk.cli.run(*ask(desk, server, "ok", "T-1", "shorter", "--budget", budget, "--send-without-ticket"))
    assert sent.exit_code == 0


def test_a_turn_that_is_running_stops_another_one(desk: Desk, server: FakeOpenAI) -> None:
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        question = store.add_message(conversation, desk.friendlier_answer, "camille", "hm").id
        store.begin_answer(conversation, question, "built-in", meta={})

        result = desk.cli.run(*ask(desk, server, "ok", "T-1", "shorter"))

    assert result.exit_code == 3
    assert "still being written" in sentence(result)


def test_a_failing_server_is_exit_status_4_with_what_happened_and_what_to_do(desk: Desk, server: FakeOpenAI) -> None:
    result = desk.cli.run(*ask(desk, server, "404-model", "T-1", "shorter"))

    assert result.exit_code == 4
    assert "404-model" in sentence(result)


def test_a_failing_server_still_gives_one_json_document(desk: Desk, server: FakeOpenAI) -> None:
    document = desk.cli.json(*ask(desk, server, "401", "T-1", "shorter"), status=4)

    assert isinstance(document, dict)
    assert set(document) == KEYS
    assert (document["status"], document["text"]) == ("error", "")


def children(desk: Desk, text: str) -> list[list[tuple[str, int]]]:
    """The answers to each question of these words: how they ended, and their numbers."""
    with desk.store() as store:
        nodes = store.nodes(store.conversation("camille", "T-1").id)
    asked = [node.id for node in nodes if node.preview == text]
    return [[(node.status.value, node.n) for node in nodes if node.parent_id == each] for each in asked]


def test_the_same_text_after_a_failed_answer_asks_the_same_question_again(desk: Desk, server: FakeOpenAI) -> None:
    for model in ("401", "401", "ok"):
        planned = desk.cli.json("plan", "T-1", "shorter, please")
        result = desk.cli.run(*ask(desk, server, model, "T-1", "shorter, please\n"))

    assert children(desk, "shorter, please\n") == [[("error", 1), ("error", 2), ("complete", 3)]]
    assert "The newest question is the same and failed, so it is asked again (node " in result.stderr
    assert isinstance(planned, dict)
    assert len(server.requests[-1].messages) == len(planned["interactions"])
    assert server.requests[-1].messages[-1] == ("user", "shorter, please\n")
    with desk.store() as store:
        shown = store.node(conversation := store.conversation("camille", "T-1").id, store.selected(conversation))
    assert shown.status == "complete"

    desk.cli.run(*ask(desk, server, "ok", "T-1", "shorter, please\n"))
    assert len(children(desk, "shorter, please\n")) == 2, "what has a whole answer is asked once more below it"


def test_a_stopped_answer_is_asked_for_again_as_well(desk: Desk, server: FakeOpenAI) -> None:
    desk.cli.run(*ask(desk, server, "ok", "T-1", "friendlier"))

    assert children(desk, "friendlier") == [[("interrupted", 1), ("complete", 2)]]


@pytest.mark.parametrize("more", [["shorter"], ["friendlier", "--task", "shorten"], ["friendlier", "--at"], None])
def test_another_text_task_place_or_ticket_makes_a_new_question(
    desk: Desk, server: FakeOpenAI, more: list[str] | None
) -> None:
    if more is None:
        with desk.store() as store:
            desk.write_again(store)
    more = more or ["friendlier"]
    at = [str(desk.friendlier_answer)] if more[-1] == "--at" else []

    desk.cli.run(*ask(desk, server, "ok", "T-1", *more, *at))

    assert children(desk, "friendlier")[0] == [("interrupted", 1)]
    assert [("complete", 1)] in children(desk, more[0])


def test_a_named_model_without_a_key_is_not_replaced_by_the_built_in_assistant(desk: Desk) -> None:
    result = desk.cli.run("--model", "gpt-4.1-mini", "ask", "T-1", "shorter")

    assert result.exit_code == 4
    assert "OPENAI_API_KEY" in sentence(result)


def test_an_answer_that_hits_the_length_limit_is_partly_done(desk: Desk, server: FakeOpenAI) -> None:
    result = desk.cli.run(*ask(desk, server, "length", "T-1", "shorter"))

    assert result.exit_code == 1
    assert result.stdout.strip() == ANSWER
    assert "length limit" in result.stderr


def test_without_a_model_the_built_in_assistant_answers_at_once(desk: Desk) -> None:
    document = desk.cli.json("ask", "T-1", "draft a reply")

    assert isinstance(document, dict)
    assert document["status"] == "complete"
    assert "Sophie" in document["text"]
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        assert store.node(conversation, document["node"]).author == "built-in assistant"


def test_control_characters_of_an_answer_do_not_reach_the_terminal(desk: Desk) -> None:
    with FakeOpenAI(text="red \x1b[31m and \x1b]52;c;aGk=\x07 end") as server:
        result = desk.cli.run(*ask(desk, server, "ok", "T-1", "shorter"))

    assert result.stdout == "red ␛[31m and ␛]52;c;aGk=␇ end\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_by_signal_keeps_what_came_and_says_so(desk: Desk, server: FakeOpenAI, number: signal.Signals) -> None:
    command = [sys.executable, "-c", "from tui.cli import main; main()", "--db", str(desk.cli.db)]
    command += ["--agent", "camille", *ask(desk, server, "hang-midway", "T-1", "shorter")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert server.hanging.wait(30)
        kept = wait_for_text(desk)
        os.kill(process.pid, number)
        out, err = process.communicate(timeout=30)

    assert process.returncode == 1
    assert out.strip() == kept.strip()
    assert err.startswith("ticketree: Stopped; what came is kept as node ")
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        *_, answer = store.path(conversation, store.selected(conversation))
    assert (answer.content, answer.node.status) == (kept, "interrupted")


def test_a_reader_that_goes_away_ends_the_answer_quietly_and_what_came_is_kept(desk: Desk) -> None:
    with FakeOpenAI(text="many words " * 10_000) as server:
        command = [sys.executable, "-c", "from tui.cli import main; main()", "--db", str(desk.cli.db)]
        command += ["--agent", "camille", *ask(desk, server, "ok", "T-1", "shorter")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.read(4) == "many"
            process.stdout.close()
            said = process.stderr.read()

    assert said == ""
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        *_, answer = store.path(conversation, store.selected(conversation))
    assert (answer.node.status, answer.content[:10]) == ("interrupted", "many words")


def wait_for_text(desk: Desk) -> str:
    """Return what the record holds of the answer that is coming, once there is something."""
    deadline = time.monotonic() + 30
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        while time.monotonic() < deadline:
            *_, answer = store.path(conversation, store.selected(conversation))
            if answer.content.startswith("Hello wörld, this"):
                return answer.content
    raise AssertionError("no text came")


def test_an_answer_that_fails_a_gate_is_printed_and_stopped_by_status_3(desk: Desk) -> None:
    with FakeOpenAI(text="Bonjour Sophie, votre commande W7654321 est en route.") as server:
        result = desk.cli.run(*ask(desk, server, "ok", "T-1", "une réponse", "--json"))

    assert result.exit_code == 3
    gates = {gate["rule"]: gate for gate in json.loads(result.stdout)["gates"]}
    assert gates["numbers"] == {
        "gate": "rules",
        "rule": "numbers",
        "result": "fail",
        "detail": "“W7654321” is not in the ticket or your messages.",
    }
    assert gates["greeting"]["result"] == "pass"
    assert "A check failed (numbers): “W7654321” is not" in result.stderr
