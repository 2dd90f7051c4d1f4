"""`tasks`, `tasks show`, `tasks check` and `tasks try`, and `--task` of the commands that plan or ask."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import CommandLine, sentence
from desks import A_REQUEST
from fake_openai import FakeOpenAI
from sample_record import Desk

OWN = """\
---
name: draft-reply
title: Our reply
about: As our desk does.
rules:
  - length: {max_words: 3}
---
Answer.
"""


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(text="Dear Sophie, it is on its way.") as server:
        yield server


def own(cli: CommandLine, text: str = OWN, name: str = "draft-reply") -> Path:
    """A task file beside the database."""
    folder = cli.db.parent / "tasks"
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.md"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_tasks_are_listed_with_whom_they_are_for_and_who_may_choose_them(cli: CommandLine) -> None:
    listed = cli.json("tasks")
    assert isinstance(listed, list)
    by_name = {task["name"]: task for task in listed if isinstance(task, dict)}
    assert by_name["draft-reply"]["source"] == "shipped"
    assert by_name["translate-for-colleague"]["audience"] == "internal"
    assert by_name["draft-reply"]["visible_to"] is None
    assert by_name["summarise-history"]["visible_to"] == []
    assert "Translate for a colleague" in cli.run("tasks").stdout


def test_a_file_beside_the_database_wins_and_one_in_the_configured_folder_before_it(
    cli: CommandLine, tmp_path: Path
) -> None:
    file = own(cli)
    assert str(file) in cli.run("tasks", "show", "draft-reply").stdout
    configured = tmp_path / "mine"
    configured.mkdir()
    (configured / "draft-reply.md").write_text(OWN.replace("Our", "My"), encoding="utf-8")
    (tmp_path / "config.toml").write_text('tasks_folder = "mine"', encoding="utf-8")
    shown = cli.run("--config", str(tmp_path / "config.toml"), "tasks", "show", "draft-reply").stdout
    assert "My reply" in shown
    assert 'length {"max_words": 3}' in shown


def test_a_file_that_cannot_be_used_is_told_beside_the_list(cli: CommandLine) -> None:
    own(cli, "Answer politely.", "praise")
    result = cli.run("tasks")
    assert result.exit_code == 1
    assert "Shorten" in result.stdout
    assert "praise.md cannot be used. Line 1: It must begin" in result.stderr
    listed = cli.json("tasks", status=1)
    assert isinstance(listed, list)
    assert listed[-1]["name"] == "praise"


def test_show_prints_the_system_message_as_it_is_sent(cli: CommandLine) -> None:
    shown = cli.json("tasks", "show", "draft-reply-structured")
    assert isinstance(shown, dict)
    assert '"additionalProperties":false' in str(shown["system"])
    assert sentence(cli.run("tasks", "show", "praise")).startswith("There is no task 'praise'")


def test_check_lists_every_problem_with_its_line(cli: CommandLine) -> None:
    text = "---\nname: praise\ntitle: T\ncolour: red\nrules: [amounts, lenght]\ntools: [send_mail]\n---\n{{x}}\n"
    file = own(cli, text, "praise")
    result = cli.run("tasks", "check", str(file))
    assert result.exit_code == 2
    found = [
        line.removeprefix(f"{file}:").partition(":")[0] for line in result.stdout.splitlines() if str(file) in line
    ]
    assert found == ["4", "5", "6", "8"]
    document = cli.json("tasks", "check", str(file), status=2)
    assert isinstance(document, dict)
    assert len(document["problems"]) == 4


def test_check_says_how_much_of_the_budget_a_good_file_takes(cli: CommandLine) -> None:
    result = cli.run("tasks", "check", str(own(cli)))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "% of the budget of 3,000" in result.stdout
    assert "can be used" in result.stdout
    assert cli.run("tasks", "check", str(cli.db.parent / "none.md")).exit_code == 2


def test_plan_takes_another_task_and_writes_nothing(desk: Desk) -> None:
    plain, other = desk.cli.json("plan", "T-1", "x"), desk.cli.json("plan", "T-1", "x", "--task", "free-question")
    assert isinstance(plain, dict)
    assert isinstance(other, dict)
    assert plain["counts"]["system"] != other["counts"]["system"]
    assert desk.cli.json("plan", "T-1", "x") == plain


def test_ask_with_a_task_gives_it_to_the_branch(desk: Desk, server: FakeOpenAI) -> None:
    server.requests.clear()
    model = ["--base-url", server.url, "--model", "ok"]
    desk.cli.json(*model, "ask", "T-1", "what does she want?", "--task", "free-question")
    desk.cli.json(*model, "ask", "T-1", "and in one word?")

    systems = [request.messages[0][1] for request in server.requests]
    assert all(system.startswith("You answer questions of an agent") for system in systems)
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        branch = store.branch(conversation, store.selected(conversation))
    assert [entry.node.meta["task"] for entry in branch if entry.kind == "task"] == ["free-question"]
    assert [entry.node.meta["audience"] for entry in branch if "audience" in entry.node.meta] == ["internal"] * 2


def test_ask_refuses_a_task_that_there_is_not_or_that_is_not_for_the_agent(desk: Desk) -> None:
    assert "no task 'praise'" in sentence(desk.cli.run("ask", "T-1", "x", "--task", "praise"))
    assert "is not for camille" in sentence(desk.cli.run("ask", "T-1", "x", "--task", "summarise-history"))


def test_ask_gives_the_fields_of_an_answer_that_keeps_its_contract(desk: Desk) -> None:
    whole = {"reply": "Bonjour", "language": "fr", "team": "orders", "missing": [], "confidence": "high"}
    with FakeOpenAI(text=json.dumps(whole)) as fits, FakeOpenAI(text='{"reply": "Bonjour"}') as breaks:
        task = ("--task", "draft-reply-structured")
        good = desk.cli.json("--base-url", fits.url, "--model", "ok", "ask", "T-1", "draft", *task)
        result = desk.cli.run("--base-url", breaks.url, "--model", "ok", "ask", "T-1", "draft", *task, "--json")
    assert isinstance(good, dict)
    assert good["data"] == whole
    assert good["gates"][0] == {
        "gate": "contract",
        "rule": "contract",
        "result": "pass",
        "detail": "The answer has the form that its task asks for.",
    }
    assert result.exit_code == 3
    assert '"data": null' in result.stdout


def tree(desk: Desk) -> object:
    return desk.cli.json("tree", "T-1")


def test_try_compares_what_the_gates_say_and_writes_nothing(desk: Desk, server: FakeOpenAI) -> None:
    model = ["--base-url", server.url, "--model", "ok"]
    desk.cli.run(*model, "ask", "T-1", "draft a reply")
    file, before = own(desk.cli), tree(desk)
    server.requests.clear()

    found = desk.cli.json(*model, "tasks", "try", str(file), "--on", "3", "--yes")

    assert isinstance(found, dict)
    (tried,) = found["requests"]
    assert (tried["ticket"], tried["failure"], tried["text"]) == ("T-1", "", "Dear Sophie, it is on its way.")
    assert [gate["rule"] for gate in tried["now"]] == [gate["rule"] for gate in tried["before"]] == ["length"]
    assert [request.messages[0] for request in server.requests] == [("system", "Answer.")]
    assert tree(desk) == before


def test_try_stops_where_something_fails_that_did_not_fail_before(desk: Desk, server: FakeOpenAI) -> None:
    model = ["--base-url", server.url, "--model", "ok"]
    desk.cli.run(*model, "ask", "T-1", "draft a reply")
    text = OWN.replace("length: {max_words: 3}", "urls")
    with FakeOpenAI(text="See https://evil.example/x") as changed:
        arguments = ("--base-url", changed.url, "--model", "ok", "tasks", "try", str(own(desk.cli, text)), "--yes")
        result = desk.cli.run(*arguments)
    assert result.exit_code == 3
    assert "urls ✓ → ✗" in result.stdout


def test_try_makes_no_call_that_nobody_agreed_to(desk: Desk, server: FakeOpenAI) -> None:
    model = ["--base-url", server.url, "--model", "ok"]
    desk.cli.run(*model, "ask", "T-1", "draft a reply")
    server.requests.clear()
    refused = sentence(desk.cli.run(*model, "tasks", "try", str(own(desk.cli))))
    assert "This makes 1 call of ok with" in refused
    assert "Say --yes" in refused
    assert server.requests == []


def test_try_needs_a_file_that_can_be_used_and_something_to_try_it_on(cli: CommandLine) -> None:
    cli.make()
    assert cli.run("tasks", "try", str(own(cli, "Answer.", "praise"))).exit_code == 2
    assert "no complete answers yet" in sentence(cli.run("tasks", "try", str(own(cli))))


def test_try_takes_answers_alone_and_no_task_that_observes_them(desk: Desk, server: FakeOpenAI) -> None:
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        message = store.add_message(conversation, desk.friendlier_answer, "camille", "never answered")
        sent = store.record_request(
            conversation, message.id, replace(A_REQUEST, task="summarise-history", base_url=server.url, model="ok")
        )
        store.record_response(conversation, sent, response=b"{}", status_code=200, usage={}, latency_ms=1)
    arguments = ("--base-url", server.url, "--model", "ok", "tasks", "try")

    result = desk.cli.run(*arguments, str(own(desk.cli)), "--yes")
    observing = desk.cli.run(
        *arguments, str(own(desk.cli, OWN.replace("rules:\n  - length: {max_words: 3}", "audience: observer"))), "--yes"
    )

    assert "no complete answers yet" in sentence(result)
    assert "observes answers" in sentence(observing)
    assert server.requests == []


def test_try_tells_what_the_provider_could_not_do(desk: Desk, server: FakeOpenAI) -> None:
    desk.cli.run("--base-url", server.url, "--model", "ok", "ask", "T-1", "draft a reply")
    arguments = ("--base-url", server.url, "--model", "401", "tasks", "try", str(own(desk.cli)), "--yes")
    result = desk.cli.run(*arguments)
    assert result.exit_code == 4
    assert "API key" in result.stdout
    assert "Nothing could be compared" in result.stdout


def test_the_words_of_a_task_whose_file_has_changed_are_still_compared(desk: Desk, server: FakeOpenAI) -> None:
    file = own(desk.cli)
    answer = desk.cli.json("--base-url", server.url, "--model", "ok", "ask", "T-1", "draft a reply", status=3)
    assert isinstance(answer, dict)
    file.write_text(OWN + "Be brief.\n", encoding="utf-8")

    found = desk.cli.json("audit", "request", str(answer["node"]))

    assert isinstance(found, dict)
    origin = found["attempts"][0]["parts"][0]["origin"]
    assert (origin["kind"], origin["verified"]) == ("task", True)
