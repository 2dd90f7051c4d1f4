"""`ticketree doctor`: what is configured, what is missing, and how to fix it."""

import click

from tui.cli.check import Check, State
from tui.cli.checks import every_check
from tui.cli.failures import ExitStatus
from tui.cli.options import json_option, pass_run
from tui.cli.output import print_json, say
from tui.cli.run import Run

_SIGNS = {State.OK: ("✓", "green"), State.WARNING: ("⚠", "yellow"), State.PROBLEM: ("✗", "red")}
_STATUS = {State.OK: ExitStatus.DONE, State.WARNING: ExitStatus.PARTLY, State.PROBLEM: ExitStatus.NOTHING}


@click.command(short_help="Show what is configured, what is missing, what to do.")
@json_option
@click.pass_context
@pass_run
def doctor(run: Run, context: click.Context, as_json: bool) -> None:
    """Show what is configured, what is missing, and how to fix it; nothing is sent.

    The exit status is 0 when all is well, 1 with warnings, 2 when something does not work.
    """
    checks = list(every_check(run.options, run.environ))
    worst = max((check.state for check in checks), key=list(State).index)
    if as_json:
        print_json({"usable": worst is not State.PROBLEM, "checks": [check.as_json() for check in checks]})
    else:
        for check in checks:
            _say(check)
    context.exit(_STATUS[worst])


def _say(check: Check) -> None:
    sign, colour = _SIGNS[check.state]
    say(f"{sign} {check.name:<14} {check.found}", colour=None if check.state is State.OK else colour)
    if check.advice:
        say(f"{'':<17}{check.advice}")
