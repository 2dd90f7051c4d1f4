import re

import pytest
from hostile import EVERY, Hostile
from hypothesis import given
from hypothesis import strategies as st
from painted import HARMFUL

from tui.flow import flow
from tui.markdown import LONGEST, finished_length, markdown_blocks


def shown(text: str, width: int = 40) -> list[str]:
    return [line.plain for line in flow(markdown_blocks(text), width)]


@pytest.mark.parametrize(
    ("markdown", "lines"),
    [
        ("one\n\ntwo", ["one", "", "two"]),
        ("Dear Sophie,\nyours", ["Dear Sophie,", "yours"]),
        ("# Title\ntext", ["Title", "", "text"]),
        ("a **b** _c_ `d` ~~e~~", ["a b c d e"]),
        ("- a\n- b", ["• a", "• b"]),
        ("text\n- a", ["text", "", "• a"]),
        ("- a\n  - b\n    - c", ["• a", "  ◦ b", "    ▪ c"]),
        ("3. a\n4. b", ["3. a", "4. b"]),
        ("0. a\n1. b", ["0. a", "1. b"]),
        ("- a\n\n- b", ["• a", "", "• b"]),
        ("-\n- b", ["• ", "• b"]),
        ("> q\n> r\n\nt", ["▎ q", "▎ r", "", "t"]),
        ("> a\n>\n> b", ["▎ a", "▎", "▎ b"]),
        ("```py\nx = 1\n\ny\n```\nafter", ["▏ x = 1", "▏ ", "▏ y", "", "after"]),
        ("```\nnever closed", ["▏ never closed"]),
        ("a\n---\nb", ["a", "", "─" * 24, "", "b"]),
        ("[here](https://a.b/c)", ["here ‹https://a.b/c›"]),
        ("<https://a.b>", ["https://a.b"]),
        ("[a@b.c](mailto:a@b.c)", ["a@b.c"]),
        ("[x](javascript:alert(1))", ["[x](javascript:alert(1))"]),
        ("![pic](https://a.b/?d=4711)", ["[image: pic] ‹https://a.b/?d=4711›"]),
        ("<b>x</b>", ["<b>x</b>"]),
        ("|a|b|\n|-|-|\n|日本|2|", ["a    │ b", "─────┼──", "日本 │ 2"]),
        ("**half", ["**half"]),
        ("[/b] [bold]x[/bold]", ["[/b] [bold]x[/bold]"]),
        ("&#8238;x", ["‹U+202E›x"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_what_markdown_becomes(markdown: str, lines: list[str]) -> None:
    assert shown(markdown) == lines


def test_wrapped_lines_hang_below_their_text() -> None:
    assert shown("- one two three four", 12) == ["• one two", "  three four"]
    assert shown("> five six seven", 12) == ["▎ five six", "▎ seven"]


def test_emphasis_is_styled() -> None:
    (line,) = flow(markdown_blocks("a **b** *c*"), 40)
    assert {(line.plain[span.start : span.end], str(span.style)) for span in line.spans} == {
        ("b", "bold"),
        ("c", "italic"),
    }


@pytest.mark.parametrize(
    "text",
    [">" * 5_000 + " deep", "- " * 5_000 + "deep", "*" * 5_000 + "deep", "[" * 5_000 + "deep", "  " * 5_000 + "- deep"],
    ids=["quotes", "lists", "stars", "brackets", "indent"],
)
def test_deep_nesting_neither_recurses_to_death_nor_loses_the_text(text: str) -> None:
    assert "deep" in "".join(shown(text, 80))


def test_a_very_long_text_is_shown_as_it_is() -> None:
    text = "**x** " * (LONGEST // 6 + 1)
    assert "**x**" in shown(text, 80)[0]


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_hostile_text_becomes_plain_lines(case: Hostile) -> None:
    for line in shown(case.text):
        assert not HARMFUL.search(line)


@given(st.text(st.sampled_from("ab *_`[]()>-#|~!\n1.\\&;<") | st.characters(), max_size=200), st.integers(1, 60))
def test_any_text_gives_lines_that_fit(text: str, width: int) -> None:
    for line in flow(markdown_blocks(text), width):
        assert "\n" not in line.plain
        assert line.cell_length <= max(width, 2)


@given(st.text(st.sampled_from("abc*`>-\n #"), max_size=120))
def test_words_are_never_lost(text: str) -> None:
    seen = "".join("".join(shown(text, 200)).split())
    for word in re.findall("[abc]+", text):
        assert word in seen or "```" in text


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("one", 0),
        ("one\n\ntw", len("one\n\n")),
        ("one\n\n- a\n- b", len("one\n\n")),
        ("```\ncode\n\nmore", 0),
        ("# t\n\na\n\n```\nx\n```\n\nlast", len("# t\n\na\n\n```\nx\n```\n\n")),
        ("", 0),
    ],
)
def test_all_but_the_last_block_is_finished(text: str, length: int) -> None:
    assert finished_length(text) == length
