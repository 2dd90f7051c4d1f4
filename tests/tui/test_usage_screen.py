"""The usage screen: what answers took in a time, in words, plots and a table; and the price of one answer."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from app_driver import OTHER, TICKET, AppDriver, RecordingApp, a_store, running_app, services, with_branches
from desks import A_REQUEST, NOON, Clock, Desk
from hostile import EVERY
from textual.pilot import Pilot

from assistant.money.price_file import read_prices
from assistant.money.prices import PriceList
from assistant.money.spending import Spending
from storage.store import Store
from storage.usage import Call, Usage
from storage.values import JsonObject
from tui.price_reader import KnownPrices, PriceReader
from tui.screens.sent import SentScreen
from tui.screens.usage import UsageScreen
from tui.services import Services
from tui.usage_page import Measure, page
from tui.usage_report import Calls, Period, make_report
from tui.usage_text import brief_cost, cost_words, money, remarks, short_count, usage_words

DAY = 86_400_000_000
TODAY = date(2025, 6, 15)
OPENAI = "https://api.openai.com/v1"
OWN = """
date = 2025-06-01
currency = "USD"
source = "the makers' price pages"
[[server]]
name = "OpenAI"
hosts = ["api.openai.com"]
models = [{ names = ["gpt-4.1-mini"], input = 0.4, cached = 0.1, output = 1.6 }]
"""
PRICES = read_prices(OWN, "prices.toml")


def ask(
    desk: Desk, tokens: int, *, task: str = "Draft reply", model: str = "gpt-4.1-mini", base_url: str = OPENAI,
    usage: JsonObject | None = None,
) -> int:  # fmt: skip
    """Add an answer with its call, and return its node."""
    node = desk.answer(desk.store.selected(desk.id))
    request = desk.store.record_request(desk.id, node.id, replace(A_REQUEST, task=task, base_url=base_url, model=model))
    said: JsonObject = {
        "prompt_tokens": tokens,
        "completion_tokens": tokens // 8,
        "prompt_tokens_details": {"cached_tokens": tokens // 2},
    }
    desk.store.record_response(
        desk.id, request, response=b"", status_code=200, usage=said if usage is None else usage, latency_ms=1_500
    )
    return node.id


def a_month(clock: Clock | None = None) -> Store:
    """A desk on which one ticket was worked on for a month, and another today with a model of one's own."""
    clock = clock or Clock()
    store = a_store(clock)
    desk, other = (Desk(store, store.open_conversation("camille", ticket)) for ticket in (TICKET, OTHER))
    for back in range(33, -1, -3):
        clock.now = NOON - back * DAY
        ask(desk, 800 + 70 * back, task="Translate" if back % 2 else "Draft reply")
    clock.now = NOON - DAY // 12
    ask(other, 600, model="llama3.2", base_url="http://localhost:11434/v1")
    return store


class FixedPrices(PriceReader):
    """Prices of no file."""

    def _read(self) -> KnownPrices:
        return KnownPrices(PRICES)


def own_services(store: Store, folder: Path) -> Services:
    path = folder / "prices.toml"
    path.write_text(OWN)
    return replace(services(store), prices=PriceReader(path))


async def opened(desk: AppDriver) -> UsageScreen:
    desk.screen.outline.focus()
    await desk.press("U")
    assert isinstance(desk.app.screen, UsageScreen)
    return desk.app.screen


async def test_each_period_has_its_page(tmp_path: Path) -> None:
    async with running_app(own_services(a_month(), tmp_path)) as desk:
        await opened(desk)
        assert "[1 this conversation]" in desk.seen
        assert "12 calls · 23,460 tokens in (50 % cached)" in desk.seen
        assert "Tokens by call" in desk.seen
        await desk.press("2")
        assert "2 calls · 1,400 tokens in (50 % cached)" in desk.seen
        assert "Tokens by hour" in desk.seen
        assert "Not in the money: 675 tokens at a server of your own network." in desk.seen
        await desk.press("right")
        assert "[3 7 days]" in desk.seen
        assert "4 calls" in desk.seen
        await desk.press("l")
        assert "[4 30 days]" in desk.seen
        assert "11 calls" in desk.seen, "one call is older than 30 days"
        assert "Prices of 2025-06-01 from" in desk.seen
        await desk.press("tab", "h")
        assert "[4 30 days]" in desk.seen
        await desk.press("escape")
        assert desk.app.screen is desk.screen


