"""Commands that find words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.commands.command import Command, Section, SheetCommand

if TYPE_CHECKING:
    from storage.search.hit import Hit
    from tui.desk.sheet import Sheet
    from tui.screens.desk import DeskScreen
    from tui.screens.panels import Panels


class Search(Command):
    """Find words."""

    id = "search"
    title = "Search"
    help = "Find words in your conversations, on all branches, and in the tickets; Enter opens what was found."
    label = "search"
    keys = ("/", "ctrl+f")
    rank = 12
    section = Section.MOVE

    def run(self, screen: DeskScreen) -> None:
        """Ask for the words, and open what is chosen."""
        from tui.screens.search import SearchScreen

        finding, opened = screen.finding, screen.finding.ticket_id

        def chosen(result: tuple[str, Hit | None] | None) -> None:
            finding.typed, hit = result or (finding.typed, None)
            if hit is not None:
                finding.query = finding.typed
                screen.open_hit(hit)

        screen.app.push_screen(
            SearchScreen(
                lambda query: finding.find(query, opened),
                spawn=screen.spawn,
                query=finding.typed,
                opened=opened,
                now=screen.now,
            ),
            chosen,
        )


class Step(SheetCommand):
    """A step through what was found."""

    section = Section.MOVE
    once_erased = "The words of this ticket were erased; nothing is left to find."

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only after a search."""
        return "" if screen.finding.query else "Search for something first, with /."


class NextMatch(Step):
    """To the next match."""

    id = "next_match"
    title = "Next match"
    help = "Go to the next message of this conversation that holds what you searched for."
    label = "next match"
    keys = ("n",)

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Go there."""
        screen.spawn(screen.finding.step(1, screen.outline.cursor_id))


class PreviousMatch(Step):
    """To the match before."""

    id = "previous_match"
    title = "Previous match"
    help = "Go to the previous message of this conversation that holds what you searched for."
    label = "previous match"
    keys = ("N",)

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Go there."""
        screen.spawn(screen.finding.step(-1, screen.outline.cursor_id))
