"""`ticketree plan`: what the next request would hold."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from assistant.plan.plan import Plan, PlannedItem
from tui.cli.options import (
    TEXT,
    at_option,
    json_option,
    pass_run,
    text_of,
    ticket_argument,
)
from tui.cli.output import print_json, say, table
from tui.cli.plan_options import budget_option, strategy_option, task_option
from tui.cli.run import Run
from tui.display import one_line
from tui.room_text import full_window, room_levels
from tui.signs import fate_mark

if TYPE_CHECKING:
    from assistant.tokens.counters import CounterKind

_HEAD = ("NODE", "KIND", "TOKENS", "FATE", "TEXT")
_TEXT_CELLS = 50


@click.command(short_help="Show what the next request would hold; sends nothing.")
@ticket_argument
@click.argument("text", default="", type=TEXT)
@at_option
@task_option
@strategy_option
@budget_option
@click.option("--compare", "is_compared", is_flag=True, help="Show all strategies side by side.")
@click.option("--counter", type=click.Choice(["exact", "estimate"]), help="How tokens are counted.")
@json_option
@pass_run
def plan(
    run: Run,
    ticket: str,
    text: str,
    at: int | None,
    task: str | None,
    strategy: str | None,
    budget: int | None,
    is_compared: bool,
    counter: "CounterKind | None",
    as_json: bool,
) -> None:
    """Show what the next request would hold, which turns are cut, and whether it may be sent; sends nothing.

    TEXT is what you would ask; "-" reads it from standard input. With --compare each strategy is one row: the turns
    sent, cut and summarised, the tokens, about the price, how much of the beginning a provider may have cached, and
    whether the ticket is inside.
    """
    from assistant.plan.file_items import sent_files
    from tui.cli.planning import calls_before, planned, verdict_sentence

    if is_compared and strategy is not None:
        raise click.UsageError("--compare shows every strategy; leave out --strategy.")
    asked = text_of(text)
    with run.services(counter_kind=counter) as services:
        request = planned(services, ticket, asked, at=at, task=task, strategy=strategy, budget=budget)
        if is_compared:
            from tui.cli.comparing import print_comparison

            print_comparison(services, request, as_json=as_json)
            return
        made = request.plan
        first = None if as_json else calls_before(services, request)
    if as_json:
        print_json(made.as_json())
        return
    names = {id_: attachment.file.name for id_, attachment in sent_files(request.projection.path).items()}
    say("\n".join(table(_HEAD, [_row(item, names) for item in made.items], right=("NODE", "TOKENS"))))
    say()
    say(_counts(made))
    say(verdict_sentence(made, first), bold=True, colour=None if made.may_send else "yellow")


def _row(item: PlannedItem, names: Mapping[int, str]) -> tuple[str, ...]:
    """One interaction; an attached file is told by its name, because all of them begin with the same words."""
    text = one_line(names.get(item.id or 0, item.message.content), _TEXT_CELLS)
    return (str(item.id or ""), item.kind, f"{item.tokens:,}", _fate(item), text)


def _fate(item: PlannedItem) -> str:
    fate = fate_mark(item.fate) or item.fate.value
    return fate if item.form is None else f"{fate} · {item.form.value}"


def _counts(made: Plan) -> str:
    parts = made.counts.by_part
    shown = " · ".join(f"{name} {tokens:,}" for name, tokens in parts.items() if tokens or name == "free")
    rests_on = f" by {made.calibrated_on} answers" if made.calibrated_on else ""
    return f"{shown} · {made.strategy.value} · {made.counter} ({made.accuracy}{rests_on}){_room(made)}"


def _room(made: Plan) -> str:
    """The window and the room for the answer beside the budget, where they are known."""
    return full_window(made) or room_levels(made, cached=None)[0]
