"""What is told in passing covers no dialog, and what is read for long says so."""

import threading
from collections.abc import Callable
from datetime import UTC, date

import pytest
from app_driver import AppDriver, a_store, running_app, services, with_branches

from assistant.audit import tracing
from tui import comparison
from tui.commands.keys import KeyMap
from tui.price_reader import PriceReader
from tui.screens.files import FilesScreen
from tui.screens.help import HelpText
from tui.screens.search import SearchScreen
from tui.screens.usage import UsageScreen
from tui.usage_report import Calls

BEFORE = "This was told before."


async def at_the_outline(desk: AppDriver) -> None:
    desk.screen.outline.focus()
    await desk.rest()


@pytest.mark.parametrize("key", ["question_mark", "colon", "m", "Z", "U", "S"])
async def test_what_was_told_before_lies_over_no_screen_that_opens(key: str) -> None:
    store = a_store()
    with_branches(store)
    async with running_app(services(store)) as desk:
        await at_the_outline(desk)
        desk.app.notify(BEFORE)
        await desk.until(lambda: BEFORE in desk.seen)
        await desk.press(key)
        await desk.until(lambda: desk.app.screen is not desk.screen)
        assert BEFORE not in desk.seen
        await desk.press("escape")
        assert desk.app.screen is desk.screen
        assert BEFORE not in desk.seen


async def test_what_a_screen_tells_itself_is_seen_on_it() -> None:
    async with running_app(services(a_store())) as desk:
        await at_the_outline(desk)
        await desk.press("A")
        await desk.type("none.csv")
        await desk.press("enter")
        await desk.until(lambda: bool(desk.told))
        assert isinstance(desk.app.screen, FilesScreen)
        await desk.until(lambda: "none.csv cannot be opened" in desk.seen)


async def test_escape_with_nothing_to_stop_does_nothing_and_says_nothing() -> None:
    store = a_store()
    with_branches(store)
    async with running_app(services(store)) as desk:
        await at_the_outline(desk)
        await desk.press("question_mark", "escape", "escape", "escape")
        assert desk.app.screen is desk.screen
        assert desk.told == []


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("p", "Reading what was sent …"),
        ("U", "Reading what models took …"),
        ("S", "Comparing the strategies …"),
    ],
)
async def test_a_screen_that_is_read_for_long_says_so_until_it_opens(
    key: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()

    def slowly(real: Callable[..., object]) -> Callable[..., object]:
        def wait(*arguments: object, **named: object) -> object:
            assert may_go_on.wait(60)
            return real(*arguments, **named)

        return wait

    store = a_store()
    with_branches(store)
    async with running_app(services(store)) as desk:
        await at_the_outline(desk)
        for place, name in ((tracing, "trace_answer"), (comparison, "make_comparison"), (store, "calls")):
            monkeypatch.setattr(place, name, slowly(getattr(place, name)))
        await desk.pilot.press(key)
        await desk.until(lambda: words in desk.seen)
        may_go_on.set()
        await desk.until(lambda: words not in desk.seen)
        await desk.rest()


async def test_a_search_that_takes_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()
    async with running_app(services(a_store())) as desk:
        find = desk.screen.finding.find

        def slowly(*arguments: object) -> object:
            assert may_go_on.wait(60)
            return find(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(desk.screen.finding, "find", slowly)
        await at_the_outline(desk)
        await desk.press("slash")
        screen = desk.app.screen
        assert isinstance(screen, SearchScreen)
        screen.line.value = "hamac"
        await desk.until(lambda: "Searching …" in desk.seen)
        assert "searching … · Esc goes back" in desk.seen
        may_go_on.set()
        await desk.until(lambda: screen.searched == "hamac")
        await desk.rest()
        assert "earching …" not in desk.seen


def test_pages_say_that_they_are_being_made_before_they_are() -> None:
    prices = PriceReader().read()
    usage = UsageScreen(Calls((), ()), prices, date(2025, 6, 15), UTC, has_conversation=False)
    assert str(usage._page.content) == "The figures are being added up …"
    assert str(HelpText(KeyMap({})).content) == "The keys are being laid out …"
