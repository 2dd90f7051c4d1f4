"""`ticketree erase`: take the words of a ticket out of the record for good."""

from typing import Final

import click

from storage.endings import Erasure
from storage.values import JsonObject
from tui import locations
from tui.cli.asking import confirmed
from tui.cli.failures import ExitStatus
from tui.cli.options import TEXT, json_option, pass_run, ticket_argument
from tui.cli.output import print_json, remark, say
from tui.cli.run import Run
from tui.erasure_text import done, outside_reach, shared

yes_option = click.option("--yes", is_flag=True, help="Do not ask; needed where there is no terminal to ask at.")

UNASKED: Final = "Nothing was erased, as there is no terminal to ask at; say --yes to erase without being asked."


@click.command(short_help="Erase the words of a ticket and of all conversations on it.")
@ticket_argument
@click.option("--reason", metavar="R", type=TEXT, required=True, help="Why; it stays in the record.")
@yes_option
@json_option
@click.pass_context
@pass_run
def erase(run: Run, context: click.Context, ticket: str, reason: str, yes: bool, as_json: bool) -> None:
    """Erase the words of a ticket and of every agent's conversation on it; this cannot be undone.

    The trees stay, and say when, by whom and why they were erased. It asks first; without a terminal --yes is needed.
    """
    with run.store() as store:
        found = store.ticket(ticket)
        subject = f" ({found.subject})" if found.subject else ""
        question = f"Erase {found.id}{subject}, with every agent's conversation on it, for good?"
        if not found.erased and not confirmed(question, yes=yes, unasked=UNASKED):
            remark("Nothing was erased.")
            context.exit(ExitStatus.NOTHING.value)
        erasure = store.erase(ticket, run.agent, reason)
    if as_json:
        print_json({**document(erasure), "outside_reach": list(outside_reach(locations.copies_folder()))})
    else:
        _say(erasure)
    context.exit(ExitStatus.PARTLY.value if erasure.pending else ExitStatus.DONE.value)


def document(erasure: Erasure) -> JsonObject:
    """An erasure as JSON."""
    return {
        "ticket": erasure.ticket_id,
        "by": erasure.agent,
        "reason": erasure.reason,
        "at": erasure.erased_at,
        "erased": dict(erasure.content),
        "pending": erasure.pending or None,
        "shared_with": list(erasure.shared_with),
    }


def _say(erasure: Erasure) -> None:
    say(done(erasure), colour="yellow" if erasure.pending else None)
    for what, count in erasure.content.items():
        say(f"  {count:>7,}  {what}")
    if sentence := shared(erasure):
        say(sentence, colour="yellow")
    say_outside_reach()


def say_outside_reach() -> None:
    """List what no erasure reaches."""
    say("Out of reach, for you to look after:")
    for place in outside_reach(locations.copies_folder()):
        say(f"  * {place}")
