"""Where the agent writes: Enter sends, Ctrl+J or a trailing backslash makes a new line, a paste never sends."""

from typing import Final

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import var
from textual.widgets import TextArea

from tui.display import display_safe, editable

_NEWLINE_KEYS: Final = frozenset({"ctrl+j", "shift+enter"})
_HINT: Final = "Enter send · Ctrl+J new line"


class Composer(TextArea):
    """An editor of one to eight lines that posts what is to be sent and knows nothing of where it goes.

    `Composer.Changed` is `TextArea.Changed`, posted after each change of the text. The text stays until somebody calls
    `load`, so that nothing is lost when sending fails.
    """

    DEFAULT_CSS = """
    Composer {
        height: auto;
        min-height: 3;
        max-height: 10;
        padding: 0 1;
        border: round $border-blurred;
        background: $background;
        border-title-color: $text-primary;
        border-title-style: bold;
        border-subtitle-color: $text-muted;
        & .text-area--cursor-line { background: transparent; }
        &:focus { border: round $border; }
        &.-waiting { border-subtitle-color: $text-warning; }
        &.-blocked { border: round $border-blurred; color: $text-muted; border-subtitle-color: $text-warning; }
    }
    """

    mode: var[str] = var("")
    """What sending does, shown at the top: "follow up", "edit 2/3"."""

    reason: var[str] = var("")
    """Why nothing can be sent now, shown at the bottom; "" while it can."""

    class Submitted(Message):
        """The agent wants to send this text; it is not blank."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Escaped(Message):
        """The agent pressed Esc."""

    def __init__(
        self,
        text: str = "",
        *,
        placeholder: str = "",
        id: str | None = None,  # noqa: A002 - Textual's name
        classes: str | None = None,
    ) -> None:
        self._invitation = Content(display_safe(placeholder))
        super().__init__(
            editable(text),
            placeholder=self._invitation,
            show_line_numbers=False,
            soft_wrap=True,
            tab_behavior="focus",
            id=id,
            classes=classes,
        )
        self.border_subtitle = Content(_HINT)
        self._submitted = ""

    def load(self, text: str) -> None:
        """Put a text in place of what stands here, the cursor at its end; hidden characters are left out."""
        self._submitted = ""
        self.load_text(editable(text))
        self.move_cursor(self.document.end)

    def block(self, reason: str, *, takes_text: bool = False) -> None:
        """Send nothing while there is a reason, and show it; take no text either, or keep what is written till then.

        Esc works all the same, and "" ends it.
        """
        self.read_only = reason != "" and not takes_text
        self.set_class(self.read_only, "-blocked")
        self.set_class(reason != "" and takes_text, "-waiting")
        self.reason = reason

    def watch_mode(self, mode: str) -> None:
        """Show what sending does."""
        self.border_title = Content(display_safe(mode, newlines=False))

    def watch_reason(self, reason: str) -> None:
        """Show why nothing can be sent, or how to send."""
        self.border_subtitle = Content(display_safe(reason, newlines=False) or _HINT)
        self.placeholder = Content() if reason else self._invitation

    async def on_key(self, event: events.Key) -> None:
        """Send, break the line or leave; everything else is the editor's.

        Its own bindings are run here, because otherwise they wait until the key has gone up to the app, and a letter
        that was typed after an arrow key comes before it.
        """
        match event.key:
            case "escape":
                self.post_message(self.Escaped())
            case _ if self.read_only:
                return
            case "enter" if not self._continues():
                if self.text.strip() and not self.reason:
                    self._submitted = self.text
                    self.move_cursor(self.document.end)
                    self.post_message(self.Submitted(self.text))
            case "enter":
                row, column = self.cursor_location
                self.replace("\n", (row, column - 1), (row, column))
            case key if key in _NEWLINE_KEYS:
                self.replace("\n", *self.selection)
            case _ if event.character in ("\u200c", "\u200d"):
                self.replace(event.character, *self.selection)
            case key if bindings := self._bindings.key_to_bindings.get(key):
                await self.run_action(bindings[0].action)
            case _:
                if event.is_printable:
                    self._part()
                return
        event.stop()
        event.prevent_default()

    async def on_paste(self, event: events.Paste) -> None:
        """Insert what was pasted, without controls and other hidden characters."""
        event.stop()
        event.prevent_default()
        self._insert(event.text)

    def action_paste(self) -> None:
        """Insert what was copied or cut in the app, in the same way."""
        self._insert(self.app.clipboard)

    def _insert(self, text: str) -> None:
        if not self.read_only:
            self._part()
            self.replace(editable(text), *self.selection, maintain_selection_offset=False)

    def _part(self) -> None:
        """Begin another line below what is being sent, so that it stays apart from what is written now."""
        end = self.document.end
        if self.reason and self._submitted and self.text == self._submitted and self.cursor_location == end:
            self.replace("\n", end, end)

    def _continues(self) -> bool:
        """A backslash stands right before the cursor, at the end of its line."""
        row, column = self.cursor_location
        line = self.document[row]
        return self.selection.is_empty and column == len(line) and line.endswith("\\")
