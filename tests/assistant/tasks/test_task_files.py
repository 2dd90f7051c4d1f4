"""How a task file is read, and what is said of one that cannot be used."""

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import TaskError
from assistant.gates.registry import RULES
from assistant.tasks.check import check_task
from assistant.tasks.file import examine, read_task
from assistant.tasks.front_matter import Problem, UnreadableFrontMatter, read_front_matter
from assistant.tasks.task import Audience, RuleChoice
from assistant.tokens.counters import EstimateCounter

FULL = """\
---
name: refund-note
title: Refund note
about: Writes a note on a refund.
version: 1.0
audience: internal
model: gpt-4.1
visible_to: [camille, noah]
tools: search_handbook
placeholders:
  desk: Kontor 7
rules:
  - amounts
  - length: {max_words: 120}
reply_field: note
contract:
  type: object
  required: [note]
  properties:
    note: {type: string}
    sent: {type: boolean, default: false}
---
You write notes for {{desk}}.
"""


def written(tmp_path: Path, text: str, name: str = "refund-note") -> Path:
    file = tmp_path / f"{name}.md"
    file.write_text(text, encoding="utf-8")
    return file


def problems(tmp_path: Path, text: str) -> list[Problem]:
    return examine(written(tmp_path, text), source="own")[1]


def test_everything_that_a_file_can_say_is_read(tmp_path: Path) -> None:
    task = read_task(written(tmp_path, FULL), source="own")
    assert (task.name, task.title, task.about) == ("refund-note", "Refund note", "Writes a note on a refund.")
    assert task.label == "1.0", "as it is written, though YAML takes it for a number"
    assert (task.audience, task.model, task.visible_to) == (Audience.INTERNAL, "gpt-4.1", ("camille", "noah"))
    assert task.rules == (RuleChoice("amounts"), RuleChoice("length", {"max_words": 120}))
    assert task.tools == ("search_handbook",)
    assert task.contract is not None
    assert task.contract["properties"] == {"note": {"type": "string"}, "sent": {"type": "boolean", "default": False}}
    assert task.reply_field == "note"
    assert task.version == hashlib.sha256(FULL.encode()).hexdigest()[:12]
    assert task.text == FULL


def test_the_system_message_holds_its_placeholders_and_its_contract(tmp_path: Path) -> None:
    system = read_task(written(tmp_path, FULL), source="own").system
    assert system.startswith("You write notes for Kontor 7.\n\nReturn one JSON document")
    assert system.endswith('"sent":{"type":"boolean","default":false}}}')


@pytest.mark.parametrize(
    "changed",
    ["\ufeff" + FULL, FULL.replace("\n", "\r\n"), FULL.replace("---\n", "--- \n", 1)],
    ids=["mark", "CRLF", "blank"],
)
def test_what_editors_add_does_no_harm(tmp_path: Path, changed: str) -> None:
    file = tmp_path / "refund-note.md"
    file.write_bytes(changed.encode())
    assert read_task(file, source="own").system.startswith("You write notes for Kontor 7.")


