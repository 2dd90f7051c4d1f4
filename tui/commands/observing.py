"""Commands about observers: whether they look at answers, and sending along what they said."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from assistant.turn.observing import quoted
from tui.commands.command import Section, SheetCommand
from tui.commands.gates import hanging_at_cursor
from tui.desk.messages import Said
from tui.desk.observers import SETTING, are_on, observers_of

if TYPE_CHECKING:
    from tui.desk.sheet import Sheet
    from tui.screens.desk import DeskScreen
    from tui.screens.panels import Panels


class Observe(SheetCommand):
    """Let observers look at the answers of this conversation, or not."""

    id = "observe"
    title = "Have answers observed, or not"
    help = "Let observers look at each complete answer of this conversation from now on; each costs one call."
    label = "observers"
    keys = ("W",)
    section = Section.SEND

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only where a model answers."""
        is_model = screen.services.provider.is_model
        return "" if is_model else "Observers need a language model; the built-in assistant is none."

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Switch, and say who they are."""
        turn_on = not are_on(screen.services, sheet.stored(SETTING))
        screen.spawn(self._switched(screen, sheet, turn_on=turn_on))

    async def _switched(self, screen: DeskScreen, sheet: Sheet, *, turn_on: bool) -> None:
        observers = await asyncio.to_thread(observers_of, screen.services) if turn_on else []
        titles = ", ".join(task.title for task in observers)
        if screen.sheet is not sheet:
            return
        if turn_on and not titles:
            screen.post_message(Said("There are no observers for you; `ticketree tasks` lists all tasks.", True))
            return
        screen.desk.choose(SETTING, turn_on)
        words = f"Complete answers here are observed from now on: {titles}." if turn_on else "Observers are off here."
        screen.post_message(Said(words))


class SendAlong(SheetCommand):
    """Write with what observers said."""

    id = "send_along"
    title = "Put what observers said into the message"
    help = (
        "Put what observers said about the answer under the cursor into the composer, quoted, to be changed and sent."
    )
    label = "send along"
    keys = ("I",)
    rank = 46
    section = Section.ACT

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only where an observer found something."""
        return "" if quoted(hanging_at_cursor(screen, sheet)) else "No observer found anything in this message."

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Add it to the draft, and write."""
        screen.desk.add_to_draft(quoted(hanging_at_cursor(screen, sheet)))
        screen.write()
