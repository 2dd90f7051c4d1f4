"""The strategies side by side in the app: what they show, what the chat shows meanwhile, and what is taken."""

import threading
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from app_driver import OTHER, TICKET, AppDriver, a_store, running_app, services
from long_talk import talk
from scripted_provider import Pause, ScriptedProvider, words
from textual import events

from assistant.errors import Fault, ProviderError
from assistant.plan.history import OPENS_A_TURN
from assistant.plan.plan import Fate, PlanSettings, StrategyName
from assistant.provider.provider import TextChunk
from storage.store import Store
from tui.chat_items import plan_fates
from tui.comparison import make_comparison
from tui.price_reader import PriceReader
from tui.screens.curtain import Curtain
from tui.screens.stale import StaleScreen
from tui.screens.strategies import StrategiesScreen

TALK = "T-1"
BUDGET = 1_500
PRICES = """
date = 2025-06-01
currency = "USD"
source = "the makers' price pages"
[[server]]
name = "Scripted"
hosts = ["scripted.invalid"]
models = [{ names = ["scripted-1"], input = 1000, cached = 100, output = 2000 }]
"""


@pytest.fixture
def store() -> Store:
    """The sample desk, and a conversation of 20 turns beside the ticket's own, each of some 100 tokens."""
    store = a_store()
    talk(store, 20)
    return store


def chosen(strategy: StrategyName = StrategyName.CUT, budget: int = BUDGET) -> PlanSettings:
    return PlanSettings(strategy, budget)


async def compared(desk: AppDriver) -> StrategiesScreen:
    """Open the comparison from the composer."""
    await desk.press("ctrl+s")
    screen = desk.app.screen
    assert isinstance(screen, StrategiesScreen)
    return screen


def marks(desk: AppDriver) -> dict[int, Fate | None]:
    """What the chat and the outline show, which must be the same."""
    shown = {item.id: item.fate for item in desk.screen.chat.items}
    outline = {row.node.id: row.fate for row in desk.screen.outline.rows}
    assert {node_id: outline.get(node_id) for node_id in shown} == shown
    return shown


async def test_the_chat_shows_the_marks_of_the_strategy_under_the_cursor_and_esc_changes_nothing(store: Store) -> None:
    async with running_app(services(store, settings=chosen()), TALK) as desk:
        await desk.type("shorter")
        before = marks(desk)
        screen = await compared(desk)
        assert "Ways of keeping history · budget 1,500 tokens" in desk.seen
        assert marks(desk) == before
        for digit, strategy in enumerate(StrategyName, 1):
            await desk.press(str(digit))
            assert screen.list.row.strategy is strategy
            assert marks(desk) == {
                node_id: fate for node_id, fate in plan_fates(screen.list.row.plan).items() if node_id in before
            }
            row = screen.list.row.compared
            openings = [item.fate for item in desk.screen.chat.items if item.node.kind in OPENS_A_TURN]
            summarised = openings.count(Fate.SUMMARISED)
            assert (openings.count(Fate.CUT), summarised) == (
                row.cut_turns,
                row.summarised_turns and row.summarised_turns - 1,  # the ticket itself, the first turn, is sent
            )
            assert openings.count(Fate.SENT) == row.sent_turns + bool(summarised)
        await desk.press("1", "j")
        looked_at = marks(desk)
        assert "✂ cut" in desk.seen
        assert looked_at != before
        assert desk.sheet.plan is not None
        assert desk.sheet.plan.strategy is StrategyName.CUT
        await desk.press("escape")
        assert (desk.app.screen, marks(desk)) == (desk.screen, before)
        assert "✂ cut" not in desk.seen
        assert store.settings(desk.sheet.page.id) == {}


