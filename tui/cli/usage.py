"""`ticketree usage`: what the calls of models took, and about what they cost."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final

import click

from assistant.prices import PriceList
from assistant.spending import By, Spending, grouped, key_by, midnight_us
from storage.values import JsonObject
from tui.cli.csv_cells import csv_text
from tui.cli.options import TEXT, json_option, pass_run
from tui.cli.output import print_json, say, table
from tui.cli.run import Run
from tui.usage_text import cost_words, remarks, share

_DAYS: Final = 30
_NUMBERS: Final = ("CALLS", "FAILED", "IN", "CACHED", "OUT", "REASONING", "COST")
_CSV: Final = (
    "calls", "failed", "without_figures", "prompt_tokens", "cached_tokens", "cache_write_tokens", "completion_tokens",
    "reasoning_tokens", "unpriced_tokens", "cost", "currency",
)  # fmt: skip


@click.command(short_help="Show what models took, and about what it cost.")
@click.option("--days", metavar="N", type=click.IntRange(1, 36_500), help=f"The last N days, today included [{_DAYS}].")
@click.option("--all", "all_days", is_flag=True, help="Since the beginning.")
@click.option("--by", type=click.Choice([by.value for by in By]), default=By.DAY.value, show_default=True,
              help="What to put together.")  # fmt: skip
@click.option("--ticket", metavar="ID", type=TEXT, help="Only your conversation on this ticket.")
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print a table for spreadsheets.")
@pass_run
def usage(run: Run, days: int | None, all_days: bool, by: str, ticket: str | None, as_json: bool, as_csv: bool) -> None:
    """Show the tokens that the calls of your conversations took, and about what they cost.

    Days are those of this machine's time zone. Erased tickets count: their numbers stay.
    """
    if all_days and days is not None:
        raise click.UsageError("--all and --days exclude each other; leave one out.")
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other; leave one out.")
    from assistant.price_file import load_prices

    prices = load_prices(run.setup.prices_file)
    today = datetime.now().astimezone().date()
    since = None if all_days else today - timedelta(days=(days or _DAYS) - 1)
    with run.store() as store:
        if ticket is not None:
            store.ticket(ticket)
        calls = store.calls(run.agent, since=None if since is None else midnight_us(since, None), ticket_id=ticket)
    groups = _ordered(grouped(calls, key_by(By(by)), prices), By(by))
    total = sum(groups.values(), Spending())
    if as_json:
        print_json(
            {
                "agent": run.agent,
                "since": None if since is None else since.isoformat(),
                "until": today.isoformat(),
                "by": by,
                "prices": _source(prices),
                "total": _figures(total),
                "groups": [{"name": name, **_figures(spending)} for name, spending in groups.items()],
            }
        )
    elif as_csv:
        rows = [(name, *_cells(spending, prices)) for name, spending in groups.items()]
        click.echo(csv_text((by, *_CSV), rows), nl=False)
    elif not groups:
        say(f"No model was asked {'yet' if since is None else f'since {since}'}.")
    else:
        _print(groups, total, By(by), prices, today)


def _ordered(groups: Mapping[str, Spending], by: By) -> dict[str, Spending]:
    """Days in their order, all else by what was spent, most first."""
    if by is By.DAY:
        return dict(sorted(groups.items()))
    return dict(sorted(groups.items(), key=lambda group: (-group[1].cost, -group[1].usage.total, group[0])))


def _print(groups: Mapping[str, Spending], total: Spending, by: By, prices: PriceList, today: date) -> None:
    rows = [(name, *_words(spending, prices)) for name, spending in groups.items()]
    *lines, last = table((by.value.upper(), *_NUMBERS), [*rows, ("total", *_words(total, prices))], right=_NUMBERS)
    say("\n".join(lines))
    say(last, bold=True)
    for remark in remarks(total, prices, today):
        say(remark, dim=True)


def _words(spending: Spending, prices: PriceList) -> Sequence[str]:
    usage = spending.usage
    return (
        f"{spending.calls:,}",
        f"{spending.failed:,}" if spending.failed else "",
        f"{usage.prompt:,}",
        share(usage.cached, usage.prompt),
        f"{usage.completion:,}",
        f"{usage.reasoning:,}" if usage.reasoning else "",
        cost_words(spending, prices),
    )


def _cells(spending: Spending, prices: PriceList) -> Sequence[str | int]:
    usage = spending.usage
    return (
        spending.calls,
        spending.failed,
        spending.silent,
        usage.prompt,
        usage.cached,
        usage.cache_write,
        usage.completion,
        usage.reasoning,
        spending.unpriced_tokens,
        f"{spending.cost:f}" if spending.has_price else "",
        prices.currency if spending.has_price else "",
    )


def _figures(spending: Spending) -> JsonObject:
    usage = spending.usage
    return {
        "calls": spending.calls,
        "failed": spending.failed,
        "without_figures": spending.silent,
        "usage": {
            "prompt": usage.prompt,
            "cached": usage.cached,
            "cache_write": usage.cache_write,
            "completion": usage.completion,
            "reasoning": usage.reasoning,
        },
        "cost": f"{spending.cost:f}" if spending.has_price else None,
        "unpriced": {reason.name.lower(): tokens for reason, tokens in spending.unpriced},
        "latency_ms": spending.latency_ms,
    }


def _source(prices: PriceList) -> JsonObject:
    return {
        "currency": prices.currency,
        "date": prices.dated.isoformat() if prices.dated else None,
        "source": prices.source,
        "file": str(prices.path) if prices.path else None,
    }
