"""`ticketree tasks`: what the assistant can be asked to do."""

import click

from tui.cli.options import json_option, pass_run
from tui.cli.output import print_json, say, table
from tui.cli.run import Run


@click.command
@json_option
@pass_run
def tasks(run: Run, as_json: bool) -> None:
    """List the tasks with their versions and sources."""
    from assistant.tasks import load_task

    found = [load_task(folder=run.setup.tasks_folder)]
    if as_json:
        print_json(
            [{"name": task.name, "title": task.title, "version": task.version, "source": task.source} for task in found]
        )
        return
    rows = [(task.name, task.title, task.version, task.source) for task in found]
    say("\n".join(table(("TASK", "TITLE", "VERSION", "SOURCE"), rows)))
