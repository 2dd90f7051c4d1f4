"""Tables for spreadsheets: UTF-8 with its mark, commas, and no cell that a spreadsheet would take for a formula."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from tui.display import display_safe

_MARK: Final = "\ufeff"
"""Without it spreadsheets take another encoding for granted."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""How a cell begins that a spreadsheet would calculate; the last four are wide forms of the first."""


def csv_text(head: Sequence[str], rows: Iterable[Sequence[str | int]]) -> str:
    """Return a table as one text with its lines ended by CR LF; foreign text in it is made safe."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows([cell if isinstance(cell, int) else safe_cell(cell) for cell in row] for row in rows)
    return _MARK + out.getvalue()


def safe_cell(text: str) -> str:
    """Return a text that a spreadsheet shows as it is: an apostrophe goes before what it would calculate."""
    shown = display_safe(text, newlines=False)
    begins = (text.lstrip(" ")[:1], shown.lstrip(" ")[:1])
    return f"'{shown}" if any(sign in _FORMULA for sign in begins if sign) else shown
