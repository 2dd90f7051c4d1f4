"""`ticketree tasks try`: what a task would answer to requests of the past, and what the gates say of it."""

import asyncio
from collections import Counter as Tally
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tui.cli.asking import confirmed
from tui.cli.failures import ExitStatus, Failure
from tui.cli.options import json_option, pass_run
from tui.cli.output import print_json, remark, say, table
from tui.cli.run import Run
from tui.cli.tasks.check import checked

if TYPE_CHECKING:
    from assistant.gates.results import GateResult
    from assistant.tasks.task import Task
    from assistant.tasks.trial import PastRequest, Trial
    from storage.values import Json, JsonObject
    from tui.services import Services

_SIGNS = {"pass": "✓", "fail": "✗", "unknown": "?"}
_HEAD = ("RULE", "BEFORE ✓", "✗", "?", "NOW ✓", "✗", "?")


@click.command("try")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--on", "count", metavar="N", type=click.IntRange(1, 1_000), default=5, show_default=True, help="How many."
)
@click.option("--yes", is_flag=True, help="Do not ask whether the calls may be made.")
@json_option
@click.pass_context
@pass_run
def try_(run: Run, context: click.Context, file: Path, count: int, yes: bool, as_json: bool) -> None:
    """Ask your newest requests anew with the task in FILE, and compare what the gates say of both answers.

    Nothing is written to any conversation. Each request is one call of the model, which costs what it costs; without
    --yes you are asked first. Tools are not offered. The exit status is 3 when a rule fails that did not fail before.
    """
    from assistant.tasks.trial import past_requests

    found = checked(run, file)
    if found.task is None or not found.holds:
        for problem in found.problems:
            remark(f"{file}:{problem.line}: {problem.what}")
        context.exit(ExitStatus.NOTHING)
    if found.task.is_observer:
        raise click.UsageError(f"The task {found.task.name} observes answers, so no request can be asked with it.")
    with run.services() as services:
        settings = services.sized_defaults()
        past = past_requests(services.store, services.agent, found.task, count, settings, services.counter)
        if not past:
            raise click.UsageError("You have no complete answers yet on which it could be tried.")
        _may_ask(services, past, yes=yes)
        trials = asyncio.run(_tried(services, past, found.task, quiet=as_json))
    if as_json:
        print_json(_document(found.task, trials))
    else:
        _say(trials)
    context.exit(_status(trials))


def _may_ask(services: "Services", past: "Sequence[PastRequest]", *, yes: bool) -> None:
    """Let calls that cost something pass only where a person said so."""
    if not services.provider.is_model:
        return
    tokens = sum(request.plan.total for request in past)
    calls = "1 call" if len(past) == 1 else f"{len(past)} calls"
    question = f"This makes {calls} of {services.provider.model} with {tokens:,} tokens of input. Go on?"
    unasked = f"{question.removesuffix(' Go on?')} Say --yes to make them."
    if not confirmed(question, yes=yes, unasked=unasked):
        raise Failure("Nothing was asked.")


async def _tried(services: "Services", past: "Sequence[PastRequest]", task: "Task", *, quiet: bool) -> "list[Trial]":
    from assistant.tasks.trial import try_on

    trials = []
    try:
        async for trial in try_on(past, task, services.provider):
            trials.append(trial)
            if not quiet:
                remark(f"{len(trials)} of {len(past)}: {trial.request.ticket_id}, node {trial.request.answer.id}")
    finally:
        await services.provider.aclose()
    return trials


def _say(trials: "Sequence[Trial]") -> None:
    from assistant.tasks.trial import differences

    before, now = _tally([trial.before for trial in trials]), _tally([trial.now for trial in trials])
    rules = dict.fromkeys(rule for rule, _ in (*before, *now))
    rows = [(rule, *_counts(before, rule), *_counts(now, rule)) for rule in rules]
    say("\n".join(table(_HEAD, rows, right=_HEAD[1:])))
    changed = differences(trials)
    say()
    if all(trial.failure for trial in trials):
        say("Nothing could be compared: no request was answered.", bold=True)
    else:
        say("What is decided otherwise" if changed else "Nothing is decided otherwise.", bold=True)
    for trial, was, result in changed:
        sign = _SIGNS[was.result.value] if was is not None else "·"
        where = f"{trial.request.ticket_id} · node {trial.request.answer.id}"
        colour = "red" if result.result.value == "fail" else None
        say(f"{where} · {result.rule} {sign} → {_SIGNS[result.result.value]} {result.detail}", colour=colour)
    for trial in trials:
        if trial.failure:
            say(f"{trial.request.ticket_id} · node {trial.request.answer.id} · {trial.failure}", colour="yellow")


def _tally(results: "Sequence[Sequence[GateResult]]") -> "Tally[tuple[str, str]]":
    return Tally((result.rule, result.result.value) for each in results for result in each)


def _counts(tally: "Tally[tuple[str, str]]", rule: str) -> tuple[str, ...]:
    return tuple(str(tally[rule, outcome]) for outcome in _SIGNS)


def _status(trials: "Sequence[Trial]") -> ExitStatus:
    from assistant.tasks.trial import differences

    if all(trial.failure for trial in trials):
        return ExitStatus.PROVIDER
    if any(result.result.value == "fail" for _, _, result in differences(trials)):
        return ExitStatus.STOPPED
    return ExitStatus.PARTLY if any(trial.failure for trial in trials) else ExitStatus.DONE


def _document(task: "Task", trials: "Sequence[Trial]") -> "JsonObject":
    def gates(results: "Sequence[GateResult]") -> "list[Json]":
        return [result.as_json() for result in results]

    return {
        "task": task.name,
        "version": task.version,
        "requests": [
            {
                "ticket": trial.request.ticket_id,
                "node": trial.request.answer.id,
                "tokens": trial.request.plan.total,
                "text": trial.text,
                "failure": trial.failure,
                "before": gates(trial.before),
                "now": gates(trial.now),
            }
            for trial in trials
        ],
    }
