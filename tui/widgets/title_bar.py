"""The line above the chat: which ticket, whose, and what the assistant is asked to do."""

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widgets import Static

from tui.display import one_line
from tui.tones import LEAD, MUTED


class TitleBar(Static):
    """Shows a ticket's id and subject at the left and facts about it at the right, as many as fit."""

    DEFAULT_CSS = """
    TitleBar {
        height: 1;
        padding: 0 1;
        background: $panel;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__("", id=id, markup=False)
        self._shown: tuple[str, str, tuple[str, ...]] = ("", "", ())

    def show(self, ticket_id: str, subject: str, facts: Sequence[str]) -> None:
        """Show these; the facts come in the order in which they may be left out last to first."""
        self._shown = (ticket_id, subject, tuple(facts))
        self._paint()

    def on_resize(self, event: events.Resize) -> None:
        """Choose again how much fits."""
        self._paint()

    def _paint(self) -> None:
        self.update(title_line(*self._shown, self.content_size.width))


def title_line(ticket_id: str, subject: str, facts: Sequence[str], width: int) -> Content:
    """Id, subject and facts in exactly one line of at most `width` cells; the subject keeps at least half of it."""
    name = one_line(ticket_id, width // 3)
    fitting = [one_line(fact, 24) for fact in facts if fact]
    while fitting and cell_len(" · ".join(fitting)) > width // 2:
        fitting.pop()
    right = " · ".join(fitting)
    room = width - cell_len(name) - cell_len(right) - 4
    middle = one_line(subject, max(0, room))
    gap = " " * max(0, width - cell_len(name) - cell_len(middle) - cell_len(right) - 2)
    line = Content.assemble((name, f"bold {LEAD}"), "  ", (middle, "bold"), gap, (right, MUTED))
    return line.truncate(max(width, 0))
