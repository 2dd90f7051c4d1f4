"""`ticketree tasks`, which lists them, and where its commands are found."""

from typing import Final

import click

from tui.cli.failures import ExitStatus
from tui.cli.lazy import LazyGroup
from tui.cli.options import json_option, pass_run
from tui.cli.output import print_json, remark, say, table
from tui.cli.run import Run

COMMANDS: Final = {
    "show": "tui.cli.tasks.show:show",
    "check": "tui.cli.tasks.check:check",
    "try": "tui.cli.tasks.trial:try_",
}

_HEAD: Final = ("TASK", "TITLE", "FOR", "VERSION", "VISIBLE TO", "SOURCE")


@click.group(cls=LazyGroup, lazy_commands=COMMANDS, invoke_without_command=True)
@json_option
@click.pass_context
@pass_run
def tasks(run: Run, context: click.Context, as_json: bool) -> None:
    """List what the assistant can be asked to do, with versions and sources; your own files win over the shipped ones.

    The exit status is 1 when a file cannot be used.
    """
    if context.invoked_subcommand is not None:
        return
    from assistant.tasks.registry import BrokenTask, Tasks
    from tui.cli.tasks.facts import task_json, visible_to

    found = Tasks(run.setup.task_folders).all()
    broken = [task for task in found if isinstance(task, BrokenTask)]
    usable = [task for task in found if not isinstance(task, BrokenTask)]
    if as_json:
        print_json([*map(task_json, usable), *({"name": task.name, "problem": task.why} for task in broken)])
    else:
        rows = [
            (task.name, task.title, task.audience.value, task.label or task.version, visible_to(task), task.source)
            for task in usable
        ]
        say("\n".join(table(_HEAD, rows)))
        for task in broken:
            remark(task.why)
    context.exit(ExitStatus.PARTLY if broken else ExitStatus.DONE)
