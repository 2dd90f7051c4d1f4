"""Asks once more before an answer is copied that does not know all that the customer wrote."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from storage.tickets import TicketMessage
from tui.display import display_safe, local_time, one_line
from tui.signs import STALE
from tui.tones import MUTED, WARNING

_NAMES: Final = 28


class StaleScreen(ModalScreen[bool]):
    """Returns whether the answer is to be copied all the same; shows what the customer has written since."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,y,Y,C", "dismiss(True)", "Copy it", show=False),
        Binding("escape,q", "dismiss(False)", "Leave it", show=False),
        Binding("j,down", "scroll(1)", "Down", show=False),
        Binding("k,up", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self, unseen: Sequence[TicketMessage], now: datetime) -> None:
        super().__init__()
        self._unseen = unseen
        self._now = now

    def compose(self) -> ComposeResult:
        """What the answer does not know."""
        with Vertical(id="stale") as box:
            box.border_title = Content(f"{STALE} Stale answer")
            box.border_subtitle = Content("Enter copies it all the same, Esc leaves it")
            yield Static(Content.styled("The customer has written since, and this answer does not know it:", WARNING))
            with VerticalScroll(can_focus=False):
                for message in self._unseen:
                    yield Static(Content.styled(" · ".join(_head(message, self._now)), MUTED), classes="head")
                    yield Static(Content(display_safe(message.text).strip("\n")))

    def action_scroll(self, lines: int) -> None:
        """Scroll in what the customer wrote."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


def _head(message: TicketMessage, now: datetime) -> Iterable[str]:
    yield one_line(message.author, _NAMES) or message.role.value
    if message.created_at is not None:
        yield local_time(message.created_at, now)
