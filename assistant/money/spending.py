"""What calls took together, and what that cost: totals by day, task, model or ticket."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal
from enum import StrEnum
from typing import Final, TypeAlias, TypeVar

from assistant.money.prices import PriceList, Rates, Unpriced
from storage.usage import Call, Usage

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_US: Final = 86_400_000_000
_NO_USAGE: Final = Usage()
_NO_COST: Final = Decimal(0)


class By(StrEnum):
    """What calls are put together by."""

    DAY = "day"
    TASK = "task"
    MODEL = "model"
    TICKET = "ticket"


@dataclass(frozen=True, slots=True)
class Spending:
    """What some calls took together.

    Attributes:
        calls: how many requests went out, those that failed and were tried again among them.
        failed: of them, those that ended with an error.
        usage: their tokens, as far as the servers told them.
        silent: calls of a model whose server told no tokens.
        cost: of the tokens that have a price, in the currency of the price list.
        unpriced: tokens that have none, by the reason.
        latency_ms: of all calls that came to an end, together.
    """

    calls: int = 0
    failed: int = 0
    usage: Usage = _NO_USAGE
    silent: int = 0
    cost: Decimal = _NO_COST
    unpriced: tuple[tuple[Unpriced, int], ...] = ()
    latency_ms: int = 0

    def __add__(self, other: "Spending") -> "Spending":
        reasons = dict(self.unpriced)
        for reason, tokens in other.unpriced:
            reasons[reason] = reasons.get(reason, 0) + tokens
        return Spending(
            self.calls + other.calls,
            self.failed + other.failed,
            self.usage + other.usage,
            self.silent + other.silent,
            self.cost + other.cost,
            tuple(sorted(reasons.items())),
            self.latency_ms + other.latency_ms,
        )

    @property
    def has_price(self) -> bool:
        """Some of the tokens have a price."""
        return self.usage.total > self.unpriced_tokens

    @property
    def unpriced_tokens(self) -> int:
        """The tokens without a price."""
        return sum(tokens for _, tokens in self.unpriced)


K = TypeVar("K", bound=Hashable)

Key: TypeAlias = Callable[[Call], str]


def day_of(microseconds: int, zone: tzinfo | None) -> date:
    """The day of a time in a zone, None for that of this machine; of one beyond all days, the last day."""
    try:
        return (_EPOCH + timedelta(microseconds=microseconds)).astimezone(zone).date()
    except (OverflowError, ValueError):
        return date.max


def midnight_us(day: date, zone: tzinfo | None) -> int:
    """When a day begins in a zone, in microseconds since 1970 UTC."""
    begins = datetime(day.year, day.month, day.day, tzinfo=zone)
    return round((begins.astimezone(UTC) - _EPOCH).total_seconds()) * 1_000_000


def key_by(by: By, zone: tzinfo | None = None) -> Key:
    """How a call names its group; days are written as 2026-11-30, in a zone (None for that of this machine)."""
    match by:
        case By.DAY:
            known: dict[int, str] = {}

            def day(call: Call) -> str:
                # Within a quarter of an hour the day is the same in every zone.
                quarter = call.sent_at // 900_000_000
                if quarter not in known:
                    known[quarter] = day_of(call.sent_at, zone).isoformat()
                return known[quarter]

            return day
        case By.TASK:
            return lambda call: call.task
        case By.MODEL:
            return lambda call: call.model
        case By.TICKET:
            return lambda call: call.ticket_id


def spent(calls: Iterable[Call], prices: PriceList) -> Spending:
    """What calls took together."""
    return grouped(calls, lambda call: "", prices).get("", Spending())


def grouped(calls: Iterable[Call], key: Callable[[Call], K], prices: PriceList) -> Mapping[K, Spending]:
    """What calls took together by a key, in the order in which its values come first."""
    pricing = _Pricing(prices)
    parts: dict[tuple[K, Rates | Unpriced], _Tally] = {}
    for call in calls:
        place = (key(call), pricing.rates(call))
        tally = parts.get(place)
        if tally is None:
            tally = parts[place] = _Tally()
        tally.add(call)
    groups: dict[K, Spending] = {}
    for (name, rates), tally in parts.items():
        groups[name] = groups.get(name, Spending()) + tally.spending(rates)
    return groups


class _Pricing:
    """Finds the rates of calls; what is the same for many is looked up once."""

    def __init__(self, prices: PriceList) -> None:
        self._prices = prices
        self._known: dict[tuple[str, str, int], tuple[tuple[int, Rates], ...] | Unpriced] = {}

    def rates(self, call: Call) -> Rates | Unpriced:
        place = (call.model, call.base_url, call.sent_at // _DAY_US)
        steps = self._known.get(place)
        if steps is None:
            price = self._prices.price(call.model, call.base_url, day_of(call.sent_at, UTC))
            steps = price if isinstance(price, Unpriced) else ((-1, price.rates), *price.above)
            self._known[place] = steps
        if isinstance(steps, Unpriced):
            return steps
        prompt = call.usage.prompt
        return next((rates for least, rates in reversed(steps) if prompt > least), steps[0][1])


class _Tally:
    """Adds up calls that have the same rates."""

    def __init__(self) -> None:
        self._calls = self._failed = self._silent = self._latency_ms = 0
        self._prompt = self._cached = self._cache_write = self._completion = self._reasoning = 0

    def add(self, call: Call) -> None:
        usage = call.usage
        self._calls += 1
        self._failed += call.failed
        self._silent += not (usage.prompt or usage.completion or call.failed)
        self._latency_ms += call.latency_ms or 0
        self._prompt += usage.prompt
        self._cached += usage.cached
        self._cache_write += usage.cache_write
        self._completion += usage.completion
        self._reasoning += usage.reasoning

    def spending(self, rates: Rates | Unpriced) -> Spending:
        usage = Usage(self._prompt, self._cached, self._cache_write, self._completion, self._reasoning)
        silent = 0 if rates is Unpriced.NO_MODEL else self._silent
        known = Spending(self._calls, self._failed, usage, silent, latency_ms=self._latency_ms)
        if isinstance(rates, Rates):
            return replace(known, cost=rates.cost(usage))
        return replace(known, unpriced=((rates, usage.total),)) if usage.total else known
