"""The notes below a message, as lines."""

from collections.abc import Iterable, Sequence
from typing import Final

from textual.content import Content

from tui.display import display_safe, one_line
from tui.flow import Block, flow
from tui.notes.note import Note
from tui.tones import FAINT, MUTED

_TEXT_CELLS: Final = 400
_BAR: Final = "  │ "


def note_lines(notes: Sequence[Note], width: int, *, is_open: bool, key: str = "") -> list[Content]:
    """Return the lines of a message's notes, each at most `width` cells.

    Folded, each note has one line, and the first that holds more names the key that opens them.
    """
    if is_open:
        return flow((block for note in notes for block in _open(note)), width)
    lines = []
    hint = f" · {key} opens" if key else ""
    for note in notes:
        line = Content.styled(f"{note.sign} {one_line(note.line, _TEXT_CELLS)}", note.tone)
        if hint and (note.details or line.cell_length > width):
            line = Content.assemble(line.truncate(max(1, width - len(hint)), ellipsis=True), (hint, FAINT))
            hint = ""
        lines.append(line.truncate(width, ellipsis=True))
    return lines


def _open(note: Note) -> Iterable[Block]:
    yield Block(Content.styled(display_safe(note.line), note.tone), f"{note.sign} ", "  ")
    for detail in note.details:
        yield Block(Content.styled(display_safe(detail), MUTED), _BAR, _BAR)
