"""The tasks that can be chosen, one line each: its digit, its title, whom its answers are for, and what it does."""

from collections.abc import Sequence
from typing import TypeAlias

from textual.content import Content
from textual.message import Message

from assistant.tasks.registry import BrokenTask
from assistant.tasks.task import Task
from tui.display import one_line
from tui.tones import ACCENT, GOOD, MUTED, WARNING
from tui.widgets.row_list import RowList
from tui.widgets.ticket_list import OPENED

Listed: TypeAlias = Task | BrokenTask

DIGITS = "123456789"
"""The keys of the first rows."""

_TITLE_CELLS = 26
_LEAST_CELLS = 40


class TaskList(RowList):
    """Shows tasks; the one that is on is marked, and those that cannot be used say so."""

    class Highlighted(Message):
        """The cursor came to this task."""

        def __init__(self, task: Listed) -> None:
            super().__init__()
            self.task = task

    class Chosen(Message):
        """The agent chose this task by Enter or a click."""

        def __init__(self, task: Listed) -> None:
            super().__init__()
            self.task = task

    def __init__(self, tasks: Sequence[Listed], on: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._tasks = tasks
        self._on = on
        self.rows_changed(next((row for row, task in enumerate(tasks) if task.name == on), 0))

    def row_count(self) -> int:
        """How many tasks there are."""
        return len(self._tasks)

    def row_content(self, index: int, width: int) -> Content:
        """The digit, whether it is on, its title, whom it is for, and what it does."""
        task = self._tasks[index]
        digit = DIGITS[index] if index < len(DIGITS) else " "
        sign = OPENED if task.name == self._on else " "
        if isinstance(task, BrokenTask):
            title, audience, about, tone = task.name, "cannot be used", "", WARNING
        else:
            title, about = task.title, task.about
            audience, tone = ("internal", ACCENT) if task.is_internal else ("customer", MUTED)
        left = Content.assemble(
            (f"{digit} ", MUTED), (f"{sign} ", GOOD), f"{one_line(title, _TITLE_CELLS):<{_TITLE_CELLS}} ",
            (f"{audience:<9}", tone),
        )  # fmt: skip
        room = width - left.cell_length - 2
        words = Content.styled(f"  {one_line(about, room)}" if room >= _LEAST_CELLS and about else "", MUTED)
        return Content.assemble(left, words).truncate(width, ellipsis=True)

    def highlighted(self, index: int) -> None:
        """Post where the cursor is."""
        self.post_message(self.Highlighted(self._tasks[index]))

    def chosen(self, index: int) -> None:
        """Post what was chosen."""
        self.post_message(self.Chosen(self._tasks[index]))
