"""Commands about the app itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.commands.command import Command, Section
from tui.themes import DARK, LIGHT

if TYPE_CHECKING:
    from tui.screens.desk import DeskScreen
    from tui.screens.panels import Panels


class Program(Command):
    """A command of this section."""

    section = Section.APP


class Help(Program):
    """All keys."""

    id = "help"
    title = "Keys"
    help = "Show every command with its keys."
    label = "keys"
    keys = ("?", "f1")
    rank = 95

    def run(self, screen: DeskScreen) -> None:
        """Open the help."""
        from tui.screens.help import HelpScreen

        screen.app.push_screen(HelpScreen(screen.key_map))


class Palette(Program):
    """Find a command by name."""

    id = "palette"
    title = "Command palette"
    help = "Find a command by its name."
    label = "commands"
    keys = (":", "ctrl+p")
    rank = 70

    def run(self, screen: DeskScreen) -> None:
        """Open the palette."""
        from tui.commands.palette import CommandFinder

        screen.app.push_screen(CommandFinder())


class SwitchTheme(Program):
    """Dark or light."""

    id = "switch_theme"
    title = "Dark or light"
    help = "Switch between the dark and the light theme."
    label = "theme"
    keys = ("T",)

    def run(self, screen: DeskScreen) -> None:
        """Switch."""
        screen.app.theme = LIGHT.name if screen.app.current_theme.dark else DARK.name


class Close(Program):
    """Leave, when nothing is being written."""

    id = "close"
    title = "Close"
    help = "Close the app, unless an answer is still being written; everything is kept."
    label = "close"
    keys = ("q",)
    rank = 3

    def unavailable(self, screen: Panels) -> str:
        """Only while no answer is being written."""
        return "An answer is still being written; Ctrl+Q stops it and leaves." if screen.desk.turns.any_running else ""

    def run(self, screen: DeskScreen) -> None:
        """Leave."""
        screen.leave()


class Quit(Program):
    """Leave now."""

    id = "quit"
    title = "Quit"
    help = "Close the app at once; an answer that is being written is stopped and kept, and so is the draft."
    label = "quit"
    keys = ("ctrl+q", "Q")

    def run(self, screen: DeskScreen) -> None:
        """Leave."""
        screen.leave()
