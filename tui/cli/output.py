"""What the commands print: one JSON document for programs, safe text for people, colours only on a terminal."""

import json
import os
import sys
from collections.abc import Iterable, Sequence

import click

from storage.values import Json
from tui.display import display_safe


def print_json(document: Json) -> None:
    """Print the one JSON document of a command; every character that a terminal could obey is escaped."""
    click.echo(json.dumps(document, ensure_ascii=True, indent=2))


def say(text: str = "", *, colour: str | None = None, bold: bool = False, dim: bool = False) -> None:
    """Print text for people on stdout; foreign text in it is made safe."""
    click.echo(_styled(display_safe(text), colour, bold=bold, dim=dim))


def say_marked(pieces: Iterable[tuple[str, bool]]) -> None:
    """Print one line in pieces, each with whether it is marked; foreign text in them is made safe."""
    click.echo(
        "".join(
            _marked(display_safe(text, newlines=False)) if is_match else display_safe(text, newlines=False)
            for text, is_match in pieces
        )
    )


def remark(text: str) -> None:
    """Print a remark on stderr, so that what is piped on holds the result alone."""
    click.echo(f"ticketree: {safe_line(text)}", err=True)


def safe_line(text: str) -> str:
    """Make foreign text safe and put it on one line."""
    return " ".join(display_safe(text, newlines=False).split())


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> list[str]:
    """Lay rows out in columns as wide as their widest cell; the columns named in `right` are set to the right."""
    from rich.cells import cell_len

    cells = [[display_safe(cell, newlines=False) for cell in row] for row in (head, *rows)]
    widths = [max(cell_len(row[column]) for row in cells) for column in range(len(head))]

    def fit(text: str, column: int) -> str:
        blank = " " * (widths[column] - cell_len(text))
        return blank + text if head[column] in right else text + blank

    return ["  ".join(fit(text, column) for column, text in enumerate(row)).rstrip() for row in cells]


class TextStream:
    """Prints an answer as it arrives; the end waits for what follows it, as what is safe depends on neighbours."""

    def __init__(self) -> None:
        self._waiting = ""
        self._at_line_start = True

    def write(self, piece: str) -> None:
        """Take a piece and print what can be judged."""
        text = self._waiting + piece
        end = _end_of_judged(text)
        self._waiting = text[end:]
        self._print(text[:end])

    def end(self) -> None:
        """Print what is left, and end the line where one was begun."""
        self._print(self._waiting)
        self._waiting = ""
        if not self._at_line_start:
            self._print("\n")

    def _print(self, text: str) -> None:
        if shown := display_safe(text):
            self._at_line_start = shown.endswith("\n")
            click.echo(shown, nl=False)
            sys.stdout.flush()


def _end_of_judged(text: str) -> int:
    """Return the last place between two plain characters: no hidden one before it depends on what comes after it."""
    places = range(len(text) - 1, 0, -1)
    return next((place for place in places if _is_plain(text[place - 1]) and _is_plain(text[place])), 0)


def _is_plain(character: str) -> bool:
    return character.isalnum() or character in " \n"


def _marked(text: str) -> str:
    return text if os.environ.get("NO_COLOR") else click.style(text, bold=True, underline=True)


def _styled(text: str, colour: str | None, *, bold: bool, dim: bool) -> str:
    if os.environ.get("NO_COLOR") or not (colour or bold or dim):
        return text
    return click.style(text, fg=colour, bold=bold or None, dim=dim or None)
