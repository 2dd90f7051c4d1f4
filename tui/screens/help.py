"""The help: every command with its keys, from the registry."""

from textwrap import wrap
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.commands.command import Section
from tui.commands.keys import KeyMap
from tui.commands.registry import COMMANDS
from tui.tones import LEAD, MUTED

COMPOSER_KEYS: Final = (
    ("Enter", "Send. An empty composer sends nothing."),
    ("Ctrl+J", "New line. A \\ at the end of the line and Enter do the same; a paste never sends."),
    ("Esc", "Stop the answer that is being written; else leave the composer, the draft is kept."),
    ("Tab", "Go to the next panel; Shift+Tab to the one before."),
)
"""What the composer does itself, whatever is configured."""

_NOTE: Final = (
    "Letters work in the tickets, the conversation and the chat; function and Ctrl keys in the composer too. "
    "[keys] in the configuration file gives a command other keys, by its name: follow_up, ask_again, next_ticket …"
)
_KEY_CELLS: Final = 12


class HelpScreen(ModalScreen[None]):
    """Lists all commands by section; Esc, `q` or `?` close it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1", "dismiss", "Close", show=False),
        Binding("j", "scroll(1)", "Down", show=False),
        Binding("k", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self, key_map: KeyMap) -> None:
        super().__init__()
        self._key_map = key_map

    def compose(self) -> ComposeResult:
        """One scrolling page."""
        with VerticalScroll(id="help") as page:
            page.border_title = Content("Keys")
            page.border_subtitle = Content("Esc closes")
            yield HelpText(self._key_map)

    def on_mount(self) -> None:
        """Scroll by keyboard at once."""
        self.query_one("#help").focus()

    def action_scroll(self, rows: int) -> None:
        """Scroll by rows."""
        self.query_one("#help").scroll_relative(y=rows, animate=False)


class HelpText(Static):
    """The help, laid out for the width that there is."""

    def __init__(self, key_map: KeyMap) -> None:
        super().__init__(Content.styled("The keys are being laid out …", MUTED), markup=False)
        self._key_map = key_map

    def on_resize(self, event: events.Resize) -> None:
        """Break the lines anew."""
        self.update(help_content(self._key_map, event.size.width))


def help_content(key_map: KeyMap, width: int) -> Content:
    """The whole help as text, its lines at most `width` cells."""
    parts = [_heading("Write"), *(_line(keys, text, width) for keys, text in COMPOSER_KEYS)]
    for section in Section:
        parts.append(_heading(f"\n{section.value}"))
        parts += [
            _line(key_map.shown(command), f"{command.title}. {command.help}", width)
            for command in COMMANDS
            if command.section is section
        ]
    note = "\n".join(wrap(_NOTE, max(20, width)))
    return Content("").join([*parts, Content.styled(f"\n{note}\n", MUTED)])


def _heading(text: str) -> Content:
    return Content.styled(f"{text}\n", f"bold {LEAD}")


def _line(keys: str, text: str, width: int) -> Content:
    """The keys, and the text beside them; its first sentence is the loudest."""
    first, *more = wrap(text, max(20, width - _KEY_CELLS - 3)) or [""]
    title, stop, rest = first.partition(". ")
    indent = " " * (_KEY_CELLS + 3)
    return Content.assemble(
        (f"  {keys:<{_KEY_CELLS}} ", "bold"),
        title + stop,
        ("".join([rest, *(f"\n{indent}{line}" for line in more)]), MUTED),
        "\n",
    )
