"""One line in which an agent says why an answer is used although a check failed."""

from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from assistant.gates.results import GateResult
from tui.display import display_safe
from tui.signs import FAILED_CHECK

_LONGEST: Final = 500


class OverrideScreen(ModalScreen[str | None]):
    """Returns the reason once Enter is pressed, None after Esc; an empty one is none."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Leave it", show=False)]

    def __init__(self, failed: Sequence[GateResult]) -> None:
        super().__init__()
        self._failed = failed

    def compose(self) -> ComposeResult:
        """What failed, and the line."""
        with Vertical(id="override") as box:
            box.border_title = Content("Use it all the same")
            box.border_subtitle = Content("Enter keeps the reason, Esc leaves it")
            for result in self._failed:
                yield Static(Content(f"{FAILED_CHECK} {result.rule}: {display_safe(result.detail, newlines=False)}"))
            yield Input(placeholder="Why it may go out; kept with the answer", max_length=_LONGEST, compact=True)

    def on_mount(self) -> None:
        """Let it be typed at once."""
        self.query_one(Input).focus()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Go on, unless there is no reason."""
        if message.value.strip():
            self.dismiss(message.value.strip())
        else:
            self.app.notify("Say in a few words why this answer may be used.")
