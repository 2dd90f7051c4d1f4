"""`ticketree tasks show`: one task, with the system message as a model gets it."""

import json

import click

from tui.cli.options import json_option, pass_run
from tui.cli.output import print_json, say
from tui.cli.run import Run


@click.command
@click.argument("name")
@json_option
@pass_run
def show(run: Run, name: str, as_json: bool) -> None:
    """Show a task: where it comes from, what it says about itself, and its system message as it is sent."""
    from assistant.tasks.registry import Tasks
    from tui.cli.tasks.facts import task_json, visible_to

    task = Tasks(run.setup.task_folders).get(name)
    if as_json:
        print_json({**task_json(task), "system": task.system})
        return
    facts = {
        "title": task.title,
        "about": task.about,
        "source": task.source,
        "version": f"{task.version}{f' ({task.label})' if task.label else ''}",
        "audience": task.audience.value,
        "visible to": visible_to(task),
        "model": task.model,
        "tools": ", ".join(task.tools),
        "rules": "; ".join(_rule(rule.name, dict(rule.parameters)) for rule in task.rules),
        "reply": f"the field {task.reply_field} of the contract" if task.reply_field else "",
    }
    for fact, value in facts.items():
        if value:
            say(f"{fact:<11} {value}")
    say()
    say("The system message", bold=True)
    say(task.system)


def _rule(name: str, parameters: dict[str, object]) -> str:
    return f"{name} {json.dumps(parameters, ensure_ascii=False)}" if parameters else name
