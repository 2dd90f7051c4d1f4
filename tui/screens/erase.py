"""Asking before a ticket is erased: what goes, what stays out of reach, and why."""

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tui import locations
from tui.display import display_safe
from tui.erasure_text import outside_reach
from tui.screens.line import Keep, LineScreen
from tui.step import Spawn
from tui.tones import MUTED, WARNING


class EraseScreen(LineScreen):
    """Erases once a reason is given and Enter pressed, unless the reason may not stay; Esc keeps the ticket."""

    def __init__(self, ticket_id: str, subject: str, keep: Keep, spawn: Spawn) -> None:
        super().__init__(keep, spawn, placeholder="The reason; it stays, so leave the customer's name out")
        self._ticket_id = ticket_id
        self._subject = subject

    def compose(self) -> ComposeResult:
        """What would happen, and a line for the reason."""
        with Vertical(id="erase") as page:
            page.border_title = Content(f"Erase {display_safe(self._ticket_id, newlines=False)} for good")
            page.border_subtitle = Content("Enter erases, Esc keeps it")
            with VerticalScroll(classes="about", can_focus=False):
                yield Static(self._explanation(), markup=False)
            yield self.line
            yield self.trouble

    def refusal(self, text: str) -> str:
        """A reason is needed; the record says which may not stay."""
        return "" if text.strip() else "Say why; the reason stays in the record."

    def _explanation(self) -> Content:
        subject = display_safe(self._subject, newlines=False)
        places = "\n".join(f"  · {display_safe(place)}" for place in outside_reach(locations.copies_folder()))
        return Content.assemble(
            (f"{subject}\n\n" if subject else "", "bold"),
            ("This cannot be undone. ", f"bold {WARNING}"),
            "The words of the ticket and of every agent's conversation on it go, with drafts and all that was sent "
            "and received. The trees stay and say when, by whom and why.\n\n",
            ("Out of reach, for you to look after:\n", MUTED),
            (places, MUTED),
        )
