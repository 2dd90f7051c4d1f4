"""Files of a handbook in passages."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.handbook.passages import LONGEST, Passage, passages


def read(text: str, file: str = "returns.md") -> list[Passage]:
    return list(passages(file, text))


def test_each_passage_stands_below_its_headings_and_knows_its_line() -> None:
    found = read("Intro.\n\n# Returns\n\nFirst.\n\n## Refunds ##\n\nSecond.\nThird.\n\n# Deliveries\nFourth.\n")

    assert [(passage.heading, passage.line, passage.text) for passage in found] == [
        ("", 1, "Intro."),
        ("Returns", 5, "First."),
        ("Returns › Refunds", 9, "Second.\nThird."),
        ("Deliveries", 13, "Fourth."),
    ]
    assert found[2].source == "returns.md › Returns › Refunds"


def test_a_heading_of_the_same_level_takes_the_place_of_the_one_before_and_of_those_below_it() -> None:
    found = read("# A\n## B\n### C\none\n## D\ntwo\n")

    assert [passage.heading for passage in found] == ["A › B › C", "A › D"]


def test_underlined_headings_count_and_lists_and_rules_do_not() -> None:
    found = read("Returns\n=======\n\none\n\nRefunds\n-------\ntwo\n\n- item\n---\nthree\n")

    assert [(passage.heading, passage.text) for passage in found] == [
        ("Returns", "one"),
        ("Returns › Refunds", "two\n\n- item\n---\nthree"),
    ]


def test_what_looks_like_a_heading_in_code_is_none() -> None:
    found = read("# Shell\n```sh\n# no heading\n```\n~~~\n# nor this\n```\n~~~\ndone\n")

    assert [passage.heading for passage in found] == ["Shell"]
    assert "# nor this" in found[0].text


def test_marks_in_a_heading_are_left_out_and_front_matter_is_no_text() -> None:
    found = read("---\ntitle: x\n---\n# **Returns** of `kettles`\none\n")

    assert [(passage.heading, passage.text) for passage in found] == [("Returns of kettles", "one")]


def test_a_text_file_has_no_headings() -> None:
    (passage,) = read("# no heading\r\nText.\r\n", file="notes.TXT")

    assert (passage.heading, passage.text, passage.source) == ("", "# no heading\nText.", "notes.TXT")


def test_a_long_section_is_divided_between_paragraphs() -> None:
    paragraphs = [f"{number} " + "word " * 150 for number in range(5)]

    found = read("# Long\n\n" + "\n\n".join(paragraphs))

    assert [passage.text[0] for passage in found] == ["0", "1", "2", "3", "4"] or len(found) < 5
    assert all(passage.heading == "Long" and len(passage.text) <= LONGEST for passage in found)
    assert " ".join(" ".join(passage.text.split()) for passage in found) == " ".join(" ".join(paragraphs).split())


@pytest.mark.parametrize("text", ["", "\n\n", "# Only a heading", "---", "```", "=", "#"])
def test_a_file_without_words_has_no_passages_or_one_without_harm(text: str) -> None:
    assert all(passage.text for passage in read(text))


@settings(max_examples=60)
@given(st.text(st.sampled_from("ab #=-`~>*\n\r\té€"), max_size=400), st.integers(0, 2_000))
def test_no_passage_is_too_long_and_every_line_number_is_there(text: str, more: int) -> None:
    text += "x" * more
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    for passage in read(text):
        assert 0 < len(passage.text) <= LONGEST
        assert passage.text.split("\n")[0].strip()[:10] in lines[passage.line - 1]
