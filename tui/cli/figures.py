"""What calls took, as programs and spreadsheets read it."""

from collections.abc import Sequence
from typing import Final

from assistant.money.prices import PriceList
from assistant.money.spending import Spending
from storage.values import JsonObject

CSV_HEAD: Final = (
    "calls", "failed", "without_figures", "prompt_tokens", "cached_tokens", "cache_write_tokens", "completion_tokens",
    "reasoning_tokens", "unpriced_tokens", "cost", "currency",
)  # fmt: skip


def cells(spending: Spending, prices: PriceList) -> Sequence[str | int]:
    """What calls took, as the cells of a row for spreadsheets; `CSV_HEAD` names them."""
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


def figures(spending: Spending) -> JsonObject:
    """What calls took, as --json prints it."""
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


def source(prices: PriceList) -> JsonObject:
    """Where prices come from, as --json prints it."""
    return {
        "currency": prices.currency,
        "date": prices.dated.isoformat() if prices.dated else None,
        "source": prices.source,
        "file": str(prices.path) if prices.path else None,
    }
