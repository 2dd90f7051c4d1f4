"""`ticketree tasks check`: everything that can be said against a task file, line by line."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tui.cli.failures import ExitStatus
from tui.cli.options import json_option, pass_run
from tui.cli.output import print_json, say
from tui.cli.run import Run

if TYPE_CHECKING:
    from assistant.tasks.check import TaskCheck
    from storage.values import JsonObject


@click.command
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@click.pass_context
@pass_run
def check(run: Run, context: click.Context, file: Path, as_json: bool) -> None:
    """Check a task file: its front matter, its contract, its placeholders, rules and tools, and its size.

    The size is held against the configured budget. The exit status is 2 when the file cannot be used as it is.
    """
    found = checked(run, file)
    if as_json:
        print_json(_document(file, found))
    else:
        for problem in found.problems:
            say(f"{file}:{problem.line}: {problem.what}", colour="red")
        if found.task is not None:
            share = round(100 * found.tokens / found.budget)
            say(f"The system message takes {found.tokens:,} tokens, {share} % of the budget of {found.budget:,}.")
        if found.holds:
            say(f"✓ {file} can be used.", bold=True, colour="green")
    context.exit(ExitStatus.DONE if found.holds else ExitStatus.NOTHING)


def checked(run: Run, file: Path) -> "TaskCheck":
    """Check a file with what is configured.

    Raises:
        TaskError: the file cannot be read, or is no text.
    """
    from assistant.gates.registry import RULES
    from assistant.tasks.check import check_task
    from assistant.tokens.counters import counter_for
    from assistant.tools.specs import SPECS

    settings = run.setup.model_settings
    rules = {rule.name: rule.values for rule in RULES.values()}
    counter = counter_for(settings.model if settings.names_a_model else "", kind=run.setup.config.counter or "exact")
    return check_task(file, counter=counter, budget=run.setup.settings.budget, rules=rules, tools=SPECS)


def _document(file: Path, found: "TaskCheck") -> "JsonObject":
    return {
        "file": str(file),
        "name": found.task.name if found.task is not None else None,
        "version": found.task.version if found.task is not None else None,
        "tokens": found.tokens,
        "budget": found.budget,
        "problems": [{"line": problem.line, "what": problem.what} for problem in found.problems],
    }