async def test_the_plots_show_tokens_or_money(tmp_path: Path) -> None:
    async with running_app(own_services(a_month(), tmp_path)) as desk:
        await opened(desk)
        await desk.press("m")
        assert "Money by call  highest ≈ 0.0014 USD" in desk.seen
        assert "Money by task" in desk.seen
        await desk.press("m")
        assert "Tokens by task" in desk.seen


async def test_without_an_open_ticket_there_are_three_periods(tmp_path: Path) -> None:
    async with running_app(own_services(a_month(), tmp_path), None) as desk:
        await desk.press("U")
        assert "[2 7 days]" in desk.seen
        assert "this conversation" not in desk.seen
        await desk.press("4")
        assert "[2 7 days]" in desk.seen


async def test_what_was_spent_stands_in_the_composers_frame_and_grows(tmp_path: Path) -> None:
    store = a_month()
    async with running_app(own_services(store, tmp_path)) as desk:
        await desk.until(lambda: "so far" in desk.seen)
        assert "≈ 0.011 USD so far" in desk.seen
        ask(Desk(store, store.conversation("camille", TICKET)), 100_000)
        await desk.at(store.node(store.conversation("camille", TICKET).id, 2))
        await desk.until(lambda: "≈ 0.056 USD so far" in desk.seen)


async def test_an_answer_that_was_sent_has_its_figures_and_price(tmp_path: Path) -> None:
    store = a_store()
    with_branches(store)
    node = ask(Desk(store, store.conversation("camille", TICKET)), 2_000)
    async with running_app(own_services(store, tmp_path)) as desk:
        await desk.at(store.node(store.conversation("camille", TICKET).id, node))
        await desk.press("p")
        assert isinstance(desk.app.screen, SentScreen)
        assert "2,000 in (1,000 cached), 250 out" in desk.seen
        assert "≈ 0.00090 USD" in desk.seen


