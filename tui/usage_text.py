"""Tokens and money in words; the same in the app and on the command line. Every amount is an approximation, ≈."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Final

from assistant.money.price_file import OLD_AFTER_MONTHS, months_old
from assistant.money.prices import PriceList, Unpriced
from assistant.money.spending import Spending
from storage.usage import Usage

_SMALLEST: Final = Decimal("0.000001")
_WHY: Final = {
    Unpriced.NO_MODEL: "without a model",
    Unpriced.LOCAL: "at a server of your own network",
    Unpriced.UNKNOWN: "of models whose price is not known",
}

NO_PRICE: Final = {
    Unpriced.NO_MODEL: "The built-in assistant costs nothing.",
    Unpriced.LOCAL: "Your own server has no price.",
    Unpriced.UNKNOWN: "The price is not known.",
}
"""Why tokens have no price, as a sentence."""


def money(amount: Decimal, currency: str) -> str:
    """An amount with two digits that say something, "≈ 0.0042 USD"."""
    if not amount:
        return f"≈ 0 {currency}"
    if amount < _SMALLEST:
        return f"< {_SMALLEST:f} {currency}"
    rounded = Decimal(f"{amount:.1e}")
    places = 2 if rounded >= 1 else max(2, 1 - rounded.adjusted())
    return f"≈ {amount:,.{places}f} {currency}"


def short_count(tokens: int) -> str:
    """A number of tokens in few cells: 950, 12.3k, 4.56M."""
    for least, unit in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if tokens >= least:
            digits = 2 if tokens < 10 * least else 1 if tokens < 100 * least else 0
            return f"{tokens / least:.{digits}f}{unit}"
    return str(tokens)


def share(part: int, whole: int) -> str:
    """A part of a whole, "73 %"; "" where there is none."""
    return f"{round(100 * part / whole)} %" if part and whole else ""


def usage_words(usage: Usage) -> str:
    """All figures of a call, "2,006 in (1,920 cached), 300 out (64 reasoning)"."""
    cache = [f"{usage.cached:,} cached"] if usage.cached else []
    cache += [f"{usage.cache_write:,} written to the cache"] if usage.cache_write else []
    within = f" ({', '.join(cache)})" if cache else ""
    thought = f" ({usage.reasoning:,} reasoning)" if usage.reasoning else ""
    return f"{usage.prompt:,} in{within}, {usage.completion:,} out{thought}"


def cost_words(spending: Spending, prices: PriceList) -> str:
    """What it cost; the tokens where no price is known, and both where some have one; "" for nothing."""
    unpriced = f"{short_count(spending.unpriced_tokens)} tokens" if spending.unpriced_tokens else ""
    if not spending.has_price:
        return unpriced
    known = money(spending.cost, prices.currency)
    return f"{known} + {unpriced}" if unpriced else known


def brief_cost(spending: Spending, prices: PriceList) -> str:
    """The same in few cells, "≈ 0.042 USD + 1.2k"."""
    return cost_words(spending, prices).removesuffix(" tokens") if spending.has_price else cost_words(spending, prices)


def remarks(spending: Spending, prices: PriceList, on: date) -> Iterator[str]:
    """What there is to know about the figures, as sentences: what is missing from them, and how old the prices are."""
    for reason, tokens in spending.unpriced:
        yield f"Not in the money: {tokens:,} tokens {_WHY[reason]}."
    if spending.silent:
        calls, told = ("1 call", "its") if spending.silent == 1 else (f"{spending.silent:,} calls", "their")
        yield f"{calls} took tokens that {told} server did not tell."
    if spending.has_price:
        yield price_source(prices)
        if warning := price_age(prices, on):
            yield warning


def price_source(prices: PriceList) -> str:
    """Where the prices come from, and of which day they are."""
    where = str(prices.path) if prices.path else prices.source
    return f"Prices of {prices.dated} from {where}."


def price_age(prices: PriceList, on: date) -> str:
    """A warning where the prices are old, "" where they are not."""
    months = months_old(prices.dated, on) if prices.dated else 0
    return f"The prices are {months} months old; they may have changed since." if months >= OLD_AFTER_MONTHS else ""
