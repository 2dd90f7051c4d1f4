"""`ticketree plan --compare`: all strategies side by side, as a table or as JSON."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from storage.values import JsonObject
from tui.cli.output import print_json, say, table
from tui.comparison import Comparison, Row, make_comparison
from tui.comparison_text import basis, cells, heads, obstacle

if TYPE_CHECKING:
    from assistant.money.prices import Unpriced
    from tui.cli.planning import Request
    from tui.services import Services


def print_comparison(services: "Services", request: "Request", *, as_json: bool) -> None:
    """Compare all strategies for a request and print them."""
    path, task, on = request.projection.path, request.task, datetime.now(UTC).date()
    comparison = make_comparison(services, request.prepared, path, request.question, task, on)
    if as_json:
        print_json(_document(comparison))
        return
    names = tuple(name.upper() for name in heads(comparison, narrow=False))
    rows = [(f"{row.strategy.value}{_mark(comparison, row)}", *cells(comparison, row)) for row in comparison.rows]
    say("\n".join(table(("STRATEGY", *names), rows, right=names[:-1])))
    say()
    for row in comparison.rows:
        if stands_in_the_way := obstacle(comparison, row):
            say(f"{row.strategy.value}: {stands_in_the_way}", bold=True, colour="yellow")
    chosen = next(row for row in comparison.rows if row.strategy is comparison.chosen)
    say(f"* {chosen.strategy.value} is chosen. {basis(comparison, chosen)}", dim=True)


def _mark(comparison: Comparison, row: Row) -> str:
    return " *" if row.strategy is comparison.chosen else ""


def _document(comparison: Comparison) -> JsonObject:
    plan = comparison.rows[0].plan
    return {
        "budget": plan.budget,
        "counter": plan.counter,
        "accuracy": plan.accuracy,
        "chosen": comparison.chosen.value,
        "currency": comparison.prices.currency,
        "strategies": [_row(row) for row in comparison.rows],
    }


def _row(row: Row) -> JsonObject:
    compared, plan, first = row.compared, row.plan, row.first
    return {
        "strategy": row.strategy.value,
        "verdict": plan.verdict.value,
        "sent_turns": compared.sent_turns,
        "cut_turns": compared.cut_turns,
        "summarised_turns": compared.summarised_turns,
        "total": compared.total,
        "expected": compared.is_expected,
        "ticket_sent": plan.ticket_sent,
        "shared_tokens": compared.shared_tokens,
        "cost": _amount(row.cost),
        "first_calls": None
        if first is None
        else {
            "prompts": list(first.prompts),
            "expected": first.expected,
            "cost": _amount(row.first_cost),
            "trouble": first.trouble or None,
        },
    }


def _amount(cost: "Decimal | Unpriced | None") -> str | None:
    return f"{cost:f}" if isinstance(cost, Decimal) else None
