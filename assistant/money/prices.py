"""What tokens cost: the prices of models at their servers, and how a model's price is found by its name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from assistant.money.local_servers import host_of, is_local
from assistant.plan.plan import Plan
from storage.usage import Usage

_MILLION: Final = 1_000_000
_DATED: Final = re.compile(r"(?:[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4})|-latest)$")


class Unpriced(StrEnum):
    """Why tokens have no price; the value is what people read."""

    NO_MODEL = "no model"
    LOCAL = "local"
    UNKNOWN = "price unknown"


@dataclass(frozen=True, slots=True)
class Rates:
    """Prices per million tokens, in the currency of their list.

    Attributes:
        input: of the prompt, but for what the cache gave or took.
        cached: of what was read from the provider's cache.
        cache_write: of what was written to it.
        output: of the whole completion, reasoning included.
    """

    input: Decimal
    cached: Decimal
    cache_write: Decimal
    output: Decimal

    def cost(self, usage: Usage) -> Decimal:
        """What so many tokens cost."""
        plain = usage.prompt - usage.cached - usage.cache_write
        cost = (
            plain * self.input
            + usage.cached * self.cached
            + usage.cache_write * self.cache_write
            + usage.completion * self.output
        )
        return cost / _MILLION


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """What one model costs for a time.

    Attributes:
        names: as requests name it, in small letters; "*" stands for anything.
        since: the first day (UTC) on which the price holds, None for always.
        until: the first day on which it does not hold any more, None for never.
        above: (input tokens, rates of requests that have more), from few to many.
    """

    names: tuple[str, ...]
    rates: Rates
    since: date | None = None
    until: date | None = None
    above: tuple[tuple[int, Rates], ...] = ()

    def fit(self, name: str) -> int:
        """How exactly a name is meant: its length for a name as it is, less for one with a "*", 0 for not at all."""
        if name in self.names:
            return len(name) + 1
        return max((len(each) for each in self.names if "*" in each and fnmatchcase(name, _literal(each))), default=0)

    def holds(self, on: date) -> bool:
        """Tell whether the price holds on a day."""
        return (self.since is None or self.since <= on) and (self.until is None or on < self.until)

    def rates_for(self, prompt: int) -> Rates:
        """The rates of a request with so many input tokens."""
        return next((rates for least, rates in reversed(self.above) if prompt > least), self.rates)


@dataclass(frozen=True, slots=True)
class ServerPrices:
    """The models of one server.

    Attributes:
        hosts: in small letters; "*" stands for anything.
        makes_models: they are looked for by name behind other servers too.
    """

    name: str
    hosts: tuple[str, ...]
    models: tuple[ModelPrice, ...]
    makes_models: bool = False

    def serves(self, host: str) -> bool:
        """Tell whether a host is this server's."""
        return any(fnmatchcase(host, _literal(pattern)) for pattern in self.hosts)

    def price(self, model: str, on: date) -> ModelPrice | None:
        """The price of a model on a day; of several that fit, the one that is meant most exactly."""
        held = [price for price in self.models if price.holds(on)]
        for name in _names(model):
            fits = [(price.fit(name), price) for price in held]
            best, price = max(fits, key=lambda fit: fit[0], default=(0, None))
            if best:
                return price
        return None


@dataclass(frozen=True, slots=True)
class PriceList:
    """A file of prices.

    Attributes:
        dated: the day on which its figures were gathered, None where there is no list.
        currency: of all its figures, such as "USD".
        source: where they come from, "" where it is not said.
        path: the file, None for the one of this installation.
    """

    servers: tuple[ServerPrices, ...] = ()
    dated: date | None = None
    currency: str = "USD"
    source: str = ""
    path: Path | None = None

    def price(self, model: str, base_url: str, on: date) -> ModelPrice | Unpriced:
        """What a model costs that was asked at a server on a day (UTC).

        A server of one's own network costs nothing that is known here, unless the list names its host.
        """
        if not base_url:
            return Unpriced.NO_MODEL
        host = host_of(base_url)
        named = [server for server in self.servers if server.serves(host)]
        if not named and is_local(host):
            return Unpriced.LOCAL
        for server in named or [server for server in self.servers if server.makes_models]:
            if price := server.price(model, on):
                return price
        return Unpriced.UNKNOWN


def estimate_cost(
    plan: Plan,
    model: str,
    prices: PriceList,
    cached_tokens: int = 0,
    expected_output: int = 0,
    *,
    base_url: str,
    on: date,
) -> Decimal | Unpriced:
    """What sending a plan would cost, in the list's currency, before anything is sent.

    Args:
        plan: what would be sent.
        model: the name that the request would carry.
        prices: the list.
        cached_tokens: of the plan's, those that the provider probably has in its cache.
        expected_output: tokens of the answer, reasoning included.
        base_url: where the model would be asked; "" for the built-in assistant.
        on: the day (UTC).
    """
    price = prices.price(model, base_url, on)
    if isinstance(price, Unpriced):
        return price
    usage = Usage(plan.total, min(cached_tokens, plan.total), completion=expected_output)
    return price.rates_for(usage.prompt).cost(usage)


def _names(model: str) -> Iterator[str]:
    """The names to look for: as it is, without a gateway's prefix, and each without a date at its end.

    What a gateway gives away for nothing (":free") has no price that is known, and a fine-tuned model ("ft:…") not that
    of the model it was made from, so neither loses its mark.
    """
    name = model.strip().lower()
    if name.endswith(":free"):
        return
    for whole in dict.fromkeys((name, name.rpartition("/")[2])):
        yield whole
        if (undated := _DATED.sub("", whole)) != whole:
            yield undated


def _literal(pattern: str) -> str:
    """A pattern in which "*" alone stands for anything."""
    return pattern.replace("[", "[[]").replace("?", "[?]")
