"""Asking before something that cannot be undone; only where a person can answer."""

import sys

import click

from tui.cli.output import safe_line


def confirmed(question: str, *, yes: bool) -> bool:
    """Ask on a terminal; anywhere else, or with --yes, the command itself is the answer."""
    return yes or not _on_a_terminal() or click.confirm(safe_line(question), default=False, err=True)


def _on_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
