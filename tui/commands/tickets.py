"""Commands that go from ticket to ticket and from panel to panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.commands.command import Command, Section

if TYPE_CHECKING:
    from tui.screens.desk import DeskScreen
    from tui.screens.panels import Panels


class Tickets(Command):
    """A command of this section."""

    section = Section.TICKETS


class NextTicket(Tickets):
    """The ticket below."""

    id = "next_ticket"
    title = "Next ticket"
    help = "Open the next ticket of the list."
    label = "next ticket"
    keys = (">", "ctrl+n")
    rank = 30

    def unavailable(self, screen: Panels) -> str:
        """Only where there is one."""
        return "" if screen.neighbour(1) else "There is no further ticket."

    def run(self, screen: DeskScreen) -> None:
        """Open it."""
        if (ticket_id := screen.neighbour(1)) is not None:
            screen.open_ticket(ticket_id)


class PreviousTicket(Tickets):
    """The ticket above."""

    id = "previous_ticket"
    title = "Previous ticket"
    help = "Open the previous ticket of the list."
    label = "previous ticket"
    keys = ("<", "ctrl+b")

    def unavailable(self, screen: Panels) -> str:
        """Only where there is one."""
        return "" if screen.neighbour(-1) else "There is no earlier ticket."

    def run(self, screen: DeskScreen) -> None:
        """Open it."""
        if (ticket_id := screen.neighbour(-1)) is not None:
            screen.open_ticket(ticket_id)


class GoToTickets(Tickets):
    """Focus the tickets."""

    id = "go_to_tickets"
    title = "Go to the tickets"
    help = "Put the cursor into the list of tickets; Enter opens one."
    label = "tickets"
    keys = ("1", "ctrl+t")
    rank = 35

    def run(self, screen: DeskScreen) -> None:
        """Focus them."""
        screen.focus_side(screen.tickets)


class GoToConversation(Tickets):
    """Focus the outline."""

    id = "go_to_conversation"
    title = "Go to the conversation"
    help = "Put the cursor into the conversation panel, where the branches are."
    label = "conversation"
    keys = ("2", "c", "ctrl+o")
    rank = 34

    def run(self, screen: DeskScreen) -> None:
        """Focus it."""
        screen.focus_side(screen.outline)


class GoToChat(Tickets):
    """Focus the chat."""

    id = "go_to_chat"
    title = "Go to the chat"
    help = "Put the cursor into the chat, to scroll in it."
    label = "chat"
    keys = ("3",)

    def run(self, screen: DeskScreen) -> None:
        """Focus it."""
        screen.chat.focus()


class TogglePanel(Tickets):
    """Show or hide the left column."""

    id = "toggle_panel"
    title = "Show or hide the side panel"
    help = "Show or hide the tickets and the conversation at the left."
    label = "panel"
    keys = ("b", "f10")
    rank = 8

    def run(self, screen: DeskScreen) -> None:
        """Toggle it."""
        screen.toggle_side()
