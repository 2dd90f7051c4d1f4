"""Tables in answers: cells stay in their columns at any width, or each stands on a line of its own."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content

from tui.flow import flow
from tui.markdown import markdown_blocks
from tui.tables import Table

DATES = """\
| Date | What follows | Certain |
|-|-|-|
| 17 June | two working days by road; the carrier has not confirmed it | no |
| 20 June | the hammock is there | |"""


def shown(markdown: str, width: int) -> list[str]:
    return [line.plain.rstrip() for line in flow(markdown_blocks(markdown), width)]


def test_a_cell_wraps_inside_its_own_column() -> None:
    assert shown(DATES, 50) == [
        "Date    │ What follows                   │ Certain",
        "────────┼────────────────────────────────┼────────",
        "17 June │ two working days by road; the  │ no",
        "        │ carrier has not confirmed it   │",
        "20 June │ the hammock is there           │",
    ]


def test_a_rule_tells_rows_apart_where_a_first_cell_is_empty() -> None:
    assert shown("|Date|Follows|\n|-|-|\n|20 June|it is there|\n||two working days|", 24) == [
        "Date    │ Follows",
        "────────┼───────────────",
        "20 June │ it is there",
        "┄┄┄┄┄┄┄┄┼┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄",
        "        │ two working",
        "        │ days",
    ]


def test_a_rule_tells_rows_apart_where_a_first_cell_wraps_too() -> None:
    assert shown("|Date|Follows|\n|-|-|\n|17|two working days|\n|after 20 June|none|", 19)[2:] == [
        "17       │ two",
        "         │ working",
        "         │ days",
        "┄┄┄┄┄┄┄┄┄┼┄┄┄┄┄┄┄┄┄",
        "after 20 │ none",
        "June     │",
    ]


def test_a_table_that_fits_has_one_line_a_row() -> None:
    assert len(shown(DATES, 80)) == 4


def test_columns_that_cannot_hold_their_words_become_a_field_a_line() -> None:
    assert shown(DATES, 24) == [
        "Date: 17 June",
        "What follows: two",
        "  working days by road;",
        "  the carrier has not",
        "  confirmed it",
        "Certain: no",
        "┄" * 24,
        "Date: 20 June",
        "What follows: the",
        "  hammock is there",
        "Certain:",
    ]


def test_a_table_in_a_list_keeps_to_the_room_that_is_left() -> None:
    item = "- dates\n\n" + "\n".join(f"  {line}" for line in DATES.splitlines())
    assert shown(item, 52)[2:5] == [
        "  Date    │ What follows                   │ Certain",
        "  ────────┼────────────────────────────────┼────────",
        "  17 June │ two working days by road; the  │ no",
    ]


def test_many_columns_of_few_letters_stay_columns_and_a_head_alone_is_shown() -> None:
    assert shown("|a|b|c|d|\n|-|-|-|-|\n|1|2|3|4|", 20) == ["a │ b │ c │ d", "──┼───┼───┼──", "1 │ 2 │ 3 │ 4"]
    assert shown("|fifteen letters|seventeen letters|\n|-|-|", 16) == ["fifteen letters", "seventeen", "letters"]


def test_emphasis_goes_along_with_its_words() -> None:
    line = flow(markdown_blocks("|a|b|\n|-|-|\n|x|one two **three four** five six seven|"), 20)[2]
    bold = [line.plain[span.start : span.end] for span in line.spans if str(span.style) == "bold"]
    assert "".join(bold) == "three"


def test_wide_characters_and_long_words_are_broken_at_their_cells() -> None:
    lines = shown("|日|b|\n|-|-|\n|日本語の長い文章|https://example.com/a/long/address|", 24)
    assert lines[2:4] == ["日本語の長  │ https://ex", "い文章      │ ample.com/"]


@pytest.mark.parametrize("reference", ["&#10;", "&#9;", "&#8232;"])
def test_a_cell_stays_on_its_line_whatever_its_character_references_name(reference: str) -> None:
    assert shown(f"|a|b|\n|-|-|\n|x{reference}y|2|", 40)[2] == "x y │ 2"


CELLS = st.lists(st.sampled_from(["ab", "c", "日", "👍🏽", "é", " "]), max_size=30).map("".join).map(str.strip)


@settings(max_examples=100)
@given(
    st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=2, max_size=4)),
    st.integers(20, 90),
)
def test_no_cell_leaves_its_column_or_loses_a_letter(rows: list[list[str]], width: int) -> None:
    lines = Table(tuple(tuple(map(Content, row)) for row in rows)).wrap(width)
    assert all(line.cell_length <= width for line in lines)
    if "┼" not in "".join(line.plain for line in lines) and len(rows[0]) > 1:
        seen = "".join("".join(line.plain.split()) for line in lines)
        assert all("".join(cell.split()) in seen for row in rows[1:] for cell in row)
        return
    columns = [line.plain.split(" │ ") for line in lines if not set(line.plain) <= set("─┄┼")]
    assert len({tuple(map(cell_len, parts)) for parts in columns}) <= 1
    for at in range(len(rows[0])):
        seen = "".join("".join(parts[at].split()) for parts in columns)
        assert seen == "".join("".join(row[at].split()) for row in rows)
