"""The last line: the keys that matter now."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

from tui.tones import LEAD, MUTED

_META = "command"


class KeyBar(Static):
    """Shows as many (command id, key, label) as fit, most wanted first; a click posts `KeyBar.Picked`."""

    DEFAULT_CSS = """
    KeyBar {
        height: 1;
        padding: 0 1;
        background: $panel;
    }
    """
    ALLOW_SELECT = False

    class Picked(Message):
        """The agent clicked a command."""

        def __init__(self, command_id: str) -> None:
            super().__init__()
            self.command_id = command_id

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__("", id=id, markup=False)
        self._entries: tuple[tuple[str, str, str], ...] = ()

    def show(self, entries: Sequence[tuple[str, str, str]]) -> None:
        """Show these; nothing is painted when they are the same as before."""
        if tuple(entries) != self._entries:
            self._entries = tuple(entries)
            self._paint()

    def on_resize(self, event: events.Resize) -> None:
        """Choose again how many fit."""
        self._paint()

    def on_click(self, event: events.Click) -> None:
        """Post the command under the pointer, if there is one."""
        command_id = event.style.meta.get(_META)
        if isinstance(command_id, str):
            event.stop()
            self.post_message(self.Picked(command_id))

    def _paint(self) -> None:
        self.update(key_line(self._entries, self.content_size.width))


def key_line(entries: Sequence[tuple[str, str, str]], width: int) -> Content:
    """As many entries as fit into `width` cells, in their order; those that do not fit are skipped."""
    shown: list[Content] = []
    left = width
    for command_id, key, label in entries:
        entry = Content.assemble((key, f"bold {LEAD}"), (f" {label}", MUTED))
        taken = entry.cell_length + (3 if shown else 0)
        if taken <= left:
            shown.append(entry.stylize(Style.from_meta({_META: command_id})))
            left -= taken
    return Content("   ").join(shown)
