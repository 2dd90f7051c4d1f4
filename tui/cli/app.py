"""`ticketree`, `ticketree open` and `ticketree demo`: the full-screen app."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from tui.cli.options import pass_run, ticket_argument
from tui.cli.run import Absent, Run
from tui.errors import SetupError

if TYPE_CHECKING:
    from tui.services import Services

DEMO_TICKET: Final = "T-80005"
"""What the demo opens with: a conversation with branches, long enough that the default budget cuts it."""


@click.command("open")
@ticket_argument
@pass_run
def open_ticket(run: Run, ticket: str) -> None:
    """Open the app on one ticket."""
    start_app(run, ticket_id=ticket)


@click.command(short_help="Try the app on a sample desk, without key or network.")
@pass_run
def demo(run: Run) -> None:
    """Try the app on a sample desk that is thrown away; no key and no network are needed."""
    _need_a_terminal()
    if run.options.db is not None:
        raise SetupError("The demo has a database of its own, which is thrown away; leave --db out.")
    from tui.app import run_app

    run_app(run.demo_services(), ticket_id=DEMO_TICKET)


def start_app(run: Run, *, ticket_id: str | None) -> None:
    """Open the app on this agent's desk."""
    _need_a_terminal()
    from tui.app import run_app
    from tui.first_theme import first_theme

    run_app(_desk(run, ticket_id), ticket_id=ticket_id, theme=first_theme(run.options.config))


@contextmanager
def _desk(run: Run, ticket_id: str | None) -> "Iterator[Services]":
    """Open this agent's desk, where it has the ticket that is asked for."""
    with run.services(at_once=False, absent=Absent.MADE) as services:
        if ticket_id is not None:
            services.store.ticket(ticket_id)
        yield services


def _need_a_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise SetupError("The app needs a terminal; `ticketree --help` lists the commands that work without one.")