def test_a_body_may_hold_rules_and_colons(tmp_path: Path) -> None:
    file = written(tmp_path, "---\nname: refund-note\ntitle: T\n---\nAnswer.\n\n---\nnote: keep this\n")
    assert read_task(file, source="own").system == "Answer.\n\n---\nnote: keep this"


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("Answer politely.", 1, "must begin with its name and title"),
        ("", 1, "must begin with its name and title"),
        ("---\nname: refund-note\ntitle: T\nAnswer.", 1, "must begin with its name and title"),
        ("---\ntitle: T\n---\nAnswer.", 1, "lacks its name"),
        ("---\nname: refund-note\ntitle:\n---\nAnswer.", 3, "lacks its title"),
        ("---\nname: refund-note\ntitle: T\n---\n \n", 5, "holds no system message"),
        ("---\nname: other\ntitle: T\n---\nAnswer.", 2, "name the file other.md"),
        ("---\ntitle: T\nname: Über uns\n---\nAnswer.", 3, "small letters"),
        ("---\nname: refund-note\ntitle: T\ncolour: red\n---\nA.", 4, "colour means nothing in a task"),
        ("---\nname: refund-note\nname: refund-note\ntitle: T\n---\nA.", 3, "name stands here for the second time"),
        ("---\nname: refund-note\nwhatever\ntitle: T\n---\nA.", 3, "no YAML"),
        ("---\n- name\n---\nA.", 2, "written as 'key: value'"),
        ("---\nname: &x refund-note\ntitle: *x\n---\nA.", 3, "reference with *"),
        ("---\nname: refund-note\ntitle: T\naudience: all\n---\nA.", 4, "audience is customer or internal"),
        ("---\nname: refund-note\ntitle: T\ntools: [1]\n---\nA.", 4, "tools is a list of names"),
        ("---\nname: refund-note\ntitle: T\nrules: amounts\n---\nA.", 4, "rules is a list"),
        ("---\nname: refund-note\ntitle: T\nrules:\n - a\n - [b]\n---\nA.", 6, "A rule is"),
        ("---\nname: refund-note\ntitle: T\ncontract: x\n---\nA.", 4, "contract needs entries of its own"),
        ("---\nname: refund-note\ntitle: T\ncontract: {type: string}\n---\nA.", 4, "describes an object"),
        ("---\nname: refund-note\ntitle: T\nreply_field: x\n---\nA.", 4, "no field of the contract"),
        (
            "---\nname: refund-note\ntitle: T\nreply_field: x\n"
            "contract: {type: object, properties: {x: {type: integer}}}\n---\nA.",
            4,
            "which is no text",
        ),
        ("---\nname: refund-note\ntitle: [T]\n---\nA.", 3, "title is one line of text"),
        ("---\nname: refund-note\ntitle: T\nplaceholders:\n  desk: [x]\n---\nA.", 5, "stands for one text"),
        ("---\nname: refund-note\ntitle: T\nplaceholders:\n  desk: x\n---\nA.", 5, "desk is used nowhere"),
        ("---\nname: refund-note\ntitle: T\n---\nFor\n{{ desk }}.", 6, "placeholder {{desk}} stands for nothing"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_line(tmp_path: Path, text: str, line: int, sentence: str) -> None:
    found = problems(tmp_path, text)
    assert [problem for problem in found if sentence in problem.what and problem.line == line], found
    with pytest.raises(TaskError, match=r"refund-note\.md cannot be used\. Line \d+: "):
        read_task(tmp_path / "refund-note.md", source="own")


def test_all_problems_of_a_file_are_told_in_the_order_of_its_lines(tmp_path: Path) -> None:
    text = "---\ntitle: T\ncolour: red\naudience: all\n---\n{{x}}"
    assert [problem.line for problem in problems(tmp_path, text)] == [1, 3, 4, 6]


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.md").write_bytes(FULL.replace("Kontor", "Büro").encode("latin-1"))
    with pytest.raises(TaskError, match="save it as UTF-8"):
        read_task(tmp_path / "latin.md", source="own")
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    for name in ("folder.md", "pipe.md"):
        with pytest.raises(TaskError, match="no ordinary file"):
            read_task(tmp_path / name, source="own")
    (tmp_path / "large.md").write_bytes(b"---\n" + b"x" * 1_000_001)
    with pytest.raises(TaskError, match="larger than a megabyte"):
        read_task(tmp_path / "large.md", source="own")


def test_a_file_nested_without_end_is_refused() -> None:
    with pytest.raises(UnreadableFrontMatter, match="nesting depth"):
        read_front_matter("---\nname: " + "[" * 20_000 + "\n---\nA.")


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from('---\n:[]{}&*!|>#"% \tab1é\0\u2028'), max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        lines = list(read_front_matter(f"---\n{text}\n---\nA.").lines.values())
    except UnreadableFrontMatter as refused:
        lines = [refused.problem.line]
    assert all(line >= 1 for line in lines)


def checked(tmp_path: Path, text: str, budget: int = 3_000) -> list[str]:
    rules, tools = {name: RULES[name].values for name in ("amounts", "length")}, {"search_handbook"}
    found = check_task(written(tmp_path, text), counter=EstimateCounter(), budget=budget, rules=rules, tools=tools)
    assert found.holds == (not found.problems)
    return [f"{problem.line}: {problem.what}" for problem in found.problems]


def test_a_check_finds_nothing_in_a_good_file(tmp_path: Path) -> None:
    assert checked(tmp_path, FULL) == []


def test_a_check_knows_the_rules_and_tools_that_there_are(tmp_path: Path) -> None:
    text = FULL.replace("- length", "- lenght").replace("tools: search_handbook", "tools: [send_mail]")
    assert checked(tmp_path, text) == [
        "9: There is no tool 'send_mail'; there are search_handbook.",
        "14: There is no rule 'lenght'; there are amounts, length.",
    ]
    (found,) = checked(tmp_path, FULL.replace("max_words", "most_words"))
    assert found == "14: There is no parameter of length 'most_words'; there are max_characters, max_words, min_words."


@pytest.mark.parametrize(
    ("rule", "what"),
    [
        ("length: {max_words: many}", "max_words of length is a whole number above 0."),
        ("length: {max_words: -4}", "max_words of length is a whole number above 0."),
        ("amounts: {allow: 4.95}", "allow of amounts is a text, or a list of texts: [one, another]."),
        ("amounts: {allow: [x, 3]}", "allow of amounts is a text, or a list of texts: [one, another]."),
        ("amounts: {allow: 4.95 €}", None),
    ],
)
def test_a_check_knows_what_may_stand_for_a_parameter(tmp_path: Path, rule: str, what: str | None) -> None:
    text = f"---\nname: refund-note\ntitle: T\nrules:\n  - {rule}\n---\nA."
    assert checked(tmp_path, text) == ([f"5: {what}"] if what else [])


@pytest.mark.parametrize("rules", ["rules:", "rules: []"])
def test_a_check_tells_that_an_empty_list_of_rules_takes_none_away(tmp_path: Path, rules: str) -> None:
    (found,) = checked(tmp_path, f"---\nname: refund-note\ntitle: T\n{rules}\n---\nA.")
    assert found == "4: There is no rule below rules; name one, or leave rules out, and the usual ones hold."


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("{type: strin}", "properties.note.type: 'strin' is not valid"),
        ("{$ref: 'https://example.com/schema'}", "nothing is fetched"),
        ("{$ref: '#/nowhere'}", "it refers to '#/nowhere', which is not in it"),
    ],
)
def test_a_check_looks_into_the_contract(tmp_path: Path, part: str, sentence: str) -> None:
    (found,) = checked(tmp_path, FULL.replace("note: {type: string}", f"note: {part}"))
    assert found.startswith("16: The contract is no JSON Schema that can be used: ")
    assert sentence in found


def test_a_check_holds_the_size_against_the_budget(tmp_path: Path) -> None:
    (found,) = checked(tmp_path, FULL, budget=40)
    assert "so that nothing else fits; shorten it" in found
