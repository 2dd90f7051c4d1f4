"""A model's price is found by name, server and day; where none is known there is a reason instead."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_paths import a_task, worked_example

from assistant.money.local_servers import host_of, is_local
from assistant.money.price_file import load_prices, read_prices
from assistant.money.prices import ModelPrice, PriceList, Rates, Unpriced, estimate_cost
from assistant.plan.plan import PlanSettings
from assistant.plan.planner import make_plan
from assistant.tokens.counters import counter_for
from storage.usage import Usage

OPENAI = "https://api.openai.com/v1"
GATEWAY = "https://gateway.example.com/v1"
DAY = date(2026, 11, 30)
FILE = """
date = 2026-11-01
currency = "USD"
source = "the price pages of the makers"

[[server]]
name = "OpenAI"
hosts = ["api.openai.com"]
makes_models = true
models = [
  { names = ["gpt-4.1"], input = 2, cached = 0.5, output = 8 },
  { names = ["gpt-4.1-mini", "gpt-4.1-mini-2025-04-14"], input = 0.4, cached = 0.1, output = 1.6 },
  { names = ["gpt-4.1-mini-2026-01-01"], input = 0.3, output = 1.2 },
  { names = ["ft:gpt-4.1-*"], input = 3, output = 12 },
  { names = ["ft:gpt-4.1-mini-*"], input = 0.8, output = 3.2 },
  { names = ["o3"], input = 10, output = 40, until = 2025-06-10 },
  { names = ["o3"], input = 2, output = 8, from = 2025-06-10, until = 2026-12-01 },
  { names = ["long"], input = 1, cached = 0.1, cache_write = 1.25, output = 4, above = [
    { tokens = 500_000, input = 4, output = 16 }, { tokens = 200_000, input = 2, cached = 0.2, output = 8 }] },
]

