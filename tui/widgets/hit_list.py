"""What a search found, one line each: where it stands, who wrote it, and the match with the words around it."""

from collections.abc import Callable, Sequence
from datetime import datetime

from rich.cells import cell_len
from textual.content import Content
from textual.message import Message

from storage.search.hit import Hit
from tui.display import one_line
from tui.matches import pieces, when
from tui.signs import LABEL
from tui.tones import ACCENT, GOOD, LEAD, MUTED
from tui.widgets.row_list import RowList
from tui.widgets.ticket_list import OPENED

MATCH = f"bold underline {ACCENT}"


class HitList(RowList):
    """Shows hits; those of the open ticket are marked."""

    class Highlighted(Message):
        """The cursor came to this hit."""

        def __init__(self, hit: Hit) -> None:
            super().__init__()
            self.hit = hit

    class Chosen(Message):
        """The agent chose this hit by Enter or a click."""

        def __init__(self, hit: Hit) -> None:
            super().__init__()
            self.hit = hit

    def __init__(self, opened: str | None, now: Callable[[], datetime], *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._opened = opened
        self._now = now
        self._hits: Sequence[Hit] = ()

    def show(self, hits: Sequence[Hit]) -> None:
        """Show these hits, in this order, the cursor on the first."""
        self._hits = hits
        self.rows_changed(0)

    @property
    def cursor_hit(self) -> Hit | None:
        """The hit under the cursor, None in an empty list."""
        return self._hits[self.cursor] if self._hits else None

    def row_count(self) -> int:
        """How many hits there are."""
        return len(self._hits)

    def row_content(self, index: int, width: int) -> Content:
        """Whether it is on the open ticket, the ticket's id, the author, the words around the match, and the time."""
        hit = self._hits[index]
        sign = OPENED if hit.ticket_id == self._opened else " "
        wide = width >= 70
        time = when(hit, self._now()) if wide else ""
        name = one_line(hit.ticket_id, 12)
        author = one_line(hit.author, 14) if wide else ""
        left = Content.assemble((f"{sign} ", GOOD), f"{name:<10} ", (f"{author:<14} " if wide else "", LEAD))
        room = width - left.cell_length - (len(time) + 1 if time else 0)
        words = marked(hit, room).truncate(max(0, room), ellipsis=True)
        gap = max(0, width - left.cell_length - words.cell_length - len(time))
        return Content.assemble(left, words, " " * gap, (time, MUTED)).truncate(width)

    def highlighted(self, index: int) -> None:
        """Post where the cursor is."""
        self.post_message(self.Highlighted(self._hits[index]))

    def chosen(self, index: int) -> None:
        """Post what was chosen."""
        self.post_message(self.Chosen(self._hits[index]))


def marked(hit: Hit, room: int | None = None) -> Content:
    """The snippet with its matches, a label with its sign; what stands before the first match gives way to it."""
    sign = [(f"{LABEL} ", ACCENT)] if hit.is_label else []
    parts = [(text, MATCH if is_match else "") for text, is_match in pieces(hit) if text]
    if room is not None and hit.matches and hit.matches[0][0] > 0:
        (head, _), (match, _) = parts[:2]
        if cell_len(head) + cell_len(match) > room - 2 * len(sign):
            parts[0] = (f"…{head[-room // 3 :].lstrip()}", "")
    return Content.assemble(*sign, *parts)
