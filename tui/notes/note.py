"""One note below a message, and its lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from textual.content import Content

from tui.display import display_safe, one_line
from tui.flow import Block, flow
from tui.tones import FAINT, MUTED

_TEXT_CELLS: Final = 400
_BAR: Final = "  │ "


@dataclass(frozen=True, slots=True)
class Note:
    """One fact about a message that is no part of its words; all texts may be foreign.

    Attributes:
        sign: one cell that says what it is about; never the colour alone.
        text: one line, shown whole while it fits.
        tone: a style of `tui.tones`.
        details: paragraphs that are shown once the notes of the message are opened.
        entry_id: the interaction that a plan sends in one form or another; None for all else.
        mark: what the plan does with that, as a clause.
    """

    sign: str
    text: str
    tone: str = MUTED
    details: tuple[str, ...] = ()
    entry_id: int | None = None
    mark: str = ""

    @property
    def line(self) -> str:
        """The text with the mark."""
        return f"{self.text} · {self.mark}" if self.mark else self.text


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
