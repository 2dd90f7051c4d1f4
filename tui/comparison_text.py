"""A comparison of strategies in words: the cells of its table, and what there is to say about one of them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from assistant.money.prices import Unpriced
from assistant.plan.plan import StrategyName
from assistant.turn.foreseeing import turns_of
from storage.kinds import TICKET
from tui.comparison import Comparison, Row
from tui.signs import CUT
from tui.summary_text import SIGN
from tui.usage_text import NO_PRICE, money
from tui.warning_text import warnings

_WIDE_HEADS: Final = ("turns sent", "cut", "summarised", "tokens", "cached", "ticket")
_NARROW_HEADS: Final = ("sent", "cut", "sum.", "tokens", "cached", "ticket")
_BEFORE_PRICE: Final = 4


def heads(comparison: Comparison, *, narrow: bool) -> tuple[str, ...]:
    """The head of each column but the first, which names the strategy; prices only where they are known."""
    names = _NARROW_HEADS if narrow else _WIDE_HEADS
    return _with_price(names, f"≈ {comparison.prices.currency}") if has_prices(comparison) else names


def cells(comparison: Comparison, row: Row) -> tuple[str, ...]:
    """The figures of a strategy below `heads`; "≈" where they are expected once a summary stands."""
    compared, plan = row.compared, row.plan
    is_too_large = compared.total > plan.budget
    tokens = f"{'≈ ' if compared.is_expected else '⚠ ' if is_too_large else ''}{compared.total:,}"
    figures = (
        f"{compared.sent_turns:,}",
        f"{CUT} {compared.cut_turns:,}" if compared.cut_turns else "0",
        f"{SIGN} {compared.summarised_turns:,}" if compared.summarised_turns else "0",
        tokens,
        f"{round(100 * compared.shared)} %",
        _ticket(row),
    )
    return _with_price(figures, _price(row)) if has_prices(comparison) else figures


def least_wanted(comparison: Comparison) -> tuple[int, ...]:
    """The columns in the order in which they are left out where there is no room, the tokens last of all.

    Whether the ticket is outside is also said in words, by `obstacle`.
    """
    tokens = _WIDE_HEADS.index("tokens")
    price = (_BEFORE_PRICE,) if has_prices(comparison) else ()
    cached, ticket = _BEFORE_PRICE + len(price), _BEFORE_PRICE + len(price) + 1
    return (cached, ticket, *price, 2, 1, 0, tokens)


def has_prices(comparison: Comparison) -> bool:
    """Whether the model has a price."""
    return any(isinstance(row.cost, Decimal) for row in comparison.rows)


def about(comparison: Comparison, row: Row) -> tuple[str, ...]:
    """What a strategy keeps, what stands in the way or is done first, and what the figures rest on; a sentence each."""
    return tuple(
        filter(None, (keeps(row.strategy, comparison.window_turns), obstacle(comparison, row), basis(comparison, row)))
    )


def keeps(strategy: StrategyName, window_turns: int) -> str:
    """What a strategy keeps, as a sentence."""
    match strategy:
        case StrategyName.CUT:
            return "Keeps the newest turns that fit."
        case StrategyName.SELECT:
            return "Keeps the ticket, then the newest turns that fit."
        case StrategyName.WINDOW:
            last = "the last turn" if window_turns == 1 else f"the last {window_turns} turns"
            return f"Keeps {last}, of these the newest that fit."
        case StrategyName.SUMMARISE:
            return "Keeps the ticket, a summary of the first turns, and the turns after these."


def obstacle(comparison: Comparison, row: Row) -> str:
    """Why a request would not be sent at once, in the words of the meter; "" where it would."""
    coverage, first = row.plan.to_summarise, row.first
    if coverage is None or first is None:
        return next((f"⚠ {text}" for text in warnings(row.plan)), "")
    if first.trouble:
        return f"⚠ No summary helps. {first.trouble}"
    calls = "One call is" if len(first.prompts) == 1 else f"{len(first.prompts)} calls are"
    price = f", {money(row.first_cost, comparison.prices.currency)}" if isinstance(row.first_cost, Decimal) else ""
    return (
        f"⚠ {calls} made first, which summarise{'s' if len(first.prompts) == 1 else ''} {turns_of(coverage)}: "
        f"{sum(first.prompts):,} tokens in, about {first.expected:,} out{price}."
    )


def basis(comparison: Comparison, row: Row) -> str:
    """What the cached share and the price rest on."""
    shared = row.compared.shared_tokens
    cache = (
        f"Of these, {shared:,} tokens may be cached since the branch's last request."
        if shared
        else "Nothing of it may be cached: no earlier request of this branch began like it."
    )
    price = NO_PRICE[row.cost] if isinstance(row.cost, Unpriced) else "The price is without the answer."
    return f"{cache} {price}"


def _ticket(row: Row) -> str:
    if all(item.kind != TICKET.name for item in row.plan.items):
        return "none"
    return "inside" if row.plan.ticket_sent else "⚠ outside"


def _price(row: Row) -> str:
    if isinstance(row.cost, Unpriced):
        return "?"
    request = _amount(row.cost)
    return f"{request} + {_amount(row.first_cost)}" if isinstance(row.first_cost, Decimal) else request


def _amount(cost: Decimal) -> str:
    """An amount as `money` writes it, without sign and currency, which the head names."""
    return money(cost, "").removeprefix("≈ ").strip()


def _with_price(columns: Sequence[str], price: str) -> tuple[str, ...]:
    return (*columns[:_BEFORE_PRICE], price, *columns[_BEFORE_PRICE:])
