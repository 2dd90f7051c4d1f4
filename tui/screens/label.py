"""One line in which a message gets its label."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from storage.text import LABEL_LENGTH, label_of
from tui.display import editable
from tui.screens.line import Keep, LineScreen
from tui.step import Spawn


class LabelScreen(LineScreen):
    """Keeps what was typed once Enter is pressed, Esc leaves the label that there is; one too long stays to be cut."""

    def __init__(self, label: str, keep: Keep, spawn: Spawn) -> None:
        super().__init__(keep, spawn, text=editable(label), placeholder="A short name, for your eyes only")

    def compose(self) -> ComposeResult:
        """The line, with the label that there is."""
        with Vertical(id="label") as box:
            box.border_title = Content("Label")
            box.border_subtitle = Content("Enter keeps it, empty takes it off, Esc leaves it")
            yield self.line
            yield self.trouble

    def on_mount(self) -> None:
        """The first key replaces the label that there is."""
        self.line.select_all()

    def refusal(self, text: str) -> str:
        """There must not be too much of it."""
        length = len(label_of(text))
        if length > LABEL_LENGTH:
            return f"A label has at most {LABEL_LENGTH} characters, and this has {length}; shorten it."
        return ""
