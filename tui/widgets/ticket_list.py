"""The tickets of the desk as one agent sees them, one line each."""

from collections.abc import Collection, Sequence
from typing import Final

from textual.content import Content
from textual.message import Message

from storage.tickets import TicketSummary
from tui.display import one_line
from tui.tones import GOOD, MUTED
from tui.widgets.row_list import RowList

OPENED: Final = "●"
CLOSED: Final = "✓"
ERASED: Final = "×"  # noqa: RUF001 - a sign of its own, never read as a letter
RUNNING: Final = "…"
UNREAD: Final = "◆"
"""An answer ended while another ticket was open."""


class TicketList(RowList):
    """Shows tickets; the opened one is marked."""

    class Highlighted(Message):
        """The cursor came to this ticket."""

        def __init__(self, ticket_id: str) -> None:
            super().__init__()
            self.ticket_id = ticket_id

        def can_replace(self, message: Message) -> bool:
            """Only the last of a burst counts."""
            return isinstance(message, TicketList.Highlighted)

    class Chosen(Message):
        """The agent chose this ticket by Enter or a click."""

        def __init__(self, ticket_id: str) -> None:
            super().__init__()
            self.ticket_id = ticket_id

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002 - Textual's name
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._shown: Sequence[TicketSummary] = ()
        self._opened: str | None = None
        self._unread: frozenset[str] = frozenset()

    def show(
        self, tickets: Sequence[TicketSummary], opened: str | None = None, unread: Collection[str] = frozenset()
    ) -> None:
        """Show these tickets, in this order; the cursor stays on its ticket, and starts on the opened one."""
        before = self.cursor_id if self._opened == opened else opened
        self._shown, self._opened, self._unread = tickets, opened, frozenset(unread)
        wanted = before or opened
        self.rows_changed(next((at for at, ticket in enumerate(tickets) if ticket.id == wanted), 0))

    @property
    def cursor_id(self) -> str | None:
        """The ticket under the cursor, None in an empty list."""
        return self._shown[self.cursor].id if self._shown else None

    @property
    def shown(self) -> Sequence[TicketSummary]:
        """The tickets, in the order of the rows."""
        return self._shown

    def cursor_to(self, ticket_id: str) -> None:
        """Put the cursor on a ticket; one that is not shown changes nothing."""
        for at, ticket in enumerate(self._shown):
            if ticket.id == ticket_id:
                self.put_cursor(at)

    def row_count(self) -> int:
        """How many tickets there are."""
        return len(self._shown)

    def row_content(self, index: int, width: int) -> Content:
        """Marks, id and subject; at the right the language and how many nodes the conversation has."""
        ticket = self._shown[index]
        closed = ticket.erased or ticket.closed
        opened = ticket.id == self._opened
        sign = OPENED if opened else ERASED if ticket.erased else CLOSED if closed else " "
        language = one_line(ticket.language, 2)
        answer = f"{RUNNING} " if ticket.running else f"{UNREAD} " if ticket.id in self._unread else ""
        right = f"{answer}{language:>2} {ticket.nodes or '':>3}" if width >= 24 else answer
        name = one_line(ticket.id, max(4, width // 3))
        room = width - 2 - len(right) - 1
        title = one_line(f"{name} {ticket.subject}", max(0, room))
        style = MUTED if closed else "bold" if opened else ""
        left = Content.assemble((f"{sign} ", GOOD if opened else MUTED), (title, style))
        gap = max(1, width - left.cell_length - len(right))
        return Content.assemble(left, " " * gap, (right, MUTED)).truncate(width)

    def highlighted(self, index: int) -> None:
        """Post where the cursor is."""
        self.post_message(self.Highlighted(self._shown[index].id))

    def chosen(self, index: int) -> None:
        """Post what was chosen."""
        self.post_message(self.Chosen(self._shown[index].id))