async def test_prices_that_cannot_be_used_are_said_and_tokens_shown(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text("nonsense")
    with_prices = replace(services(a_month()), prices=PriceReader(tmp_path / "prices.toml"))
    async with running_app(with_prices) as desk:
        await opened(desk)
        assert "⚠ " in desk.seen
        assert "Tokens are shown instead of money." in " ".join(desk.seen.replace("│", " ").split())
        assert desk.told == []
        assert "26.4k tokens" in desk.seen
        assert "USD" not in desk.seen


async def test_a_desk_on_which_the_built_in_assistant_answers_has_no_tokens_to_show(tmp_path: Path) -> None:
    store = a_store()
    desk_on = Desk(store, store.open_conversation("camille", TICKET))
    ask(desk_on, 0, model="saved-replies", base_url="", usage={})
    async with running_app(own_services(store, tmp_path)) as desk:
        await opened(desk)
        assert "1 answer asked for, no tokens told." in desk.seen
        assert "The built-in assistant takes none." in desk.seen
        assert "so far" not in desk.seen


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_the_usage_of_a_month(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    """Plots over days and tasks, the table, and what is not in the money; the low screen scrolls."""

    async def run_before(pilot: Pilot[None]) -> None:
        assert isinstance(pilot.app, RecordingApp)
        desk = AppDriver(pilot.app, pilot)
        await desk.ready()
        await opened(desk)
        await desk.press("4")

    with_prices = replace(services(a_month()), prices=FixedPrices())
    assert snap_compare(RecordingApp(with_prices, TICKET), terminal_size=size, run_before=run_before)


def call(**changed: object) -> Call:
    made = Call(1, 1, 1, "T-1", NOON, "draft", "1", "openai", OPENAI, "gpt-4.1-mini", Usage(10, 0, 0, 5), 1, False)
    return replace(made, **changed)  # type: ignore[arg-type]


@pytest.mark.parametrize("period", list(Period))
@pytest.mark.parametrize("measure", list(Measure))
def test_hostile_names_are_safe_and_every_line_fits(period: Period, measure: Measure) -> None:
    calls = [call(model=case.text, task=case.text) for case in EVERY]
    report = make_report(Calls(calls, calls), period, PRICES, TODAY, UTC)

    for width in (60, 100):
        shown = page(report, measure, width, plot_lines=3, today=TODAY)
        lines = [line for line in shown.split("\n") if not line.plain.startswith(("Prices of", "Not in the money"))]
        assert max(line.cell_length for line in lines) <= width
        assert not [sign for sign in shown.plain if (ord(sign) < 32 and sign != "\n") or 0x7F <= ord(sign) < 0xA0]


def test_a_month_has_all_its_days_and_a_day_its_hours() -> None:
    calls = [call(sent_at=NOON - back * DAY) for back in (0, 3, 29, 30)]
    made = {period: make_report(Calls(calls, calls), period, PRICES, TODAY, UTC) for period in Period}

    assert {period: len(report.course.steps) for period, report in made.items()} == {
        Period.CONVERSATION: 4, Period.TODAY: 24, Period.WEEK: 7, Period.MONTH: 30,
    }  # fmt: skip
    assert [report.total.calls for report in made.values()] == [4, 1, 2, 3]
    assert [name for name, spending in made[Period.WEEK].course.steps if spending.calls] == ["12 Jun", "15 Jun"]
    assert [name for name, spending in made[Period.TODAY].course.steps if spending.calls] == ["15:00"]


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        ("0", "≈ 0 USD"), ("0.0000004", "< 0.000001 USD"), ("0.000091", "≈ 0.000091 USD"), ("0.00123", "≈ 0.0012 USD"),
        ("0.00996", "≈ 0.010 USD"), ("0.0249", "≈ 0.025 USD"), ("0.5", "≈ 0.50 USD"), ("0.999", "≈ 1.00 USD"),
        ("1.005", "≈ 1.00 USD"), ("12.3456", "≈ 12.35 USD"), ("1234567.8", "≈ 1,234,567.80 USD"),
    ],
)  # fmt: skip
def test_money_is_an_approximation_with_digits_that_say_something(amount: str, shown: str) -> None:
    assert money(Decimal(amount), "USD") == shown


@pytest.mark.parametrize(
    ("tokens", "shown"),
    [(0, "0"), (950, "950"), (1_000, "1.00k"), (12_345, "12.3k"), (123_456, "123k"), (4_560_000, "4.56M"),
     (2_000_000_000, "2.00G")],
)  # fmt: skip
def test_a_count_takes_few_cells(tokens: int, shown: str) -> None:
    assert short_count(tokens) == shown


def test_a_usage_is_told_with_its_parts() -> None:
    assert usage_words(Usage(2_006, 1_920, 40, 300, 64)) == (
        "2,006 in (1,920 cached, 40 written to the cache), 300 out (64 reasoning)"
    )
    assert usage_words(Usage(5, completion=1)) == "5 in, 1 out"


def test_tokens_stand_where_there_is_no_price_and_old_prices_are_warned_of() -> None:
    report = make_report(Calls([call(), call(model="unheard"), call(usage=Usage())], ()), Period.CONVERSATION, PRICES,
                         TODAY, UTC)  # fmt: skip

    assert cost_words(report.total, PRICES) == "≈ 0.000012 USD + 15 tokens"
    assert brief_cost(report.total, PRICES) == "≈ 0.000012 USD + 15"
    assert cost_words(report.total, PriceList()) == "≈ 0.000012 USD + 15 tokens", "what was priced stays priced"
    assert cost_words(Spending(), PRICES) == ""
    late = TODAY + timedelta(days=120)
    assert list(remarks(report.total, PRICES, late)) == [
        "Not in the money: 15 tokens of models whose price is not known.",
        "1 call took tokens that its server did not tell.",
        "Prices of 2025-06-01 from the makers' price pages.",
        "The prices are 4 months old; they may have changed since.",
    ]
