"""Asking before something that cannot be undone; where nobody can be asked, only `--yes` answers."""

import sys

import click

from tui.cli.failures import Failure
from tui.cli.output import safe_line


def confirmed(question: str, *, yes: bool, unasked: str) -> bool:
    """Ask the person at the terminal, on stderr, so that it is seen wherever the output goes; only "y" or "yes" is yes.

    Args:
        question: what is asked.
        yes: the person said so already.
        unasked: the sentence where there is no terminal to ask at.

    Raises:
        Failure: nobody can be asked.
    """
    if yes:
        return True
    if not _on_a_terminal():
        raise Failure(unasked)
    click.echo(f"{safe_line(question)} [y/N]: ", nl=False, err=True)
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _on_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()
