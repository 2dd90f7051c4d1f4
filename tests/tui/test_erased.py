"""The desk on a ticket whose words were erased: what it says, and what can still be done there."""

from collections.abc import AsyncIterator
from typing import Final

import pytest
from app_driver import TICKET, AppDriver, a_store, running_app, services, with_branches

from tui.commands.command import SheetCommand
from tui.commands.registry import COMMANDS

STILL_DONE: Final = {"stop_answer", "notes", "show_sent"}
"""Commands on a ticket that can be done on an erased one, where there is something for them to do."""


@pytest.fixture
async def erased() -> AsyncIterator[AppDriver]:
    store = a_store()
    with_branches(store)
    async with running_app(services(store)) as desk:
        assert "tokens" in desk.seen
        await desk.screen.desk.erase(TICKET, "asked for")
        await desk.press("escape")
        yield desk


async def test_the_meter_says_that_nothing_can_be_sent_and_no_message_has_tokens(erased: AppDriver) -> None:
    assert "Nothing can be sent from here any more: the words of this ticket were erased." in erased.seen
    assert "tokens" not in erased.seen
    assert "free" not in erased.seen
    assert erased.sheet.plan is None
    assert {item.tokens for item in erased.screen.chat.items} == {None}


async def test_every_command_on_an_erased_ticket_says_so_or_can_be_done(erased: AppDriver) -> None:
    erased.screen.finding.query = "hamac"
    commands = [command for command in COMMANDS if isinstance(command, SheetCommand)]
    refused = {command.id for command in commands if " erased" in command.unavailable(erased.screen)}
    assert {command.id for command in commands} - refused == STILL_DONE
    erased.screen.finding.query = ""


async def test_key_bar_and_palette_offer_nothing_that_cannot_be_done(erased: AppDriver) -> None:
    bar = erased.seen.splitlines()[-1]
    assert not [label for label in ("write", "follow up", "keep the ticket", "copy", "task", "budget") if label in bar]
    assert "tickets" in bar
    await erased.press("colon")
    await erased.until(lambda: "Command palette" in erased.seen)
    assert "Follow up" not in erased.seen
    await erased.press("escape")


async def test_a_ticket_that_was_erased_before_opens_the_same() -> None:
    store = a_store()
    with_branches(store)
    store.erase(TICKET, "noah", "asked for")
    async with running_app(services(store)) as desk:
        await desk.press("escape", "w")
        assert not desk.screen.typing
        assert desk.told[-1] == "The words of this ticket were erased; it takes nothing new."
        assert "Nothing can be sent from here any more" in desk.seen
