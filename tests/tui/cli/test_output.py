"""What the commands print: safe, in columns, and with colours only where a terminal wants them."""

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.cli.output import TextStream, say, table
from tui.display import display_safe


def run(command: click.Command, *, color: bool = False, env: dict[str, str | None] | None = None) -> Result:
    return CliRunner().invoke(command, color=color, env=env)


@click.command
def greet() -> None:
    say("hello", colour="green", bold=True)


@pytest.mark.parametrize(
    ("color", "no_color", "printed"),
    [
        (True, None, "\x1b[32m\x1b[1mhello\x1b[0m\n"),
        (True, "1", "hello\n"),
        (False, None, "hello\n"),
    ],
    ids=["terminal", "NO_COLOR", "no terminal"],
)
def test_colours_go_to_terminals_that_want_them(color: bool, no_color: str | None, printed: str) -> None:
    assert run(greet, color=color, env={"NO_COLOR": no_color}).stdout == printed


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.sampled_from("ab é日👩\u200d\u200b\ufe0f\u202e\x1b\r\n[")), max_size=8))
def test_an_answer_printed_in_pieces_is_as_safe_and_as_whole_as_printed_at_once(pieces: list[str]) -> None:
    @click.command
    def stream() -> None:
        answer = TextStream()
        for piece in pieces:
            answer.write(piece)
        answer.end()

    whole = display_safe("".join(pieces))
    assert run(stream).stdout == (whole if whole.endswith("\n") or not whole else whole + "\n")


def test_a_language_without_spaces_is_printed_as_it_comes() -> None:
    @click.command
    def stream() -> None:
        answer = TextStream()
        answer.write("ハンモックが")
        raise click.ClickException("stopped here")

    assert run(stream).stdout == "ハンモック"


def test_columns_are_as_wide_as_their_widest_cell_counted_in_cells() -> None:
    assert table(("N", "NAME", "TEXT"), [("1", "日本", "x"), ("22", "a", "y")], right=("N",)) == [
        " N  NAME  TEXT",
        " 1  日本  x",
        "22  a     y",
    ]


def test_a_cell_is_one_safe_line() -> None:
    assert table(("A",), [("two\nlines\x1b[31m",)]) == ["A", "two lines␛[31m"]
