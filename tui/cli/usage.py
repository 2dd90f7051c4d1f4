"""`ticketree usage`: what the calls of models took, and about what they cost."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final

import click

from assistant.money.prices import PriceList
from assistant.money.spending import By, Spending, grouped, key_by, midnight_us
from tui.cli.csv_cells import csv_text
from tui.cli.figures import CSV_HEAD, cells, figures, source
from tui.cli.options import TEXT, json_option, pass_run
from tui.cli.output import print_json, say, table
from tui.cli.run import Run
from tui.usage_text import cost_words, remarks, share

_DAYS: Final = 30
_NUMBERS: Final = ("CALLS", "FAILED", "IN", "CACHED", "OUT", "REASONING", "COST")


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
    from assistant.money.price_file import load_prices

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
                "prices": source(prices),
                "total": figures(total),
                "groups": [{"name": name, **figures(spending)} for name, spending in groups.items()],
            }
        )
    elif as_csv:
        rows = [(name, *cells(spending, prices)) for name, spending in groups.items()]
        click.echo(csv_text((by, *CSV_HEAD), rows), nl=False)
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
