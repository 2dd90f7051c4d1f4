"""`ticketree audit isolation`: every request holds words of its own conversation only."""

from typing import TYPE_CHECKING

import click

from tui.cli.audit.record import record_as_it_is
from tui.cli.failures import ExitStatus
from tui.cli.options import json_option, pass_run
from tui.cli.output import print_json, say
from tui.cli.run import Run

if TYPE_CHECKING:
    from assistant.audit.isolation import Isolation, Leak


@click.command
@click.option("--mine", is_flag=True, help="Your own requests only [everybody's].")
@json_option
@click.pass_context
@pass_run
def isolation(run: Run, context: click.Context, mine: bool, as_json: bool) -> None:
    """Show that nothing crossed: look through every request for words that are not its conversation's own.

    Each part must have its origin in its own conversation, its ticket or a task; and no six words in a row of another
    ticket's messages may stand in it, unless the own ticket, the agent, a task, a saved reply or the handbook says them
    too, or three tickets do. The exit status is 0 when nothing crossed and 3 when something did.
    """
    from assistant.audit.isolation import check_isolation
    from assistant.audit.known_texts import nobodys_texts, system_messages, tasks_here
    from tui.services import handbook_of

    tasks = tasks_here(run.setup.task_folders)
    with record_as_it_is(run) as store:
        found = check_isolation(
            store,
            system_of=system_messages(tasks, store),
            boilerplate=nobodys_texts(tasks, run.setup.replies_folder, handbook_of(run.setup)),
            agent=run.agent if mine else None,
        )
    if as_json:
        print_json(found.as_json())
    else:
        _say(found)
    context.exit(ExitStatus.DONE if found.holds else ExitStatus.STOPPED)


def _say(found: "Isolation") -> None:
    from tui.audit_text import counted

    if found.holds:
        say("✓ Nothing crossed.", bold=True, colour="green")
    else:
        say(f"✗ {counted(len(found.leaks), 'thing')} crossed, or cannot be explained.", bold=True, colour="red")
    say(f"Looked through: {counted(found.requests, 'request')}, {counted(found.parts, 'part')}.")
    for leak in found.leaks:
        say(f"✗ {_line(leak)}", colour="red")
    if found.erased:
        say(f"{counted(found.erased, 'request')} erased with the words of the ticket.")
    for task, version in found.unverified_tasks:
        say(f"The file of task {task}, version {version}, is no longer here, so its words were not compared.", dim=True)


def _line(leak: "Leak") -> str:
    where = f"{leak.ticket_id} · {leak.agent} · node {leak.node_id} · attempt {leak.attempt}"
    more = f" and {leak.more} more" if leak.more else ""
    words = f"\n    “{leak.words}”{more}" if leak.words else ""
    return f"{where}\n    {leak.what}{words}"
