"""One line in which an agent says why an answer is used although a check failed."""

from collections.abc import Sequence
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from assistant.gates.results import GateResult
from tui.display import display_safe
from tui.screens.line import Keep, LineScreen
from tui.signs import FAILED_CHECK
from tui.step import Spawn

_LONGEST: Final = 500


class OverrideScreen(LineScreen):
    """Keeps the reason once Enter is pressed, Esc leaves the answer as it is; an empty one is none."""

    def __init__(self, failed: Sequence[GateResult], keep: Keep, spawn: Spawn) -> None:
        super().__init__(keep, spawn, placeholder="Why it may go out; kept with the answer", max_length=_LONGEST)
        self._failed = failed

    def compose(self) -> ComposeResult:
        """What failed, and the line."""
        with Vertical(id="override") as box:
            box.border_title = Content("Use it all the same")
            box.border_subtitle = Content("Enter keeps the reason, Esc leaves it")
            with VerticalScroll(classes="about", can_focus=False):
                for result in self._failed:
                    said = f"{FAILED_CHECK} {result.rule}: {display_safe(result.detail, newlines=False)}"
                    yield Static(Content(said))
            yield self.line
            yield self.trouble

    def refusal(self, text: str) -> str:
        """A reason is needed."""
        return "" if text.strip() else "Say in a few words why this answer may be used."