[[server]]
name = "Ours"
hosts = ["*.ours.example.org", "10.0.0.7"]
models = [{ names = ["*"], input = 0.05, output = 0.1 }, { names = ["llama*"], input = 0.01, output = 0.02 }]
"""
PRICES = read_prices(FILE, "prices.toml")


def input_price(model: str, base_url: str = OPENAI, on: date = DAY) -> Decimal | Unpriced:
    price = PRICES.price(model, base_url, on)
    return price if isinstance(price, Unpriced) else price.rates.input


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("gpt-4.1-mini", "0.4"),
        ("GPT-4.1-mini ", "0.4"),
        ("gpt-4.1-mini-2025-04-14", "0.4"),
        ("gpt-4.1-mini-2026-01-01", "0.3"),
        ("gpt-4.1-mini-2026-02-02", "0.4"),
        ("gpt-4.1-mini-20260202", "0.4"),
        ("gpt-4.1-mini-0202", "0.4"),
        ("gpt-4.1-mini-latest", "0.4"),
        ("openai/gpt-4.1-mini", "0.4"),
        ("router/openai/gpt-4.1-2025-04-14", "2"),
        ("ft:gpt-4.1-mini-2025-04-14:acme::a1", "0.8"),
        ("ft:gpt-4.1-2025-04-14:acme::a1", "3"),
    ],
)
def test_a_name_is_found_with_prefix_and_date(model: str, price: str) -> None:
    assert input_price(model) == input_price(model, GATEWAY) == Decimal(price)


@pytest.mark.parametrize(
    "model", ["gpt-4.1-micro", "ft:gpt-4o-2024-08-06:acme", "gpt-4.1-mini:free", "", "[", "*", "gpt"]
)
def test_another_name_has_no_price(model: str) -> None:
    assert input_price(model) is input_price(model, GATEWAY) is Unpriced.UNKNOWN


@pytest.mark.parametrize(
    "base_url",
    [
        "http://localhost:11434/v1", "http://127.0.0.1:8080", "http://[::1]:8080/v1", "http://192.168.1.20/v1",
        "http://10.1.2.3:1", "http://ollama:11434", "http://nas.local/v1", "http://host.docker.internal:1234/v1",
        "http://[fe80::1%25eth0]:1/v1", "http://169.254.1.1/", "http://Box.LAN./v1",
    ],
)  # fmt: skip
def test_a_server_of_ones_own_network_has_no_price(base_url: str) -> None:
    assert input_price("gpt-4.1-mini", base_url) is Unpriced.LOCAL


@pytest.mark.parametrize("base_url", [GATEWAY, OPENAI, "https://8.8.8.8/v1", "https://[2606:4700::1111]/v1"])
def test_a_server_elsewhere_is_not_local(base_url: str) -> None:
    assert not is_local(host_of(base_url))


def test_a_host_that_the_file_names_has_the_files_price_also_in_ones_own_network() -> None:
    assert input_price("llama3.2", "http://10.0.0.7:8000/v1") == Decimal("0.01")
    assert input_price("qwen", "https://gpu.ours.example.org/v1") == Decimal("0.05")
    assert input_price("llama3.2", GATEWAY) is Unpriced.UNKNOWN, "only its makers' models are found elsewhere"


def test_the_built_in_assistant_is_no_model() -> None:
    assert input_price("saved-replies", "") is Unpriced.NO_MODEL


@pytest.mark.parametrize("base_url", ["nonsense", "http://[", "https://", "http://[::1"])
def test_a_url_that_is_none_does_no_harm(base_url: str) -> None:
    assert input_price("gpt-4.1-mini", base_url) is Unpriced.LOCAL


@pytest.mark.parametrize(
    ("on", "price"),
    [
        (date(2025, 6, 9), Decimal(10)),
        (date(2025, 6, 10), Decimal(2)),
        (date(2026, 11, 30), Decimal(2)),
        (date(2026, 12, 1), Unpriced.UNKNOWN),
    ],
)
def test_a_price_holds_from_its_first_day_to_before_its_last(on: date, price: Decimal | Unpriced) -> None:
    assert input_price("o3", on=on) == price


@given(st.dates(date(2025, 1, 1), date(2026, 11, 30)))
def test_on_every_day_one_price_holds(on: date) -> None:
    held = [price for price in PRICES.servers[0].models if "o3" in price.names and price.holds(on)]

    assert len(held) == 1


def long_price() -> ModelPrice:
    price = PRICES.price("long", OPENAI, DAY)
    assert isinstance(price, ModelPrice)
    return price


@pytest.mark.parametrize(
    ("prompt", "price"), [(0, 1), (200_000, 1), (200_001, 2), (500_000, 2), (500_001, 4), (10**9, 4)]
)
def test_a_large_request_pays_the_rates_of_its_size(prompt: int, price: int) -> None:
    assert long_price().rates_for(prompt).input == price


def test_what_the_cache_gave_and_took_has_its_own_price_or_that_of_input() -> None:
    usage = Usage(1_000_000, 600_000, 100_000, 50_000, 20_000)

    assert long_price().rates.cost(usage) == Decimal("0.3") + Decimal("0.06") + Decimal("0.125") + Decimal("0.2")
    assert Rates(*map(Decimal, (2, 2, 2, 8))).cost(usage) == Decimal("2.4")


@given(*[st.builds(Usage, *[st.integers(0, 10**6)] * 5)] * 2)
def test_the_cost_of_both_is_the_cost_of_each_together(one: Usage, two: Usage) -> None:
    rates = long_price().rates

    assert rates.cost(one + two) == rates.cost(one) + rates.cost(two)


def test_the_cost_of_a_plan_is_known_before_it_is_sent() -> None:
    small = make_plan(worked_example(), "shorter", a_task(), PlanSettings(), counter_for("", kind="estimate"))
    plan = replace(small, total=1_000_000)

    def cost(cached: int = 0, output: int = 0, model: str = "gpt-4.1", base_url: str = OPENAI) -> Decimal | Unpriced:
        return estimate_cost(plan, model, PRICES, cached, output, base_url=base_url, on=DAY)

    assert cost() == 2
    assert cost(cached=400_000) == Decimal("1.4")
    assert cost(cached=9_000_000) == Decimal("0.5"), "no more can be cached than is sent"
    assert cost(output=1_000) == Decimal("2.008")
    assert cost(model="long") == 4
    assert cost(model="unheard") is Unpriced.UNKNOWN
    assert cost(base_url="http://localhost:1/v1") is Unpriced.LOCAL
    assert cost(base_url="") is Unpriced.NO_MODEL


def test_without_a_list_nothing_has_a_price() -> None:
    assert PriceList().price("gpt-4.1", OPENAI, DAY) is Unpriced.UNKNOWN


def test_the_shipped_list_knows_the_default_model_and_many_others() -> None:
    shipped = load_prices()

    assert shipped.dated is not None
    assert shipped.dated > date(2026, 11, 1)
    assert (shipped.currency, shipped.path) == ("USD", None)
    assert "genai-prices" in shipped.source
    mini = shipped.price("gpt-4.1-mini", OPENAI, DAY)
    assert isinstance(mini, ModelPrice)
    assert mini.rates == Rates(Decimal("0.4"), Decimal("0.1"), Decimal("0.4"), Decimal("1.6"))
    assert isinstance(shipped.price("anthropic/claude-sonnet-4.5", GATEWAY, DAY), ModelPrice)
    assert shipped.price("ft:gpt-4.1-mini-2025-04-14:a::b", OPENAI, DAY) is Unpriced.UNKNOWN
    ends = {price.until - timedelta(1) for each in shipped.servers for price in each.models if price.until}
    assert ends, "some prices have ended or will"
