"""`ticketree hold`: legal holds, which keep a ticket from being erased."""

import click

from storage.endings import Hold, day_of
from storage.values import JsonObject
from tui.cli.options import TEXT, json_option, pass_run
from tui.cli.output import print_json, say, table
from tui.cli.run import Run


@click.command(short_help="Keep a ticket from being erased, or list what is kept.")
@click.argument("ticket", type=TEXT, required=False)
@click.option("--reason", metavar="R", type=TEXT, help="Why; it stays in the record.")
@click.option("--release", is_flag=True, help="Release the hold.")
@json_option
@pass_run
def hold(run: Run, ticket: str | None, reason: str | None, release: bool, as_json: bool) -> None:
    """Put a legal hold on a ticket: nothing erases it until the hold is released. Without TICKET, list all holds."""
    if ticket is not None and reason is None:
        raise click.UsageError("Say why with --reason.")
    if ticket is None and (reason is not None or release):
        raise click.UsageError("Name the ticket.")
    with run.store() as store:
        if ticket is not None and reason is not None:
            (store.release_ticket if release else store.hold_ticket)(ticket, run.agent, reason)
        held = store.holds()
    if as_json:
        print_json([document(each) for each in held])
    elif ticket is not None:
        say(f"The hold on {ticket} is released." if release else f"{ticket} is held; nothing of it is erased.")
    elif held:
        rows = [(each.ticket_id, day_of(each.set_at), each.agent, each.reason) for each in held]
        say("\n".join(table(("TICKET", "SINCE", "BY", "REASON"), rows)))
    else:
        say("There are no legal holds.")


def document(held: Hold) -> JsonObject:
    """A hold as JSON."""
    return {"ticket": held.ticket_id, "by": held.agent, "reason": held.reason, "at": held.set_at}
