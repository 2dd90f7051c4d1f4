"""Options and arguments that several commands share."""

import sys

import click

from storage.text import storable
from tui.cli.run import Run

TEXT = storable
"""A text as the record could hold it: bytes on the command line that are no UTF-8 become U+FFFD."""

pass_run = click.make_pass_decorator(Run)

ticket_argument = click.argument("ticket", type=TEXT)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
at_option = click.option(
    "--at", "at", metavar="NODE", type=click.IntRange(min=1), help="A node of the conversation [the chosen one]."
)


def text_of(argument: str) -> str:
    """Return a text argument; "-" is read from standard input.

    Raises:
        click.UsageError: standard input is not UTF-8 text.
    """
    if argument != "-":
        return argument
    try:
        return sys.stdin.buffer.read().decode("utf-8").removesuffix("\n")
    except UnicodeDecodeError:
        raise click.UsageError("The text on standard input is not UTF-8.") from None
