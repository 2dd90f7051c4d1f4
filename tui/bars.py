"""Small plots of blocks: columns over time and bars beside names, an eighth of a cell exact."""

from collections.abc import Sequence
from typing import Final

from textual.content import Content

from tui.tones import FAINT, LEAD, MUTED

_COLUMN: Final = " ▁▂▃▄▅▆▇█"
_BAR: Final = " ▏▎▍▌▋▊▉█"
_WIDEST: Final = 8


def columns(amounts: Sequence[float], labels: Sequence[str], top: str, width: int, height: int) -> list[Content]:
    """Draw amounts as columns from left to right, over a line with labels.

    Args:
        amounts: none below 0; where there are more than cells, neighbours are added up.
        labels: one for each amount; the first, the last and, with room, the middle one are written.
        top: what the highest column amounts to, written beside it.
        width: cells of each line.
        height: lines of the columns alone; two more are drawn below them.
    """
    left = len(top) + 2
    room = max(1, width - left - 1)
    amounts, labels = _joined(amounts, labels, room)
    step = max(1, min(_WIDEST, room // max(1, len(amounts))))
    bar = max(1, step - 1) if step > 2 else step
    most = max(amounts, default=0)
    eighths = [_eighths(amount, most, 8 * height) for amount in amounts]
    lines = []
    for row in range(height - 1, -1, -1):
        cells = (_COLUMN[min(8, max(0, filled - 8 * row))] * bar + " " * (step - bar) for filled in eighths)
        name = f"{top} ┤" if row == height - 1 else f"{'':>{len(top)}} │"
        lines.append(Content.assemble((name, MUTED), ("".join(cells), LEAD)))
    lines.append(Content.styled(f"{'0':>{len(top)}} ┼{'─' * (step * len(amounts))}", MUTED))
    lines.append(Content.styled(" " * left + _axis(labels, step), MUTED))
    return lines


def bar(amount: float, most: float, width: int) -> Content:
    """Draw one amount as a bar of at most `width` cells, in proportion to the largest, and fill up with blanks."""
    filled = _eighths(amount, most, 8 * width)
    drawn = "█" * (filled // 8) + (_BAR[filled % 8] if filled % 8 else "")
    return Content.assemble((drawn, LEAD), ("·" * (width - len(drawn)), FAINT))


def _eighths(amount: float, most: float, whole: int) -> int:
    """An amount in eighths of a cell; one at least where it is not nothing."""
    return max(1, round(whole * amount / most)) if amount > 0 and most > 0 else 0


def _joined(amounts: Sequence[float], labels: Sequence[str], room: int) -> tuple[Sequence[float], Sequence[str]]:
    """Add up neighbours until there are no more than cells; each keeps the label of its first."""
    size = -(-len(amounts) // room)
    if size <= 1:
        return amounts, labels
    starts = range(0, len(amounts), size)
    return [sum(amounts[at : at + size]) for at in starts], [labels[at] for at in starts]


def _axis(labels: Sequence[str], step: int) -> str:
    """The first label, the last one where it ends, and the middle one where both leave room."""
    if not labels:
        return ""
    width = step * len(labels)
    first, last = labels[0], labels[-1]
    if len(labels) == 1 or len(first) + 1 + len(last) > width:
        return first
    line = first + last.rjust(width - len(first))
    middle = labels[len(labels) // 2]
    at = step * (len(labels) // 2)
    if len(labels) > 2 and at > len(first) + 1 and at + len(middle) + 1 < width - len(last):
        line = line[:at] + middle + line[at + len(middle) :]
    return line
