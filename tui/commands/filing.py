"""The command about files that are attached to a branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.commands.command import Section, SheetCommand

if TYPE_CHECKING:
    from tui.desk.sheet import Sheet
    from tui.screens.desk import DeskScreen


class AttachFile(SheetCommand):
    """Attach a file, or take one out."""

    id = "attach"
    title = "Attach a file"
    help = "Attach a file to the last message shown, so that its text is sent from here on; or take one out again."
    label = "attach"
    keys = ("A", "f12")
    rank = 42
    section = Section.ACT
    once_erased = "The words of this ticket were erased; it takes no files."

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Show the files of the branch with a line for another."""
        from tui.screens.files import FilesScreen

        screen.app.push_screen(FilesScreen(screen.files, screen.spawn, sheet))
