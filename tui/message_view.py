"""A message of the chat that remembers its lines, and grows without laying out again what is finished."""

from dataclasses import replace
from datetime import datetime

from textual.content import Content

from tui.answers import contract_field
from tui.chat_items import ChatItem
from tui.flow import Block, flow
from tui.markdown import finished_length, markdown_blocks
from tui.message_lines import body_lines, message_lines
from tui.notes.lines import note_lines


class MessageView:
    """One message and its lines at the width that was asked for last."""

    def __init__(self, item: ChatItem) -> None:
        self.item = item
        self._note = ""
        self._width = 0
        self._body: list[Content] | None = None
        self._lines: list[Content] | None = None
        self._growing = _growing(item)
        self._notes_open = False
        self._words = 0

    @property
    def words(self) -> int:
        """How many of the lines that were asked for last stand above the notes."""
        return self._words

    @property
    def note(self) -> str:
        """What a running answer waits for."""
        return self._note

    @note.setter
    def note(self, text: str) -> None:
        self._note = text
        self._lines = None

    def toggle_notes(self) -> None:
        """Open or fold the notes below the message."""
        self._notes_open = not self._notes_open
        self._lines = None

    def update(self, item: ChatItem) -> None:
        """Take another state of the same message; its words are laid out again only where they changed."""
        if item == self.item:
            return
        same_words = (item.text, item.ticket, item.notes_sent, item.breaks_contract) == (
            self.item.text,
            self.item.ticket,
            self.item.notes_sent,
            self.item.breaks_contract,
        )
        if not same_words or item.streaming != self.item.streaming:
            self._body = None
            self._growing = _growing(item)
            self._note = ""
        self.item = item
        self._lines = None

    def grow(self, text: str) -> None:
        """Add a piece to the words."""
        self.item = replace(self.item, text=self.item.text + text)
        self._note, self._body, self._lines = "", None, None
        if self._growing is not None:
            self._growing.add(text)

    def lines(self, width: int, now: datetime, notes_key: str = "") -> list[Content]:
        """The lines at this width; `notes_key` is the key that opens notes."""
        if width != self._width:
            self._width, self._body, self._lines = width, None, None
        if self._lines is None:
            if self._body is None:
                self._body = self._growing.lines(width) if self._growing else body_lines(self.item, width, now)
            self._lines = message_lines(self.item, width, now, body=self._body, note=self._note)
            notes = note_lines(self.item.notes, width, is_open=self._notes_open, key=notes_key)
            self._words = len(self._lines) - 1
            # Between the words and the blank line that ends the message.
            self._lines[-1:-1] = [Content(), *notes] if notes and self._notes_open else notes
        return self._lines


def _growing(item: ChatItem) -> "_Growing | None":
    """What lays out an answer that is being written; one in fields is laid out whole, as any field may grow."""
    return _Growing(item.text) if item.streaming and contract_field(item.node) is None else None


class _Growing:
    """Markdown that is still being written: finished blocks are laid out once, only the last one anew."""

    def __init__(self, text: str) -> None:
        self._open = text
        self._done: list[Block] = []
        self._laid: list[Content] = []
        self._laid_blocks = 0
        self._width = 0

    def add(self, text: str) -> None:
        self._open += text

    def lines(self, width: int) -> list[Content]:
        if length := finished_length(self._open):
            self._done.extend(markdown_blocks(self._open[:length]))
            self._open = self._open[length:]
        if width != self._width:
            self._width, self._laid, self._laid_blocks = width, [], 0
        self._lay(self._done[self._laid_blocks :], self._laid)
        self._laid_blocks = len(self._done)
        lines = list(self._laid)
        self._lay(markdown_blocks(self._open), lines)
        return lines

    def _lay(self, blocks: list[Block], onto: list[Content]) -> None:
        if blocks and blocks[0].gap is not None and onto:
            onto.append(Content())
        onto.extend(flow(blocks, self._width))
