"""`ticketree tickets`: the tickets as this agent sees them."""

import click

from storage.tickets import TicketSummary
from storage.values import JsonObject
from tui.cli.options import TEXT, json_option, pass_run
from tui.cli.output import print_json, say, table
from tui.cli.run import Run

_HEAD = ("TICKET", "STATUS", "LANG", "NODES", "CUSTOMER", "SUBJECT")


@click.command
@click.option(
    "--status",
    metavar="S",
    type=TEXT,
    help="Only tickets with this status, such as open; closed are also those whose source says it otherwise.",
)
@json_option
@pass_run
def tickets(run: Run, status: str | None, as_json: bool) -> None:
    """List the tickets, newest first."""
    with run.store() as store:
        found = store.tickets(run.agent, status=status)
    if as_json:
        print_json([_document(ticket) for ticket in found])
    elif found:
        say("\n".join(table(_HEAD, [_row(ticket) for ticket in found], right=("NODES",))))
    else:
        with_status = f" with the status {status}" if status else ""
        say(f"There are no tickets{with_status}. `ticketree import PATH` brings some.")


def _document(ticket: TicketSummary) -> JsonObject:
    return {
        "id": ticket.id,
        "subject": ticket.subject,
        "customer": ticket.customer,
        "status": ticket.status,
        "language": ticket.language,
        "snapshots": ticket.snapshots,
        "nodes": ticket.nodes,
    }


def _row(ticket: TicketSummary) -> tuple[str, ...]:
    return (ticket.id, ticket.status, ticket.language, str(ticket.nodes), ticket.customer, ticket.subject)
