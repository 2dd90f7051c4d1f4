"""Asking before a ticket is erased: what goes, what stays out of reach, and why."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tui import locations
from tui.display import display_safe
from tui.erasure_text import outside_reach
from tui.tones import MUTED, WARNING


class EraseScreen(ModalScreen[str | None]):
    """Returns the reason once one is given and Enter pressed, None after Esc."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Keep it", show=False)]

    def __init__(self, ticket_id: str, subject: str) -> None:
        super().__init__()
        self._ticket_id = ticket_id
        self._subject = subject

    def compose(self) -> ComposeResult:
        """What would happen, and a line for the reason."""
        with VerticalScroll(id="erase") as page:
            page.border_title = Content(f"Erase {display_safe(self._ticket_id, newlines=False)} for good")
            page.border_subtitle = Content("Enter erases, Esc keeps it")
            yield Static(self._explanation(), markup=False)
            yield Input(placeholder="The reason; it stays, so leave the customer's name out", id="reason")

    def on_mount(self) -> None:
        """Let the reason be typed at once."""
        self.query_one(Input).focus()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Go on with a reason; without one nothing happens."""
        if reason := message.value.strip():
            self.dismiss(reason)

    def _explanation(self) -> Content:
        subject = display_safe(self._subject, newlines=False)
        places = "\n".join(f"  · {display_safe(place)}" for place in outside_reach(locations.copies_folder()))
        return Content.assemble(
            (f"{subject}\n\n", "bold"),
            ("This cannot be undone. ", f"bold {WARNING}"),
            "The words of the ticket and of every agent's conversation on it go, with drafts and all that was sent "
            "and received. The trees stay and say when, by whom and why.\n\n",
            ("Out of reach, for you to look after:\n", MUTED),
            (f"{places}\n", MUTED),
        )
