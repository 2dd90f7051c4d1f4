"""What is shown below an answer of the tools it used, and of its self-check."""

import json

import pytest
from sample_views import a_node

from storage.interactions import Interaction
from storage.kinds import SELF_CHECK, TOOL_CALL, TOOL_RESULT
from storage.values import Json
from tui.notes.note import Note
from tui.notes.registry import notes_of
from tui.tones import MUTED, WARNING


def a_result(document: Json, **meta: Json) -> Interaction:
    facts: dict[str, Json] = {"call_id": "call_1", "tool": "search_handbook", "doing": "returns policy"}
    facts |= {"summary": "2 passages", "failed": False, **meta}
    content = document if isinstance(document, str) else json.dumps(document)
    return Interaction(a_node(9, TOOL_RESULT, 4)._replace(meta=facts), content)


def test_a_search_is_one_line_that_opens_to_what_the_model_was_given() -> None:
    passages: list[Json] = [
        {"source": "returns.md › Refunds", "text": "Within 14 days."},
        {"source": "delivery.md", "text": "Three days."},
    ]

    (note,) = notes_of([a_result({"passages": passages, "left_out": 3})])

    assert note == Note(
        "⌕",
        "searched the handbook: returns policy · 2 passages",
        MUTED,
        ("returns.md › Refunds\nWithin 14 days.", "delivery.md\nThree days.", "3 more did not fit."),
    )


def test_a_recall_names_turn_and_author() -> None:
    messages: list[Json] = [{"turn": 2, "author": "agent", "text": "the kettle"}]

    (note,) = notes_of([a_result({"messages": messages}, tool="recall", doing="kettle", summary="1 message")])

    assert note.text == "recalled earlier messages: kettle · 1 message"
    assert note.details == ("turn 2, agent\nthe kettle",)


def test_a_call_that_failed_says_why_and_stands_out() -> None:
    problem = "There is no tool 'delete_ticket'; there is search_handbook."

    (note,) = notes_of([a_result({"error": problem}, tool="delete_ticket", doing="", summary=problem, failed=True)])

    assert (note.text, note.tone, note.details) == (f"wanted delete_ticket · {problem}", WARNING, ())


def test_the_same_again_and_again_is_one_line_with_its_number() -> None:
    again = a_result({"error": "This was asked already."}, summary="This was asked already.", failed=True)

    first, repeated, other = notes_of([a_result({"passages": []}), again, again, again, a_result({"passages": []})])

    assert repeated.text == "searched the handbook: returns policy · This was asked already. (3 times)"
    assert first.text == other.text == "searched the handbook: returns policy · 2 passages"


@pytest.mark.parametrize("content", ["no JSON", "[1]", "{}", '{"passages": [7]}', "[" * 10_000])
def test_what_is_no_result_of_ours_is_shown_as_it_is_or_not_at_all(content: str) -> None:
    (note,) = notes_of([a_result(content)])

    assert note.text.startswith("searched the handbook")


def test_calls_and_what_an_imported_chat_holds_are_not_shown() -> None:
    imported = Interaction(a_node(9, TOOL_RESULT, 4), '{"secret": true}')
    call = Interaction(a_node(10, TOOL_CALL, 4), '{"said": "", "calls": []}')

    assert notes_of([imported, call]) == ()


@pytest.mark.parametrize(
    ("fulfilled", "why", "note"),
    [
        ("yes", "", Note("✓", "self-check: it does what was asked", MUTED)),
        ("no", "The date.", Note("✗", "self-check: The date.", WARNING)),
        ("no", "", Note("✗", "self-check: it does not do what was asked", WARNING)),
        ("unknown", "The check failed.", Note("?", "self-check: The check failed.", MUTED)),
    ],
)
def test_a_self_check_is_one_line(fulfilled: str, why: str, note: Note) -> None:
    check = Interaction(a_node(9, SELF_CHECK, 4)._replace(meta={"fulfilled": fulfilled}), why)

    assert notes_of([check]) == (note,)
