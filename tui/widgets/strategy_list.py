"""The strategies as rows of a table: a digit, whether it is on, and its figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from rich.cells import cell_len
from textual.content import Content
from textual.message import Message

from tui.comparison import Comparison, Row
from tui.comparison_text import cells, heads, least_wanted
from tui.tones import GOOD, MUTED, WARNING
from tui.widgets.row_list import RowList
from tui.widgets.ticket_list import OPENED

DIGITS: Final = "1234"
"""The keys of the rows."""

_NAME_CELLS: Final = 13
_GAPS: Final = (4, 3, 2)


@dataclass(frozen=True, slots=True)
class _Columns:
    """How the figures stand.

    Attributes:
        heads: of all columns; the last column holds words.
        sizes: the cells of each.
        kept: the columns that are shown.
        gap: the cells before each.
    """

    heads: Sequence[str]
    sizes: Sequence[int]
    kept: Sequence[int]
    gap: int

    @property
    def cells(self) -> int:
        """How wide a row is, with its name."""
        return _NAME_CELLS + sum(self.gap + self.sizes[at] for at in self.kept)

    def aligned(self, figures: Sequence[str]) -> str:
        """Figures to the right, words to the left."""
        shown = (
            figures[at] if at == len(self.sizes) - 1 else " " * (self.sizes[at] - cell_len(figures[at])) + figures[at]
            for at in self.kept
        )
        return "".join(" " * self.gap + figure for figure in shown)


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
        columns = self._columns(width - 1)
        return Content.styled(" " * (_NAME_CELLS + 1) + columns.aligned(columns.heads), MUTED).truncate(width)

    def row_content(self, index: int, width: int) -> Content:
        """The digit, whether it is on, its name and its figures."""
        row = self.rows[index]
        sign = OPENED if row.strategy is self._comparison.chosen else " "
        tone = "" if row.plan.may_send else WARNING
        return Content.assemble(
            (f"{DIGITS[index]} ", MUTED), (f"{sign} ", GOOD), f"{row.strategy.value:<{_NAME_CELLS - 4}}",
            (self._columns(width).aligned(self._figures[index]), tone),
        ).truncate(width)  # fmt: skip

    def highlighted(self, index: int) -> None:
        """Post where the cursor is."""
        self.post_message(self.Highlighted(self.rows[index]))

    def chosen(self, index: int) -> None:
        """Post what was chosen."""
        self.post_message(self.Chosen(self.rows[index]))

    def _columns(self, width: int) -> _Columns:
        """The columns with the widest heads and gaps that fit; where all do not, the least wanted are left out."""
        for narrow in (False, True):
            names = heads(self._comparison, narrow=narrow)
            sizes = [max(map(cell_len, column)) for column in zip(names, *self._figures, strict=True)]
            for gap in _GAPS:
                columns = _Columns(names, sizes, range(len(names)), gap)
                if columns.cells <= width:
                    return columns
        for gone in accumulate(([at] for at in least_wanted(self._comparison)), initial=[]):
            kept = [at for at in range(len(names)) if at not in gone]
            columns = _Columns(names, sizes, kept, 1)
            if columns.cells <= width:
                break
        return columns
