"""What the usage screen shows of a time: totals, their course, and what they are made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import Final

from assistant.money.prices import PriceList
from assistant.money.spending import By, K, Spending, grouped, key_by, midnight_us, spent
from storage.usage import Call

MONTH_DAYS: Final = 30
_WEEK_DAYS: Final = 7
_HOUR_US: Final = 3_600_000_000


class Period(StrEnum):
    """A time to look at; its value is what stands on its tab."""

    CONVERSATION = "this conversation"
    TODAY = "today"
    WEEK = "7 days"
    MONTH = "30 days"


@dataclass(frozen=True, slots=True)
class Course:
    """How something went on: what each step is, in one word, and what it took.

    Attributes:
        by: what a step is: "call", "hour" or "day".
    """

    by: str
    steps: tuple[tuple[str, Spending], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What calls of a time took.

    Attributes:
        tasks: by task, the dearest first.
        parts: by model and task, the dearest first.
    """

    period: Period
    total: Spending
    course: Course
    tasks: tuple[tuple[str, Spending], ...]
    parts: tuple[tuple[str, str, Spending], ...]
    prices: PriceList


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls that reports are made of.

    Attributes:
        conversation: those of the open conversation.
        month: those of all conversations in the last 30 days.
    """

    conversation: Sequence[Call]
    month: Sequence[Call]

    @staticmethod
    def since(today: date, zone: tzinfo | None) -> int:
        """The time of the first call to read."""
        return midnight_us(today - timedelta(days=MONTH_DAYS - 1), zone)


def make_report(calls: Calls, period: Period, prices: PriceList, today: date, zone: tzinfo | None) -> Report:
    """Put together what is shown of a time; days and hours are those of a zone, None for that of this machine."""
    match period:
        case Period.CONVERSATION:
            chosen = calls.conversation
            course = Course("call", tuple((str(n), spent([call], prices)) for n, call in enumerate(chosen, 1)))
        case Period.TODAY:
            chosen = _since(calls.month, midnight_us(today, zone))
            course = _hours(chosen, prices, today, zone)
        case Period.WEEK | Period.MONTH:
            days = _WEEK_DAYS if period is Period.WEEK else MONTH_DAYS
            chosen = _since(calls.month, midnight_us(today - timedelta(days=days - 1), zone))
            course = _days(chosen, prices, today, days, zone)
    parts = grouped(chosen, lambda call: (call.model, call.task), prices)
    return Report(
        period=period,
        total=spent(chosen, prices),
        course=course,
        tasks=tuple(_dearest(grouped(chosen, key_by(By.TASK), prices))),
        parts=tuple((*names, spending) for names, spending in _dearest(parts)),
        prices=prices,
    )


def _since(calls: Sequence[Call], first: int) -> list[Call]:
    return [call for call in calls if call.sent_at >= first]


def _days(calls: Sequence[Call], prices: PriceList, today: date, days: int, zone: tzinfo | None) -> Course:
    found = grouped(calls, key_by(By.DAY, zone), prices)
    every = (today - timedelta(days=back) for back in range(days - 1, -1, -1))
    return Course("day", tuple((f"{day.day} {day:%b}", found.get(day.isoformat(), Spending())) for day in every))


def _hours(calls: Sequence[Call], prices: PriceList, today: date, zone: tzinfo | None) -> Course:
    midnight = midnight_us(today, zone)
    hours = (midnight_us(today + timedelta(days=1), zone) - midnight) // _HOUR_US
    found = grouped(calls, lambda call: (call.sent_at - midnight) // _HOUR_US, prices)
    starts = (datetime.fromtimestamp((midnight + hour * _HOUR_US) / 1e6, zone) for hour in range(hours))
    return Course("hour", tuple((f"{at:%H:%M}", found.get(hour, Spending())) for hour, at in enumerate(starts)))


def _dearest(groups: Mapping[K, Spending]) -> list[tuple[K, Spending]]:
    return sorted(groups.items(), key=lambda group: (-group[1].cost, -group[1].usage.total, str(group[0])))
