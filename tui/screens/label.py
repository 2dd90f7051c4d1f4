"""One line in which a message gets its label."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from storage.text import LABEL_LENGTH, label_of
from tui.display import editable


class LabelScreen(ModalScreen[str | None]):
    """Returns what was typed once Enter is pressed, None after Esc; a label that is too long stays to be shortened."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Leave it", show=False)]

    def __init__(self, label: str) -> None:
        super().__init__()
        self._label = label

    def compose(self) -> ComposeResult:
        """The line, with the label that there is."""
        with Vertical(id="label") as box:
            box.border_title = Content("Label")
            box.border_subtitle = Content("Enter keeps it, empty takes it off, Esc leaves it")
            yield Input(editable(self._label), placeholder="A short name, for your eyes only", compact=True)

    def on_mount(self) -> None:
        """Let it be typed at once; the first key replaces the label that there is."""
        line = self.query_one(Input)
        line.focus()
        line.select_all()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Go on, unless there is too much of it."""
        length = len(label_of(message.value))
        if length > LABEL_LENGTH:
            self.app.notify(f"A label has at most {LABEL_LENGTH} characters, and this has {length}; shorten it.")
        else:
            self.dismiss(message.value)
