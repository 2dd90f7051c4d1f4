"""`ticketree close` and `ticketree reopen`: the status of a ticket, kept in a log."""

import click

from tui.cli.options import pass_run, ticket_argument
from tui.cli.output import say
from tui.cli.run import Run


@click.command(short_help="Close a ticket.")
@ticket_argument
@pass_run
def close(run: Run, ticket: str) -> None:
    """Close a ticket. Its conversations stay as they are; how long its words are kept counts from now on."""
    with run.store() as store:
        changed = store.close_ticket(ticket, run.agent)
    say(f"{ticket} is closed." if changed else f"{ticket} was closed already.")


@click.command(short_help="Open a closed ticket again.")
@ticket_argument
@pass_run
def reopen(run: Run, ticket: str) -> None:
    """Open a closed ticket again."""
    with run.store() as store:
        changed = store.reopen_ticket(ticket, run.agent)
    say(f"{ticket} is open again." if changed else f"{ticket} was not closed.")