async def test_enter_takes_a_strategy_for_the_conversation(store: Store) -> None:
    async with running_app(services(store, settings=chosen()), TALK) as desk:
        await compared(desk)
        await desk.press("2", "enter")
        assert store.settings(desk.sheet.page.id) == {"strategy": "select"}
        assert desk.sheet.settings.strategy is StrategyName.SELECT
        assert "for this request only" not in desk.seen


async def test_a_strategy_for_one_request_is_shown_sent_and_gone(store: Store) -> None:
    provider = ScriptedProvider(words("Bonjour."))
    async with running_app(services(store, provider, settings=chosen()), TALK) as desk:
        await desk.type("shorter")
        await compared(desk)
        await desk.press("2", "o")
        assert "select for this request only" in desk.seen
        assert store.settings(desk.sheet.page.id) == {}
        plan = desk.sheet.plan
        assert plan is not None
        assert plan.strategy is StrategyName.SELECT
        await desk.press("enter")
        await desk.answered()
        assert provider.chains == [plan.chain]
        assert (desk.sheet.once, desk.sheet.settings.strategy) == (None, StrategyName.CUT)
        assert "for this request only" not in desk.seen


async def test_a_strategy_for_one_request_waits_while_another_ticket_is_open(store: Store) -> None:
    async with running_app(services(store, settings=chosen()), TALK) as desk:
        await compared(desk)
        await desk.press("2", "o")
        for ticket, once in ((OTHER, None), (TALK, StrategyName.SELECT)):
            desk.screen.open_ticket(ticket)
            await desk.rest()
            assert desk.sheet.once is once


async def test_another_choice_takes_the_place_of_a_strategy_for_one_request(store: Store) -> None:
    async with running_app(services(store, settings=chosen()), TALK) as desk:
        await compared(desk)
        await desk.press("2", "o")
        await desk.press("f2")
        assert (desk.sheet.once, desk.sheet.settings.strategy) == (None, StrategyName.SELECT)
        assert store.settings(desk.sheet.page.id) == {"strategy": "select"}
        await compared(desk)
        await desk.press("2", "o")
        assert desk.sheet.once is None


async def test_a_request_that_was_stopped_before_it_began_keeps_its_strategy(store: Store) -> None:
    provider = ScriptedProvider([ProviderError(Fault.REFUSED, "No answer.", "Look at the network.")])
    async with running_app(services(store, provider, settings=chosen()), TALK) as desk:
        await desk.type("shorter")
        await compared(desk)
        await desk.press("4", "o", "enter")
        await desk.answered()
        assert any("No summary was made" in text for text in desk.told)
        assert desk.sheet.once is StrategyName.SUMMARISE
        assert desk.screen.composer.text == "shorter"


