"""The help: every command with its keys, from the registry."""

from typing import ClassVar, Final

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
    ("Ctrl+J", "New line; a \\ at the end of the line and Enter do the same. A paste never sends."),
    ("Esc", "Stop the answer that is being written; else leave the composer, the draft is kept."),
    ("Tab", "Go to the next panel; Shift+Tab to the one before."),
)
"""What the composer does itself, whatever is configured."""

_KEY_CELLS: Final = 16


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
            yield Static(help_content(self._key_map), markup=False)

    def on_mount(self) -> None:
        """Scroll by keyboard at once."""
        self.query_one("#help").focus()

    def action_scroll(self, rows: int) -> None:
        """Scroll by rows."""
        self.query_one("#help").scroll_relative(y=rows, animate=False)


def help_content(key_map: KeyMap) -> Content:
    """The whole help as text."""
    parts = [_heading("Write"), *(_line(keys, text) for keys, text in COMPOSER_KEYS)]
    for section in Section:
        parts.append(Content("\n"))
        parts.append(_heading(section.value))
        parts += [
            _line(key_map.shown(command), f"{command.title}. {command.help}")
            for command in COMMANDS
            if command.section is section
        ]
    parts += [
        Content("\n"),
        Content.styled(
            "Letters work in the tickets, the conversation and the chat; function keys in the composer too. "
            "[keys] in the configuration file gives a command other keys, by its name: follow_up, ask_again, …\n",
            MUTED,
        ),
    ]
    return Content("").join(parts)


def _heading(text: str) -> Content:
    return Content.styled(f"{text}\n", f"bold {LEAD}")


def _line(keys: str, text: str) -> Content:
    title, stop, rest = text.partition(". ")
    return Content.assemble((f"  {keys:<{_KEY_CELLS}} ", "bold"), title + stop, (rest, MUTED), "\n")
