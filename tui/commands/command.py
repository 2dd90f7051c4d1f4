"""A command: everything about one thing that a person can ask the app for, in one class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from tui.desk.sheet import ERASED

if TYPE_CHECKING:
    from tui.desk.sheet import Sheet
    from tui.screens.desk import DeskScreen
    from tui.screens.panels import Panels


class Section(StrEnum):
    """Where a command stands in the help; its value is the heading."""

    MOVE = "Move in the conversation"
    ACT = "Act on a message"
    SEND = "Choose what is sent"
    TICKETS = "Tickets and panels"
    APP = "The app"


class Command(ABC):
    """One thing that a person can ask for.

    Its keys work wherever they are not typed as text, so a printable one works while reading (tickets, conversation,
    chat) and a function key in the composer as well.

    Attributes:
        id: what the configuration's [keys] and a binding call it.
        title: an imperative, for the help and the palette.
        help: one sentence.
        label: one or two words, for the key bar.
        keys: default keys in Textual's names, the one to show first.
        rank: how much it wants to be in the key bar; 0 gives way to all others.
        section: where it stands in the help.
        is_quiet: where it cannot be done, its keys do nothing, without a word.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    help: ClassVar[str]
    label: ClassVar[str]
    keys: ClassVar[tuple[str, ...]]
    rank: ClassVar[int] = 0
    section: ClassVar[Section]
    is_quiet: ClassVar[bool] = False

    def unavailable(self, screen: Panels) -> str:
        """Why it cannot be done now, as a sentence; empty when it can."""
        del screen
        return ""

    @abstractmethod
    def run(self, screen: DeskScreen) -> None:
        """Do it; what takes long is handed to a worker."""


class SheetCommand(Command):
    """A command that needs an open ticket.

    Attributes:
        once_erased: why it cannot be done once the words of the ticket are erased, a sentence; empty where it can.
    """

    once_erased: ClassVar[str] = ERASED

    def unavailable(self, screen: Panels) -> str:
        """Say so where none is open, or an erased one."""
        if screen.sheet is None:
            return "Open a ticket first."
        return (self.once_erased if screen.sheet.page.ticket.erased else "") or self.refusal(screen, screen.sheet)

    def run(self, screen: DeskScreen) -> None:
        """Do it with the open ticket."""
        if screen.sheet is not None:
            self.act(screen, screen.sheet)

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Why it cannot be done with this ticket now; empty when it can."""
        del screen, sheet
        return ""

    @abstractmethod
    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Do it with this ticket."""
