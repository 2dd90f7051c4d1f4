"""What is painted first: the frame of the desk, while the record is being opened."""

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static


class OpeningScreen(Screen[None]):
    """The desk's frame without anything in it; it needs nothing of the record, so it stands at once."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - a setting of Textual

    def compose(self) -> ComposeResult:
        """The panels that the desk will have, empty."""
        tickets, outline = Static(id="tickets"), Static(id="outline")
        tickets.border_title = Content("Tickets")
        outline.border_title = Content("Conversation")
        with Horizontal(), Vertical(id="side"):
            yield tickets
            yield outline
