"""`ticketree report`: how tasks do, version by version; no words of customers, agents or answers."""

import os
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final

import click

from assistant.money.prices import PriceList
from assistant.money.spending import Spending, midnight_us
from assistant.plan.became import Became
from assistant.tasks.report import RuleCounts, TaskReport, task_reports
from storage.values import JsonObject
from tui.cli.csv_cells import csv_text
from tui.cli.figures import CSV_HEAD, cells, figures, source
from tui.cli.options import json_option, pass_run
from tui.cli.output import print_json, say, table
from tui.cli.run import Run
from tui.errors import TuiError
from tui.usage_text import cost_words, remarks

if TYPE_CHECKING:
    from storage.store import Store

_DAYS: Final = 30
_VERSION_SIGNS: Final = 8
_ANSWERS: Final = (Became.COPIED, Became.EDITED, Became.DISCARDED, Became.OPEN)
_NUMBERS: Final = (
    "REQUESTS", "FAILED", *(became.name for became in _ANSWERS), "REPAIRS", "IN", "OUT", "COST", "P50", "P95",
)  # fmt: skip
_RULE_NUMBERS: Final = ("PASS", "FAIL", "UNKNOWN", "OVERRIDDEN")
_CSV: Final = (
    "task", "version", *(became.value for became in Became), "repairs", "overrides", "p50_ms", "p95_ms", *CSV_HEAD,
)  # fmt: skip
_RULES_CSV: Final = ("task", "version", "rule", "pass", "fail", "unknown", "overridden")


@click.command(short_help="Show how tasks do: answers copied, checks failed, time and cost.")
@click.option("--days", metavar="N", type=click.IntRange(1, 36_500), help=f"The last N days, today included [{_DAYS}].")
@click.option("--all", "all_days", is_flag=True, help="Since the beginning.")
@click.option("--all-agents", is_flag=True, help="All agents together; only for who owns the database's file.")
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print a table for spreadsheets: one row for each version.")
@click.option("--rules", is_flag=True, help="With --csv: one row for each rule of the checks instead.")
@pass_run
def report(
    run: Run, days: int | None, all_days: bool, all_agents: bool, as_json: bool, as_csv: bool, rules: bool
) -> None:
    """Show for each version of each task what became of the answers, what the checks said, and what it took.

    It counts your own conversations, and prints no word from any of them.
    """
    if all_days and days is not None:
        raise click.UsageError("--all and --days exclude each other; leave one out.")
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other; leave one out.")
    if rules and not as_csv:
        raise click.UsageError("--rules chooses a table for --csv; say that too, or leave it out.")
    from assistant.money.price_file import load_prices

    prices = load_prices(run.setup.prices_file)
    today = datetime.now().astimezone().date()
    since = None if all_days else today - timedelta(days=(days or _DAYS) - 1)
    with run.store() as store:
        agents: Sequence[str] = (run.agent,)
        if all_agents:
            _check_owner(run)
            agents = store.agents()
        reports = _read(store, agents, prices, since)
    if as_json:
        print_json(
            {
                "agent": None if all_agents else run.agent,
                "since": None if since is None else since.isoformat(),
                "until": today.isoformat(),
                "prices": source(prices),
                "tasks": [_document(each) for each in reports],
            }
        )
    elif as_csv and rules:
        click.echo(
            csv_text(_RULES_CSV, [(*each.of, *_rule(rule)) for each in reports for rule in each.rules]), nl=False
        )
    elif as_csv:
        click.echo(csv_text(_CSV, [_row(each, prices) for each in reports]), nl=False)
    elif not reports:
        say(f"Nothing was asked {'yet' if since is None else f'since {since}'}.")
    else:
        _print(reports, prices, today)


def _check_owner(run: Run) -> None:
    path = run.setup.database_file
    if path.stat().st_uid not in (os.geteuid(), os.getuid()):
        raise TuiError("Only who owns the file of the database reports on all agents; leave --all-agents out.")


def _read(store: "Store", agents: Sequence[str], prices: PriceList, since: date | None) -> tuple[TaskReport, ...]:
    begins = None if since is None else midnight_us(since, None)
    calls = [call for agent in agents for call in store.calls(agent, since=begins)]
    log = [entry for agent in agents for entry in store.answer_log(agent, since=begins)]
    closed = {ticket.id for ticket in store.tickets(agents[0] if agents else "") if ticket.closed or ticket.erased}
    return task_reports(calls, log, closed, prices, since=begins)


def _print(reports: Sequence[TaskReport], prices: PriceList, today: date) -> None:
    rows = [(each.of.task, each.of.version[:_VERSION_SIGNS], *_words(each, prices)) for each in reports]
    say("\n".join(table(("TASK", "VERSION", *_NUMBERS), rows, right=_NUMBERS)))
    checked = [(each, rule) for each in reports for rule in each.rules]
    if checked:
        say()
        lines = [
            (
                each.of.task,
                each.of.version[:_VERSION_SIGNS],
                rule.rule,
                *(f"{n:,}" if n else "" for n in _rule(rule)[1:]),
            )
            for each, rule in checked
        ]
        say("\n".join(table(("TASK", "VERSION", "CHECK", *_RULE_NUMBERS), lines, right=_RULE_NUMBERS)))
    for remark in remarks(sum((each.spending for each in reports), Spending()), prices, today):
        say(remark, dim=True)


def _words(each: TaskReport, prices: PriceList) -> Sequence[str]:
    spending = each.spending
    counts = (spending.calls, spending.failed, *(each.answers.get(what, 0) for what in _ANSWERS), each.repairs)
    tokens = (spending.usage.prompt, spending.usage.completion)
    return (
        *(f"{count:,}" if count else "" for count in (*counts, *tokens)),
        cost_words(spending, prices),
        _seconds(each.p50_ms),
        _seconds(each.p95_ms),
    )


def _seconds(milliseconds: int | None) -> str:
    return "" if milliseconds is None else f"{milliseconds / 1000:.1f} s"


def _row(each: TaskReport, prices: PriceList) -> Sequence[str | int]:
    return (
        *each.of,
        *(each.answers.get(what, 0) for what in Became),
        each.repairs,
        each.overrides,
        "" if each.p50_ms is None else each.p50_ms,
        "" if each.p95_ms is None else each.p95_ms,
        *cells(each.spending, prices),
    )


def _rule(rule: RuleCounts) -> tuple[str, int, int, int, int]:
    return rule.rule, rule.passed, rule.failed, rule.unknown, rule.overridden


def _document(each: TaskReport) -> JsonObject:
    return {
        "task": each.of.task,
        "version": each.of.version,
        "answers": {what.value: each.answers.get(what, 0) for what in Became},
        "repairs": each.repairs,
        "overrides": each.overrides,
        "checks": [dict(zip(_RULES_CSV[2:], _rule(rule), strict=True)) for rule in each.rules],
        "latency": {"p50_ms": each.p50_ms, "p95_ms": each.p95_ms},
        **figures(each.spending),
    }