async def test_the_table_says_what_is_in_the_way_what_is_called_first_and_what_it_costs(
    store: Store, tmp_path: Path
) -> None:
    (tmp_path / "prices.toml").write_text(PRICES)
    provider = ScriptedProvider(words("Bonjour."))
    with_prices = replace(
        services(store, provider, settings=chosen(StrategyName.SELECT)), prices=PriceReader(tmp_path / "prices.toml")
    )
    async with running_app(with_prices, TALK) as desk:
        await desk.type("shorter")
        before = desk.sheet.plan
        assert before is not None
        await desk.press("enter")
        await desk.answered()
        await desk.type("longer")
        screen = await compared(desk)
        rows = {row.strategy: row for row in screen.list.rows}
        cut, select = rows[StrategyName.CUT], rows[StrategyName.SELECT]
        summarise = rows[StrategyName.SUMMARISE]
        plan = select.plan

        assert "≈ USD" in desk.seen
        assert select.compared.shared_tokens == before.total - before.counts.overhead
        plain = plan.total - select.compared.shared_tokens
        assert select.cost == Decimal(plain * 1000 + select.compared.shared_tokens * 100) / 1_000_000
        assert cut.compared.shared_tokens == plan.counts.system
        assert summarise.first is not None
        assert (
            summarise.first_cost
            == Decimal(
                sum(summarise.first.prompts) * 1000
                + len(summarise.first.prompts) * (summarise.first.expected // len(summarise.first.prompts)) * 2000
            )
            / 1_000_000
        )

        await desk.press("1")
        assert "⚠ The ticket is outside the budget: the answer would be written without it." in desk.seen
        await desk.press("4")
        assert f"{sum(summarise.first.prompts):,} tokens in, about {summarise.first.expected:,} out, ≈" in desk.seen


async def test_it_works_in_a_small_terminal_on_an_empty_composer(store: Store) -> None:
    async with running_app(services(store, settings=chosen()), TALK, size=(80, 24)) as desk:
        screen = await compared(desk)
        for digit in "1234":
            await desk.press(digit)
            assert screen.list.region.height == 4
            assert desk.screen.chat.region.y < screen.query_one("#strategies").region.y - 5
            lines = desk.seen.splitlines()
            table = lines[screen.head.region.y : screen.head.region.y + 5]
            assert "ticket" in table[0]
            assert all(("inside" in line) or ("⚠ outside" in line) for line in table[1:])
        await desk.press("2", "o")
        assert "select for this request only" in desk.seen


async def test_it_says_why_it_cannot_be_opened() -> None:
    provider = ScriptedProvider([TextChunk("Bonjour"), Pause.FOR_EVER])
    async with running_app(services(a_store(), provider), None) as desk:
        await desk.press("S")
        assert desk.told[-1] == "Open a ticket first."
        desk.screen.open_ticket(TICKET)
        await desk.rest()
        await desk.press("f9")
        await desk.until(provider.paused.is_set)
        await desk.press("ctrl+s")
        assert desk.told[-1] == "The answer is being written. Esc stops it."
        assert desk.app.screen is desk.screen


@pytest.fixture
def may_compare(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """The strategies are compared once this is set."""
    may_go_on = threading.Event()

    def slowly(*arguments: object) -> object:
        assert may_go_on.wait(60)
        return make_comparison(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("tui.comparison.make_comparison", slowly)
    return may_go_on


async def test_keys_that_are_pressed_while_it_compares_wait_for_the_screen(
    store: Store, may_compare: threading.Event
) -> None:
    async with running_app(services(store, settings=chosen()), TALK) as desk:
        desk.screen.outline.focus()
        await desk.rest()
        await desk.pilot.press("S", "4")
        assert desk.screen.focused is desk.screen.outline, "4 goes to the composer elsewhere"
        may_compare.set()
        await desk.until(lambda: isinstance(desk.app.screen, StrategiesScreen) and desk.app.screen.list.cursor == 3)
        await desk.press("escape")
        assert desk.app.screen is desk.screen


async def test_the_same_key_twice_at_once_opens_it_and_closes_it(store: Store, may_compare: threading.Event) -> None:
    async with running_app(services(store, settings=chosen()), TALK) as desk:
        desk.screen.outline.focus()
        await desk.rest()
        for _ in range(2):
            desk.app.post_message(events.Key("S", "S"))
        await desk.until(lambda: isinstance(desk.app.screen, Curtain) and len(desk.app.screen.pressed) == 1)
        may_compare.set()
        await desk.until(lambda: desk.app.screen is desk.screen)


async def test_a_question_that_comes_up_while_it_compares_keeps_its_place_and_no_key_is_held_after_it(
    store: Store, may_compare: threading.Event
) -> None:
    async with running_app(services(store, settings=chosen()), TALK) as desk:
        desk.screen.outline.focus()
        await desk.rest()
        await desk.pilot.press("S")
        question = StaleScreen((), desk.screen.now())
        await desk.app.push_screen(question)
        may_compare.set()
        await desk.until(lambda: isinstance(desk.app.screen, StrategiesScreen))
        await desk.press("escape")
        assert desk.app.screen is question
        await desk.press("escape")
        await desk.until(lambda: desk.app.screen is desk.screen)
