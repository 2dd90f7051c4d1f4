"""Commands that end a ticket: closing and reopening it, and erasing its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.commands.command import Section, SheetCommand

if TYPE_CHECKING:
    from tui.desk.sheet import Sheet
    from tui.screens.desk import DeskScreen
    from tui.screens.panels import Panels


class CloseTicket(SheetCommand):
    """Close the ticket, or open it again."""

    id = "close_ticket"
    title = "Close or reopen the ticket"
    help = "Close the ticket, or open a closed one again; its conversation stays as it is."
    label = "close ticket"
    keys = ("z",)
    once_erased = ""
    section = Section.TICKETS

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """An erased ticket stays as it is."""
        return "The words of this ticket were erased; it stays as it is." if sheet.page.ticket.erased else ""

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Do the one that is not so."""
        screen.spawn(screen.desk.set_closed(closed=not sheet.page.is_closed))


class EraseTicket(SheetCommand):
    """Erase the words of the ticket and of all conversations on it."""

    id = "erase_ticket"
    title = "Erase the ticket"
    help = "Erase the words of the ticket and of every agent's conversation on it, for good; asks for the reason first."
    label = "erase"
    keys = ("Z",)
    once_erased = ""
    section = Section.TICKETS

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Once, and not while an answer is being written."""
        if sheet.page.ticket.erased:
            return "The words of this ticket are erased already."
        return screen.desk.busy

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Ask, then erase."""
        from tui.screens.erase import EraseScreen

        ticket, erase = sheet.page.ticket, screen.desk.erase
        screen.app.push_screen(
            EraseScreen(ticket.id, ticket.subject, lambda reason: erase(ticket.id, reason.strip()), screen.spawn)
        )
