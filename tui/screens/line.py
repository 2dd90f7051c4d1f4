"""A sheet with one line to type into; what was typed stays until it is kept."""

from collections.abc import Callable, Coroutine
from typing import ClassVar, TypeAlias

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from assistant.errors import AssistantError
from storage.errors import StorageError
from tui.display import display_safe
from tui.errors import TuiError
from tui.step import Spawn
from tui.widgets.line_input import LineInput

Keep: TypeAlias = Callable[[str], Coroutine[None, None, object]]
"""Does something with what was typed; its errors are told in the sheet."""


class LineScreen(ModalScreen[None]):
    """Closes once what was typed is kept, or by Esc; where it cannot be kept it says why, and the text stays.

    Args:
        keep: what Enter does with the text.
        spawn: runs a step beside the screen.
        text: what stands in the line at first.
        placeholder: what the line is for.
        max_length: of the text in characters, 0 for any.
    """

    VERTICAL_BREAKPOINTS = [(0, "-flat"), (20, "-low"), (30, "-high")]  # noqa: RUF012 - a setting of Textual
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Leave it", show=False),
        Binding("up,pageup", "scroll_about(-1)", "Up", show=False),
        Binding("down,pagedown", "scroll_about(1)", "Down", show=False),
    ]

    def __init__(self, keep: Keep, spawn: Spawn, *, text: str = "", placeholder: str, max_length: int = 0) -> None:
        super().__init__()
        self._keep = keep
        self._spawn = spawn
        self.line = LineInput(
            text, placeholder=placeholder, max_length=max_length, compact=True, id="line", select_on_focus=False
        )
        self.trouble = Static(id="trouble", markup=False)
        self.trouble.display = False

    def on_mount(self) -> None:
        """Let it be typed at once."""
        self.line.focus()

    def action_scroll_about(self, pages: int) -> None:
        """Scroll what is said before the line."""
        for about in self.query(".about"):
            about.scroll_relative(y=pages * about.size.height, animate=False)

    def refusal(self, text: str) -> str:
        """Why a text cannot be taken as it is, as a sentence; "" where it can, which is always."""
        return ""

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Keep the text, or say what is wrong with it."""
        if refusal := self.refusal(message.value):
            self._tell(refusal)
        else:
            self.line.disabled = True
            self._spawn(self._kept(message.value))

    async def _kept(self, text: str) -> None:
        """Close once it is kept; one who has left meanwhile is told like of any other step."""
        try:
            await self._keep(text)
        except (StorageError, AssistantError, TuiError) as error:
            if not self.is_attached:
                raise
            self._tell(str(error))
        else:
            if self.is_attached:
                self.dismiss()
        finally:
            if self.is_attached:
                self.line.disabled = False
                self.line.focus()

    def _tell(self, sentence: str) -> None:
        self.trouble.update(display_safe(sentence, newlines=False))
        self.trouble.display = True
        self.trouble.scroll_visible()
