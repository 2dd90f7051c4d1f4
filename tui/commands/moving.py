"""Commands that move through the tickets and the conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.commands.command import Command, Section
from tui.desk import moves

if TYPE_CHECKING:
    from storage.interactions import Node
    from tui.screens.desk import DeskScreen
    from tui.screens.panels import Panels


class Move(Command):
    """A command of this section."""

    section = Section.MOVE


class NextRow(Move):
    """Down one row."""

    id = "next_row"
    title = "Next row"
    help = "Go one row down, in the tickets or in the conversation."
    label = "down"
    keys = ("j", "down")

    def run(self, screen: DeskScreen) -> None:
        """Move the cursor."""
        screen.step(1)


class PreviousRow(Move):
    """Up one row."""

    id = "previous_row"
    title = "Previous row"
    help = "Go one row up, in the tickets or in the conversation."
    label = "up"
    keys = ("k", "up")

    def run(self, screen: DeskScreen) -> None:
        """Move the cursor."""
        screen.step(-1)


class Open(Move):
    """Show what the cursor is on."""

    id = "open"
    title = "Open"
    help = "Open the ticket under the cursor, or show the branch under it."
    label = "open"
    keys = ("enter", "o")
    rank = 92

    def unavailable(self, screen: Panels) -> str:
        """Only where the cursor is on something that is not shown."""
        if screen.typing:
            return "Leave the composer first."
        if screen.focused is screen.tickets:
            return "" if screen.tickets.cursor_id else "There are no tickets here."
        node = screen.cursor_node
        shown = node is None or screen.sheet is None or node.id in screen.sheet.page.path_ids
        return "This is shown already." if shown else ""

    def run(self, screen: DeskScreen) -> None:
        """Choose the row."""
        screen.open_cursor()


class ParentNode(Move):
    """To the message above."""

    id = "parent"
    title = "Parent"
    help = "Go to the message that this one answers or follows."
    label = "parent"
    keys = ("h", "left")

    def run(self, screen: DeskScreen) -> None:
        """Move the cursor."""
        screen.go(moves.parent)


class ChildNode(Move):
    """To the message below."""

    id = "child"
    title = "Child"
    help = "Go to what follows this message on the branch that is shown."
    label = "child"
    keys = ("l", "right")

    def run(self, screen: DeskScreen) -> None:
        """Move the cursor."""
        screen.go(moves.child)


class NextSibling(Move):
    """To the next branch."""

    id = "next_sibling"
    title = "Next sibling"
    help = "Show the next branch that starts at the same place (2/3 goes to 3/3)."
    label = "next branch"
    keys = ("J", "]")
    rank = 40

    def unavailable(self, screen: Panels) -> str:
        """Only where there is one."""
        return "" if sibling(screen, 1) else "There is no later sibling of this message."

    def run(self, screen: DeskScreen) -> None:
        """Move the cursor."""
        screen.go(lambda page, node: page.sibling(node, 1))


class PreviousSibling(Move):
    """To the branch before."""

    id = "previous_sibling"
    title = "Previous sibling"
    help = "Show the previous branch that starts at the same place (2/3 goes to 1/3)."
    label = "previous branch"
    keys = ("K", "[")
    rank = 39

    def unavailable(self, screen: Panels) -> str:
        """Only where there is one."""
        return "" if sibling(screen, -1) else "There is no earlier sibling of this message."

    def run(self, screen: DeskScreen) -> None:
        """Move the cursor."""
        screen.go(lambda page, node: page.sibling(node, -1))


class LastFork(Move):
    """Up to where the conversation forked."""

    id = "last_fork"
    title = "Last fork"
    help = "Go up to the nearest message that has more than one branch below it."
    label = "last fork"
    keys = ("a",)

    def run(self, screen: DeskScreen) -> None:
        """Move the cursor."""
        screen.go(moves.last_fork)


class BranchEnd(Move):
    """Down to the leaf."""

    id = "branch_end"
    title = "End of the branch"
    help = "Go down to the last message of this branch."
    label = "end"
    keys = ("e",)

    def run(self, screen: DeskScreen) -> None:
        """Move the cursor."""
        screen.go(moves.branch_end)


class FirstRow(Move):
    """To the top."""

    id = "first_row"
    title = "First row"
    help = "Go to the first row: the ticket that opens the conversation."
    label = "top"
    keys = ("g", "home")

    def run(self, screen: DeskScreen) -> None:
        """Move the cursor."""
        screen.step_to_end(-1)


class LastRow(Move):
    """To the bottom."""

    id = "last_row"
    title = "Last row"
    help = "Go to the last row."
    label = "bottom"
    keys = ("G", "end")

    def run(self, screen: DeskScreen) -> None:
        """Move the cursor."""
        screen.step_to_end(1)


class Fold(Move):
    """Hide or show what is below."""

    id = "fold"
    title = "Fold or unfold"
    help = "Hide or show everything below this message in the conversation panel."
    label = "fold"
    keys = ("space",)

    def run(self, screen: DeskScreen) -> None:
        """Toggle the fold under the cursor."""
        screen.outline.toggle_fold()


class Back(Move):
    """To the node looked at before."""

    id = "back"
    title = "Back"
    help = "Go back to the message that you looked at before."
    label = "back"
    keys = ("H",)

    def run(self, screen: DeskScreen) -> None:
        """Step back."""
        screen.revisit(-1)


class Forward(Move):
    """To the node looked at after."""

    id = "forward"
    title = "Forward"
    help = "Go forward again after Back."
    label = "forward"
    keys = ("L",)

    def run(self, screen: DeskScreen) -> None:
        """Step forward."""
        screen.revisit(1)


class PageUp(Move):
    """The chat, a page up."""

    id = "page_up"
    title = "Scroll up"
    help = "Scroll the chat one page up."
    label = "scroll up"
    keys = ("pageup",)

    def run(self, screen: DeskScreen) -> None:
        """Scroll."""
        screen.chat.scroll_page_up()


class PageDown(Move):
    """The chat, a page down."""

    id = "page_down"
    title = "Scroll down"
    help = "Scroll the chat one page down."
    label = "scroll down"
    keys = ("pagedown",)

    def run(self, screen: DeskScreen) -> None:
        """Scroll."""
        screen.chat.scroll_page_down()


def sibling(screen: Panels, by: int) -> Node | None:
    """The sibling of the node under the cursor, so many places on."""
    node = screen.cursor_node
    return screen.sheet.page.sibling(node, by) if screen.sheet and node else None
