"""One note below a message."""

from dataclasses import dataclass

from tui.tones import MUTED


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
