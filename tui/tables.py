"""Tables in text: each cell wraps inside its own column, whatever the width."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from textual.content import Content

from tui.flow import Block, flow
from tui.tones import FAINT

_WALL: Final = " │ "
_WORD_CELLS: Final = 10
"""Longer words may be broken, so that their column can be narrower."""

_FIELD_INDENT: Final = "  "


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of equally many cells, the first the heads; a cell holds one line each, without tabs."""

    rows: tuple[tuple[Content, ...], ...]

    def wrap(self, width: int) -> list[Content]:
        """Return the lines, each at most `width` cells: columns where each can hold its words, else a field a line."""
        widths = self._widths(width - len(_WALL) * (len(self.rows[0]) - 1))
        return self._fields(width) if widths is None else self._columns(widths)

    def _widths(self, room: int) -> list[int] | None:
        """The cells of each column, at most `room` together; None where some could not even hold their words.

        A column that is narrower than the others keeps its width, the wide ones share what is left.
        """
        columns = tuple(zip(*self.rows, strict=True))
        whole = [max(cell.cell_length for cell in column) for column in columns]
        least = [min(max(map(_longest_word, column)), _WORD_CELLS) for column in columns]
        if sum(least) > room:
            return None
        wanted, level = least, 0
        while wanted != whole:
            level += 1
            wider = [min(most, max(fewest, level)) for most, fewest in zip(whole, least, strict=True)]
            if sum(wider) > room:
                break
            wanted = wider
        widths, left = [], room - sum(wanted)
        for width, most in zip(wanted, whole, strict=True):
            widths.append(width + (left > 0 and width < most))
            left -= widths[-1] - width
        return widths

    def _columns(self, widths: Sequence[int]) -> list[Content]:
        """Cells side by side; a fainter rule tells rows apart where their first cells do not."""
        heads, *rows = [list(_row(row, widths)) for row in self.rows]
        firsts = [row[0].cell_length for row in self.rows[1:]]
        is_ruled = any(len(row) > 1 for row in rows) and any(not 0 < first <= widths[0] for first in firsts)
        lines = [*heads, _rule("─", widths)]
        for at, row in enumerate(rows):
            if is_ruled and at:
                lines.append(_rule("┄", widths))
            lines.extend(row)
        return lines

    def _fields(self, width: int) -> list[Content]:
        """Each cell on a line of its own, after the head of its column; a rule tells the rows apart."""
        heads, *rows = self.rows
        lines = [] if rows else flow((Block(head) for head in heads), width)
        for at, row in enumerate(rows):
            if at:
                lines.append(Content.styled("┄" * width, FAINT))
            fields = (
                Content.assemble(head, ": ", cell) if head else cell for head, cell in zip(heads, row, strict=True)
            )
            lines.extend(flow((Block(field, "", _FIELD_INDENT) for field in fields), width))
        return lines


def _longest_word(cell: Content) -> int:
    return max((word.cell_length for word in cell.split(" ")), default=0)


def _row(row: Sequence[Content], widths: Sequence[int]) -> Iterator[Content]:
    """The lines of one row."""
    cells = (cell.wrap(width) if cell.cell_length > width else [cell] for cell, width in zip(row, widths, strict=True))
    wall = Content.styled(_WALL, FAINT)
    for line in zip_longest(*cells, fillvalue=Content()):
        yield wall.join(part.pad_right(width - part.cell_length) for part, width in zip(line, widths, strict=True))


def _rule(dash: str, widths: Sequence[int]) -> Content:
    return Content.styled(f"{dash}┼{dash}".join(dash * width for width in widths), FAINT)
