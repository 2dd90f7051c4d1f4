"""`ticketree attachments`: what is attached to a branch, its text, and taking it out of further requests."""

import click

from assistant.plan.projection import project
from storage.attachments.attachment import Attachment, attachment_named, attachments_of
from storage.attachments.states import withdraw
from tui.attachment_text import state_words
from tui.cli.options import TEXT, at_option, json_option, pass_run, ticket_argument
from tui.cli.output import print_json, say, table
from tui.cli.run import Run

_HEAD = ("ID", "NODE", "NAME", "SIZE", "STATE")


@click.command(short_help="List what is attached, show its text, or take it out again.")
@ticket_argument
@at_option
@click.option("--show", "shown_id", metavar="ID", type=TEXT, help="Print the text that was read.")
@click.option("--withdraw", "withdrawn_id", metavar="ID", type=TEXT, help="Send it no more on this branch.")
@json_option
@pass_run
def attachments(
    run: Run, ticket: str, at: int | None, shown_id: str | None, withdrawn_id: str | None, as_json: bool
) -> None:
    """List what is attached to the branch that is shown, or to the one through a node.

    What was sent already stays on record when an attachment is withdrawn.
    """
    if shown_id is not None and withdrawn_id is not None:
        raise click.UsageError("Choose one of --show and --withdraw.")
    with run.store() as store:
        store.conversation(run.agent, ticket)
        projection = project(store, run.agent, ticket, at)
        found = attachments_of(projection.path)
        if withdrawn_id is not None and projection.conversation is not None and projection.leaf_id is not None:
            found = (
                withdraw(store, projection.conversation, projection.leaf_id, attachment_named(found, withdrawn_id)),
            )
    if shown_id is not None:
        _show(attachment_named(found, shown_id), as_json=as_json)
    elif as_json:
        print_json([attachment.as_json() for attachment in found])
    elif found:
        say("\n".join(table(_HEAD, [_row(attachment) for attachment in found], right=("NODE", "SIZE"))))
    else:
        say("Nothing is attached to this branch. `ticketree attach TICKET FILE` attaches a file.")


def _show(attachment: Attachment, *, as_json: bool) -> None:
    if as_json:
        print_json({**attachment.as_json(), "text": attachment.text})
    else:
        say(attachment.text or state_words(attachment))


def _row(attachment: Attachment) -> tuple[str, ...]:
    file = attachment.file
    return (attachment.id, str(attachment.node_id), file.name, file.size, state_words(attachment))
