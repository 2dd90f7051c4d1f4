"""Calls are put together by day, task, model or ticket, and each costs what it did on its day."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.money.price_file import read_prices
from assistant.money.prices import PriceList, Unpriced
from assistant.money.spending import By, Spending, day_of, grouped, key_by, midnight_us, spent
from storage.usage import Call, Usage

OPENAI = "https://api.openai.com/v1"
NOON = round(datetime(2026, 11, 29, 12, tzinfo=UTC).timestamp()) * 1_000_000
DAY_US = 86_400_000_000
PRICES = read_prices(
    """
date = 2026-11-30
currency = "USD"
[[server]]
name = "OpenAI"
hosts = ["api.openai.com"]
models = [
  { names = ["mini"], input = 0.4, cached = 0.1, output = 1.6, above = [{ tokens = 1000, input = 0.8, output = 3.2 }] },
  { names = ["new"], input = 1, output = 2, until = 2026-11-30 },
  { names = ["new"], input = 2, output = 4, from = 2026-11-30 },
]
""",
    "prices.toml",
)


def a_call(usage: Usage, *, model: str = "mini", base_url: str = OPENAI, at: int = NOON, failed: bool = False) -> Call:
    return Call(1, 1, 1, "T-1", at, "draft-reply", "1", "openai", base_url, model, usage, 500, failed)


CALLS = st.builds(
    a_call,
    st.builds(Usage, *[st.integers(0, 2_000)] * 5),
    model=st.sampled_from(["mini", "new", "unheard"]),
    base_url=st.sampled_from([OPENAI, "http://localhost:1/v1"]),
    at=st.integers(NOON - 3 * DAY_US, NOON + 3 * DAY_US),
    failed=st.booleans(),
)


def test_what_calls_took_is_added_up_with_its_price() -> None:
    calls = [a_call(Usage(500, 300, 0, 100, 20)), a_call(Usage(700, 0, 0, 50))]

    total = spent(calls, PRICES)

    assert (total.calls, total.failed, total.silent) == (2, 0, 0)
    assert total.usage == Usage(1200, 300, 0, 150, 20)
    assert total.latency_ms == 1000
    assert total.cost == (Decimal(900) * Decimal("0.4") + 300 * Decimal("0.1") + 150 * Decimal("1.6")) / 1_000_000
    assert (total.has_price, total.unpriced) == (True, ())


def test_each_call_pays_the_rates_of_its_own_size_and_day() -> None:
    small_ones = spent([a_call(Usage(800)), a_call(Usage(800))], PRICES)
    large = spent([a_call(Usage(1600))], PRICES)
    assert (small_ones.cost, large.cost) == (Decimal("0.00064"), Decimal("0.00128"))

    before, after = (spent([a_call(Usage(500_000), model="new", at=NOON + n * DAY_US)], PRICES) for n in (0, 1))
    assert (before.cost, after.cost) == (Decimal("0.5"), Decimal(1))


def test_tokens_without_a_price_are_kept_apart_by_the_reason() -> None:
    calls = [
        a_call(Usage(100, completion=5)),
        a_call(Usage(200), model="unheard"),
        a_call(Usage(300), base_url="http://localhost:11434/v1"),
        a_call(Usage(30), model="unheard"),
        a_call(Usage(), base_url="", model="saved-replies"),
    ]

    total = spent(calls, PRICES)

    assert total.unpriced == ((Unpriced.LOCAL, 300), (Unpriced.UNKNOWN, 230))
    assert total.unpriced_tokens == 530
    assert total.cost == Decimal("0.000048")
    assert total.has_price
    assert not spent(calls[1:], PRICES).has_price
    assert spent(calls, PriceList()).cost == 0


def test_a_server_that_tells_no_tokens_is_counted_but_neither_a_failure_nor_the_built_in_assistant_is() -> None:
    calls = [
        a_call(Usage()),
        a_call(Usage(), failed=True),
        a_call(Usage(), base_url="", model="saved-replies"),
    ]

    total = spent(calls, PRICES)

    assert (total.calls, total.failed, total.silent) == (3, 1, 1)


@given(st.lists(CALLS, max_size=12), st.sampled_from(By))
def test_the_groups_together_are_the_whole(calls: list[Call], by: By) -> None:
    groups = grouped(calls, key_by(by, UTC), PRICES)

    assert sum(groups.values(), Spending()) == spent(calls, PRICES)
    assert list(groups) == list(dict.fromkeys(key_by(by, UTC)(call) for call in calls))


@given(CALLS, CALLS)
def test_spendings_add_up_in_any_order(one: Call, two: Call) -> None:
    first, second = spent([one], PRICES), spent([two], PRICES)

    assert first + second == second + first == spent([one, two], PRICES)
    assert first + Spending() == first


@pytest.mark.parametrize(
    ("zone", "days"),
    [("UTC", ["2026-10-24", "2026-10-25"]), ("Asia/Kathmandu", ["2026-10-25", "2026-10-25"]),
     ("America/New_York", ["2026-10-24", "2026-10-24"])],
)  # fmt: skip
def test_a_day_is_that_of_the_zone(zone: str, days: list[str]) -> None:
    before = round(datetime(2026, 10, 24, 23, 59, 59, tzinfo=UTC).timestamp()) * 1_000_000
    key = key_by(By.DAY, ZoneInfo(zone))

    assert [key(a_call(Usage(), at=at)) for at in (before, before + 1_000_000)] == days


def test_a_day_begins_at_midnight_also_when_clocks_change() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    changed, after = midnight_us(date(2026, 10, 25), berlin), midnight_us(date(2026, 10, 26), berlin)

    assert after - changed == DAY_US + 3_600_000_000
    assert day_of(changed, berlin) == date(2026, 10, 25)
    assert day_of(changed - 1, berlin) == date(2026, 10, 24)


def test_the_group_of_a_call_is_named_by_task_model_or_ticket() -> None:
    call = replace(a_call(Usage()), task="translate", ticket_id="T-9")

    assert [key_by(by, UTC)(call) for by in By] == ["2026-11-29", "translate", "mini", "T-9"]
