"""What is typed before the desk stands is not lost, and sends nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Event

from app_driver import TICKET, AppDriver, RecordingApp, a_store, services, with_branches
from textual import events

from storage.interactions import Draft
from storage.store import Store
from tui.services import Services
from tui.type_ahead import Typed


@asynccontextmanager
async def typed_early(store: Store, ticket_id: str | None, *typed: Typed) -> AsyncIterator[AppDriver]:
    """Run the app, which opens the record only once all of this was typed."""
    opening = Event()
    made = services(store)

    class SlowApp(RecordingApp):
        def _prepare(self) -> Services:
            assert opening.wait(30)
            return super()._prepare()

    app = SlowApp(made, ticket_id)
    async with app.run_test(notifications=True) as pilot:
        for event in typed:
            app.post_message(event)
        await pilot.pause()
        opening.set()
        driver = AppDriver(app, pilot)
        await driver.ready()
        yield driver
    driver.screen.desk.close()


def keys(text: str) -> list[events.Key]:
    return [events.Key(sign, sign) for sign in text]


async def test_text_that_was_typed_while_the_ticket_opened_stands_in_the_composer() -> None:
    early: list[Typed] = [
        *keys("jqz1"),
        events.Key("backspace", None),
        events.Paste(" pasted"),
        events.Key("ctrl+j", None),
        *keys("x"),
    ]
    async with typed_early(a_store(), TICKET, *early) as desk:
        await desk.until(lambda: desk.screen.composer.text == "jqz pasted\nx")
        await desk.press("y")

        assert desk.screen.composer.text == "jqz pasted\nxy"
        assert desk.screen.focused is desk.screen.composer


async def test_it_follows_the_draft_that_stood_there_and_enter_does_not_send_what_nobody_saw() -> None:
    store = a_store()
    nodes = with_branches(store)
    store.save_draft("camille", TICKET, Draft("shorter"))
    before = store.head(nodes.draft.conversation_id)
    async with typed_early(store, TICKET, *keys(" x"), events.Key("enter", "\r")) as desk:
        await desk.until(lambda: desk.screen.composer.text == "shorter x")

        assert store.head(nodes.draft.conversation_id) == before


async def test_without_a_ticket_the_keys_mean_what_they_mean_in_the_list() -> None:
    async with typed_early(a_store(), None, *keys("jj")) as desk:
        await desk.until(lambda: desk.screen.tickets.cursor == 2)


async def test_what_was_typed_for_a_ticket_that_is_not_there_commands_nothing() -> None:
    async with typed_early(a_store(), "T-0", *keys("qjj")) as desk:
        await desk.until(lambda: bool(desk.told))
        await desk.rest()

        assert (desk.screen.tickets.cursor, desk.app.is_running) == (0, True)
        assert "T-0" in desk.told[0]
