"""The strategies as rows of a table: a digit, whether it is on, and its figures."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from textual.content import Content
from textual.message import Message

from tui.comparison import Comparison, Row
from tui.comparison_text import cells, heads
from tui.tones import GOOD, MUTED, WARNING
from tui.widgets.row_list import RowList
from tui.widgets.ticket_list import OPENED

DIGITS: Final = "1234"
"""The keys of the rows."""

_NAME_CELLS: Final = 13
_GAPS: Final = (4, 3, 2)


class StrategyList(RowList):
    """Shows a comparison; what stands in a strategy's way has a sign."""

    class Highlighted(Message):
        """The cursor came to this strategy."""

        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    class Chosen(Message):
        """The agent chose this strategy by Enter or a click."""

        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    def __init__(self, comparison: Comparison, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._comparison = comparison
        self._figures = [cells(comparison, row) for row in comparison.rows]
        names = [row.strategy for row in comparison.rows]
        self.rows_changed(names.index(comparison.chosen))

    @property
    def rows(self) -> Sequence[Row]:
        """The strategies."""
        return self._comparison.rows

    @property
    def row(self) -> Row:
        """The strategy under the cursor."""
        return self.rows[self.cursor]

    def row_count(self) -> int:
        """How many strategies there are."""
        return len(self.rows)

    def head(self, width: int) -> Content:
        """The heads of the columns, for rows of this width."""
        names, sizes, gap = self._columns(width - 1)
        return Content.styled(" " * (_NAME_CELLS + 1) + _aligned(names, sizes, gap), MUTED).truncate(width)

    def row_content(self, index: int, width: int) -> Content:
        """The digit, whether it is on, its name and its figures."""
        row = self.rows[index]
        _, sizes, gap = self._columns(width)
        sign = OPENED if row.strategy is self._comparison.chosen else " "
        tone = "" if row.plan.may_send else WARNING
        return Content.assemble(
            (f"{DIGITS[index]} ", MUTED), (f"{sign} ", GOOD), f"{row.strategy.value:<{_NAME_CELLS - 4}}",
            (_aligned(self._figures[index], sizes, gap), tone),
        ).truncate(width)  # fmt: skip

    def highlighted(self, index: int) -> None:
        """Post where the cursor is."""
        self.post_message(self.Highlighted(self.rows[index]))

    def chosen(self, index: int) -> None:
        """Post what was chosen."""
        self.post_message(self.Chosen(self.rows[index]))

    def _columns(self, width: int) -> tuple[Sequence[str], Sequence[int], int]:
        """The heads, the cells of each column and of the gaps between: the widest that fit."""
        names: Sequence[str] = ()
        sizes: Sequence[int] = ()
        for narrow in (False, True):
            names = heads(self._comparison, narrow=narrow)
            sizes = [max(map(cell_len, column)) for column in zip(names, *self._figures, strict=True)]
            for gap in _GAPS:
                if _NAME_CELLS + sum(sizes) + gap * len(sizes) <= width:
                    return names, sizes, gap
        return names, sizes, 1


def _aligned(figures: Sequence[str], sizes: Sequence[int], gap: int) -> str:
    """Figures to the right, the last one, which is a word, to the left."""
    *numbers, word = figures
    right = [" " * (gap + size - cell_len(figure)) + figure for figure, size in zip(numbers, sizes, strict=False)]
    return "".join(right) + " " * gap + word
