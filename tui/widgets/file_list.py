"""The files that are attached to a branch, one line each: its name, its size, how far it has come, what is sent."""

from collections.abc import Mapping, Sequence

from textual.content import Content

from storage.attachments.attachment import Attachment
from tui.attachment_text import state_words
from tui.display import one_line
from tui.signs import FILE
from tui.tones import MUTED, WARNING
from tui.widgets.row_list import RowList

_NAME_CELLS = 28
_SIZE_CELLS = 7


class FileList(RowList):
    """Shows attachments in the order in which they were attached."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._files: Sequence[Attachment] = ()
        self._marks: Mapping[int, str] = {}

    @property
    def chosen_file(self) -> Attachment | None:
        """The attachment under the cursor."""
        return self._files[self.cursor] if self._files else None

    def show(self, files: Sequence[Attachment], marks: Mapping[int, str]) -> None:
        """Show these; `marks` say what the plan does with each interaction that is sent."""
        self._files, self._marks = files, marks
        self.styles.height = min(8, len(files))
        self.rows_changed(min(self.cursor, max(0, len(files) - 1)))

    def row_count(self) -> int:
        """How many files there are."""
        return len(self._files)

    def row_content(self, index: int, width: int) -> Content:
        """Name, size, state, and what is sent."""
        attachment = self._files[index]
        file = attachment.file
        name = one_line(file.name, _NAME_CELLS)
        mark = self._marks.get(attachment.entry_id, "not sent") if attachment.is_sent else ""
        words = " · ".join(filter(None, (state_words(attachment), mark)))
        line = Content.assemble(
            f"{FILE} {name:<{_NAME_CELLS}} ",
            (f"{file.size:>{_SIZE_CELLS}}  ", MUTED),
            (one_line(words, width), WARNING if attachment.reason else ""),
        )
        return line.truncate(width, ellipsis=True)

    def highlighted(self, index: int) -> None:
        """Nothing else depends on the cursor."""

    def chosen(self, index: int) -> None:
        """Nothing is opened."""
