"""Contracts: what an answer must be, and what of it can be shown while it arrives."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.gates.contract import contract_result
from assistant.gates.results import Gate, Outcome
from assistant.tasks.contracts import (
    BrokenContractError,
    arrived,
    check_contract,
    parsed,
    read_answer,
    reply_in,
    response_format,
)
from assistant.tasks.registry import Tasks
from assistant.tasks.task import Task
from storage.values import JsonObject

CONTRACT: JsonObject = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reply", "team"],
    "properties": {"reply": {"type": "string"}, "team": {"enum": ["orders", "billing"]}},
}
GOOD = '{"reply": "Bonjour Sophie,\\nil part demain.", "team": "orders"}'


@pytest.mark.parametrize("text", [GOOD, f"\n {GOOD}\n", f"```json\n{GOOD}\n```", f"```\n{GOOD}\n```\n"])
def test_an_answer_that_keeps_its_contract_is_read(text: str) -> None:
    reading = read_answer(text, CONTRACT)
    assert reading.fits
    assert reading.data == {"reply": "Bonjour Sophie,\nil part demain.", "team": "orders"}
    assert reply_in(text, "reply") == "Bonjour Sophie,\nil part demain."


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Bonjour Sophie", "no JSON document"),
        (f"Here it is: {GOOD}", "no JSON document"),
        (GOOD[:-1], "no JSON document"),
        ("[1]", "no JSON document"),
        ('{"reply": NaN, "team": "orders"}', "no JSON document"),
        ("[" * 100_000, "no JSON document"),
        ('{"reply": "x"}', "'team' is a required property"),
        ('{"reply": 1, "team": "orders"}', "reply: 1 is not of type 'string'"),
        ('{"reply": "x", "team": "sales"}', "team: 'sales' is not one of"),
        ('{"reply": "x", "team": "orders", "more": 1}', "'more' was unexpected"),
    ],
)
def test_an_answer_that_breaks_it_is_told_how(text: str, problem: str) -> None:
    reading = read_answer(text, CONTRACT)
    assert not reading.fits
    assert problem in "; ".join(reading.problems)


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|a)*$"])
def test_a_pattern_that_would_take_for_ever_is_given_up_and_said(pattern: str) -> None:
    contract: JsonObject = {"type": "object", "properties": {"x": {"type": "string", "pattern": pattern}}}
    assert read_answer('{"x": "aaa"}', contract).fits
    reading = read_answer('{"x": "' + "a" * 60 + 'b"}', contract)
    assert not reading.fits
    assert reading.problems[0].startswith("x: ")


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"type": "object", "patternProperties": {"^a": {}}}, "patternProperties"),
        ({"type": "object", "properties": {"x": {"pattern": "(a"}}}, "not a 'regex'"),
    ],
)
def test_a_contract_with_patterns_that_cannot_be_used_is_refused(schema: JsonObject, why: str) -> None:
    with pytest.raises(BrokenContractError, match=why):
        check_contract(schema)


def test_nothing_is_fetched_for_a_contract() -> None:
    with pytest.raises(BrokenContractError, match="nothing is fetched"):
        read_answer(GOOD, {"$ref": "http://127.0.0.1:9/schema.json"})


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=4))
def test_every_beginning_of_an_answer_shows_a_beginning_of_its_fields(fields: dict[str, str]) -> None:
    text = json.dumps(fields, ensure_ascii=False)
    for end in range(len(text) + 1):
        for name, value in arrived(text[:end]).items():
            assert isinstance(value, str)
            assert fields[name].startswith(value)
    assert arrived(text) == arrived(text, is_whole=True) == fields


def test_what_breaks_off_is_shown_while_it_arrives_and_is_no_data_in_the_end() -> None:
    assert arrived('```json\n{"reply": "Bonj') == {"reply": "Bonj"}
    assert arrived('{"reply": "Bonj', is_whole=True) == {}
    assert parsed('{"reply": "Bonj') is None
    assert arrived("Bonjour {") == {}


def test_a_server_is_asked_strictly_only_where_the_contract_has_the_form_for_it() -> None:
    structured = Tasks().get("draft-reply-structured").contract
    assert structured is not None
    strict = {name: response_format("t", each)["json_schema"] for name, each in (("a", structured), ("b", CONTRACT))}
    assert strict["a"] == {"name": "t", "schema": structured, "strict": True}
    loose = {**CONTRACT, "required": ["reply"]}
    assert response_format("t", loose)["json_schema"] == {"name": "t", "schema": loose, "strict": False}


def task(contract: JsonObject | None) -> Task:
    return Task("t", "T", "1", "System.", "own", contract=contract)


def test_gate_1_says_how_an_answer_fares() -> None:
    passed, failed = contract_result(GOOD, task(CONTRACT)), contract_result("Bonjour", task(CONTRACT))
    broken = contract_result(GOOD, task({"type": "strin"}))
    assert passed is not None
    assert failed is not None
    assert broken is not None
    assert (passed.gate, passed.result) == (Gate.CONTRACT, Outcome.PASS)
    assert (failed.result, failed.detail) == (
        Outcome.FAIL,
        "The answer does not have the form that its task asks for: the answer is no JSON document.",
    )
    assert broken.result is Outcome.UNKNOWN
    assert "`ticketree tasks check`" in broken.detail
    assert contract_result(GOOD, task(None)) is None
