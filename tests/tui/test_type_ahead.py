"""What is typed before the desk stands is not lost, and sends nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Event
from typing import NoReturn

import pytest
from app_driver import CLOSED, OTHER, TICKET, AppDriver, RecordingApp, a_store, running_app, services, with_branches
from scripted_provider import ScriptedProvider, words
from textual import events
from textual.widgets import Input

from storage.errors import NotFoundError
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


# while another ticket opens


async def test_what_is_typed_right_behind_the_key_that_opens_another_ticket_is_for_that_one_and_is_not_sent() -> None:
    provider = ScriptedProvider(words("Oui."))
    async with running_app(services(a_store(), provider)) as desk:
        await desk.burst((*"abc", "ctrl+n", *"hello", "enter", *"you"))
        await desk.until(lambda: desk.screen.composer.text == "helloyou")

        assert desk.sheet.page.ticket.id == OTHER
        assert provider.chains == []
        await desk.until(lambda: desk.store.draft("camille", TICKET).text == "abc")
        await desk.until(lambda: desk.store.draft("camille", OTHER).text == "helloyou")


async def test_of_texts_typed_for_several_tickets_each_comes_to_its_own() -> None:
    async with running_app(services(a_store())) as desk:
        await desk.burst((*"one", "ctrl+n", *"two", "ctrl+b", "x", "ctrl+n", "ctrl+n", *"three"))
        await desk.until(lambda: desk.screen.composer.text == "three")

        await desk.until(lambda: desk.store.draft("camille", CLOSED).text == "three")
        assert [desk.store.draft("camille", ticket).text for ticket in (TICKET, OTHER)] == ["onex", "two"]


async def test_a_command_right_behind_it_is_for_that_ticket_too() -> None:
    provider = ScriptedProvider(words("Oui."))
    async with running_app(services(a_store(), provider)) as desk:
        await desk.press("escape")
        await desk.burst(("greater_than_sign", "f9"))
        await desk.until(lambda: bool(provider.chains))
        await desk.answered()

        assert desk.sheet.page.ticket.id == OTHER
        assert desk.shown == ["Oui."]
        assert len(desk.store.nodes(desk.store.open_conversation("camille", TICKET).id)) == 2


async def test_while_the_record_is_busy_the_desk_says_what_it_opens_and_nothing_goes_to_the_ticket_that_is_left() -> (
    None
):
    made, may_open = services(a_store()), Event()
    async with running_app(made) as desk:
        await desk.type("kept")
        desk.screen.desk._recorder.submit(lambda: may_open.wait(30))
        desk.hit(("ctrl+n", *"for Ann"))
        await desk.until(lambda: f"Ticket {OTHER} is being opened." in desk.seen)
        desk.hit(("enter", "!"))
        await desk.until(lambda: desk.app.message_queue_size == 0)
        assert desk.screen.composer.text == "kept"
        may_open.set()
        await desk.until(lambda: desk.screen.composer.text == "for Ann!")

        assert desk.sheet.page.ticket.id == OTHER
        assert desk.store.draft("camille", TICKET).text == "kept"


async def test_what_was_typed_for_a_ticket_that_cannot_be_opened_goes_to_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = services(a_store())

    def refuse(agent: str, ticket_id: str) -> NoReturn:
        raise NotFoundError(f"There is no ticket {ticket_id} for {agent}.")

    async with running_app(made) as desk:
        await desk.type("kept")
        monkeypatch.setattr(made.store, "open_conversation", refuse)
        await desk.burst(("ctrl+n", *"for Ann", "enter"))
        await desk.until(lambda: bool(desk.told))
        await desk.press("!")

        assert desk.screen.composer.text == "kept!"
        assert desk.sheet.page.ticket.id == TICKET


async def test_what_is_typed_right_behind_enter_in_the_list_is_for_the_ticket_that_it_opens() -> None:
    provider = ScriptedProvider(words("Oui."))
    async with running_app(services(a_store(), provider)) as desk:
        await desk.press("ctrl+t", "down")
        await desk.burst(("enter", *"draft"))
        await desk.until(lambda: desk.screen.composer.text == "draft")

        assert desk.sheet.page.ticket.id == OTHER
        assert provider.chains == []
        assert desk.store.draft("camille", TICKET).text == ""


async def test_what_is_typed_right_behind_a_click_on_a_ticket_is_for_that_one() -> None:
    async with running_app(services(a_store())) as desk:
        await desk.type("kept")
        rows = desk.screen.tickets.region
        desk.click(rows.x + 5, rows.y + 2)
        desk.hit("dear")
        await desk.until(lambda: desk.screen.composer.text == "dear")

        assert desk.sheet.page.ticket.id == OTHER
        await desk.until(lambda: desk.store.draft("camille", TICKET).text == "kept")


async def test_a_click_while_a_ticket_opens_turns_no_text_into_commands_and_gives_it_to_no_other_ticket() -> None:
    provider, may_open = ScriptedProvider(words("Oui.")), Event()
    async with running_app(services(a_store(), provider)) as desk:
        desk.screen.desk._recorder.submit(lambda: may_open.wait(30))
        desk.hit(("ctrl+n", *"dear"))
        await desk.until(lambda: f"Ticket {OTHER} is being opened." in desk.seen)
        for panel, row in ((desk.screen.chat, 1), (desk.screen.tickets, 3)):
            desk.click(panel.region.x + 3, panel.region.y + row)
        desk.hit(" Ann")
        await desk.until(lambda: desk.app.message_queue_size == 0)
        may_open.set()
        await desk.until(lambda: desk.screen.composer.text == "dear Ann")

        assert desk.sheet.page.ticket.id == OTHER
        assert desk.screen.typing
        assert provider.chains == []


async def test_what_is_typed_for_a_dialog_that_opens_behind_a_ticket_comes_into_its_line() -> None:
    async with running_app(services(a_store())) as desk:
        await desk.press("escape")
        desk.hit(("greater_than_sign", "slash", *"hammock"))
        await desk.until(lambda: isinstance(desk.app.focused, Input) and desk.app.focused.value == "hammock")

        assert desk.sheet.page.ticket.id == OTHER


async def test_leaving_waits_for_the_ticket_that_a_text_was_typed_for() -> None:
    store, may_open = a_store(), Event()
    async with running_app(services(store)) as desk:
        desk.screen.desk._recorder.submit(lambda: may_open.wait(30))
        desk.hit(("ctrl+n", *"for Ann", "ctrl+q"))
        await desk.until(lambda: f"Ticket {OTHER} is being opened." in desk.seen)
        may_open.set()
        await desk.until(lambda: not desk.app.is_running)
    assert store.draft("camille", OTHER).text == "for Ann"
