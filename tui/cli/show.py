"""`ticketree show`: one path of a conversation as text."""

from datetime import datetime

import click

from storage.attachments.attachment import attachments_of
from storage.interactions import Interaction, Node
from storage.kinds import ROOT, TICKET
from tui.attachment_text import state_line
from tui.chat_items import failure_of
from tui.cli.options import at_option, pass_run, ticket_argument
from tui.cli.output import safe_line, say
from tui.cli.run import Run
from tui.cli.ticket_text import text_of_interaction
from tui.display import local_time
from tui.signs import FILE, sibling_mark, status_mark


@click.command(short_help="Show one path of your conversation as text.")
@ticket_argument
@at_option
@pass_run
def show(run: Run, ticket: str, at: int | None) -> None:
    """Show one path of your conversation on a ticket, from the ticket to a node."""
    with run.store() as store:
        conversation = store.conversation(run.agent, ticket)
        branch = store.branch(conversation.id, at or store.selected(conversation.id))
    now, attached = datetime.now().astimezone(), attachments_of(branch)
    path = [each for each in branch if each.is_external and each.kind != ROOT.name]
    for position, interaction in enumerate(path):
        if position:
            say()
        say(_head(interaction, now), bold=True)
        say(text_of_interaction(interaction))
        _say_failure(interaction.node)
        for attachment in attached:
            if attachment.node_id == interaction.id:
                say(f"{FILE} {safe_line(state_line(attachment))}", dim=True)


def _head(interaction: Interaction, now: datetime) -> str:
    node = interaction.node
    parts = [f"[{node.id}]", safe_line(node.author), local_time(node.created_at, now)]
    if node.kind == TICKET.name and interaction.ticket is not None:
        parts[1:2] = [f"{interaction.ticket.id} {safe_line(interaction.ticket.subject)}", safe_line(node.author)]
    return " · ".join(filter(None, [*parts, sibling_mark(node), status_mark(node.status)]))


def _say_failure(node: Node) -> None:
    failure = failure_of(node)
    if failure is not None:
        say(f"{failure.message} {failure.advice}", colour="yellow")
