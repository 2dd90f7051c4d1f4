"""`plan`: what the next request would hold."""

import json
from dataclasses import asdict

import pytest
from command_line import sentence
from sample_record import Desk

from assistant.plan.plan import StrategyName

KEYS = {"strategy", "budget", "counter", "accuracy", "verdict", "total", "ticket_sent", "counts", "interactions"} | {
    "to_summarise", "chosen_budget", "window", "answer_room", "calibrated_on",
}  # fmt: skip
SMALL = ("--base-url", "http://127.0.0.1:9/v1", "--model", "small", "--window", "128")
PARTS = {"system", "ticket", "summary", "turns", "question", "overhead", "free"}


def plan_of(desk: Desk, *arguments: str) -> dict[str, object]:
    document = desk.cli.json("plan", "T-1", *arguments, "--counter", "estimate")
    assert isinstance(document, dict)
    return document


def items_of(plan: dict[str, object]) -> list[dict[str, object]]:
    items = plan["interactions"]
    assert isinstance(items, list)
    return items


def test_a_plan_is_a_document_of_exactly_the_promised_fields(desk: Desk) -> None:
    plan = plan_of(desk, "make it friendlier still")

    assert set(plan) == KEYS
    counts = plan["counts"]
    assert isinstance(counts, dict)
    assert set(counts) == PARTS
    assert plan["total"] == sum(counts.values()) - counts["free"]
    assert all(set(item) == {"id", "kind", "tokens", "fate"} for item in items_of(plan))
    assert [(item["id"], item["kind"]) for item in items_of(plan)] == [
        (None, "system"),
        (desk.ticket, "ticket"),
        (desk.question, "agent_message"),
        (desk.answer, "assistant_response"),
        (desk.friendlier, "agent_message"),
        (desk.friendlier_answer, "assistant_response"),
        (None, "question"),
    ]
    assert (plan["verdict"], plan["ticket_sent"], plan["counter"]) == ("fits", True, "estimate")


def test_another_node_is_followed_up_with_at(desk: Desk) -> None:
    ids = [item["id"] for item in items_of(plan_of(desk, "hm", "--at", str(desk.shorter_answer)))]

    assert desk.shorter_answer in ids
    assert desk.friendlier not in ids


def test_options_win_over_the_conversation_s_settings_and_these_over_the_defaults(desk: Desk) -> None:
    with desk.store() as store:
        conversation = store.conversation("camille", "T-1").id
        store.set_setting(conversation, "budget", 2_000)
        store.set_setting(conversation, "strategy", "select")

    stored = plan_of(desk)
    chosen = plan_of(desk, "--budget", "1234", "--strategy", "window")

    assert (stored["budget"], stored["strategy"]) == (2_000, "select")
    assert (chosen["budget"], chosen["strategy"]) == (1_234, "window")


@pytest.mark.parametrize("strategy", StrategyName)
def test_a_plan_that_may_not_be_sent_is_shown_all_the_same_and_says_what_to_do(
    desk: Desk, strategy: StrategyName
) -> None:
    result = desk.cli.run("plan", "T-1", "shorter", "--budget", "1", "--strategy", strategy.value)

    assert result.exit_code == 0
    assert "raise --budget" in result.stdout.splitlines()[-1]


def test_where_the_window_is_full_a_larger_budget_is_no_advice(desk: Desk) -> None:
    result = desk.cli.run(*SMALL, "plan", "T-1", "shorter", "--strategy", "select")
    refused = sentence(desk.cli.run(*SMALL, "ask", "T-1", "shorter", "--strategy", "select"))

    last = result.stdout.splitlines()[-1]
    assert "configure a larger --window" in last
    assert "raise --budget" not in last
    assert "than the 96 that the model's window of 128 leaves" in refused
    assert "raise the budget" not in refused


def test_the_ticket_outside_the_budget_is_marked_by_sign_and_word_and_told_with_the_choices(desk: Desk) -> None:
    whole = plan_of(desk, "shorter")["total"]
    assert isinstance(whole, int)

    result = desk.cli.run("plan", "T-1", "shorter", "--counter", "estimate", "--budget", str(whole - 1))

    ticket = next(line for line in result.stdout.splitlines() if " ticket " in line)
    assert "✂ cut" in ticket
    assert result.stdout.splitlines()[-1].startswith("The ticket is outside the budget")


def test_a_plan_writes_nothing(desk: Desk) -> None:
    def state() -> object:
        with desk.store() as store:
            return [asdict(ticket) for ticket in store.tickets("camille")], store.draft("camille", "T-1")

    before = state()
    plan_of(desk, "shorter")

    assert state() == before


def test_the_text_may_come_from_standard_input(desk: Desk) -> None:
    typed = plan_of(desk, "shorter, please")
    piped = desk.cli.json("plan", "T-1", "-", "--counter", "estimate", stdin="shorter, please\n")

    assert piped == typed


def test_standard_input_that_is_no_text_is_one_sentence(desk: Desk) -> None:
    result = desk.cli.run("plan", "T-1", "-", stdin=b"\xff\xfe\x00")

    assert result.exit_code == 2
    assert "not UTF-8" in sentence(result)


def test_a_newer_ticket_goes_along_and_is_remarked_beside_the_result(desk: Desk) -> None:
    with desk.store() as store:
        desk.write_again(store)

    result = desk.cli.run("plan", "T-1", "shorter", "--json")

    assert result.exit_code == 0
    assert "has a newer version (2); asking takes it in first." in result.stderr
    *_, taken_in, question = json.loads(result.stdout)["interactions"]
    assert (taken_in["kind"], taken_in["fate"], taken_in["id"]) == ("ticket", "sent", None)
    assert question["kind"] == "question"
    with desk.store() as store:
        assert store.nodes(store.conversation("camille", "T-1").id)[-1].kind != "ticket"
