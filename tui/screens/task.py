"""Choosing what the assistant is asked to do from here on."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from assistant.tasks.registry import SHIPPED, BrokenTask
from assistant.tasks.task import Task
from tui.display import display_safe
from tui.tones import MUTED, WARNING
from tui.widgets.task_list import DIGITS, Listed, TaskList


class TaskScreen(ModalScreen[Task | None]):
    """Returns the task that was chosen by Enter, its digit or a click; None after Esc.

    Args:
        tasks: those that this agent may choose, and those that cannot be used.
        on: the name of the one that is on.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,D,ctrl+g", "dismiss(None)", "Leave it", show=False),
        Binding("j", "move(1)", "Down", show=False),
        Binding("k", "move(-1)", "Up", show=False),
    ]

    def __init__(self, tasks: Sequence[Listed], on: str) -> None:
        super().__init__()
        self._tasks = tasks
        self._on = on
        self.list = TaskList(tasks, on, id="tasks-listed")
        self.about = Static(id="task-about", markup=False)

    def compose(self) -> ComposeResult:
        """The list, and more of the task under the cursor."""
        with Vertical(id="task") as box:
            box.border_title = Content("What the assistant does from here on")
            box.border_subtitle = Content("Enter or its digit chooses · Esc leaves it")
            yield self.list
            yield self.about

    def on_mount(self) -> None:
        """Put the cursor on the task that is on."""
        self.list.styles.height = len(self._tasks)
        self.list.focus()
        if self._tasks:
            self._show(self._tasks[self.list.cursor])

    def on_key(self, event: events.Key) -> None:
        """Choose by digit."""
        row = DIGITS.find(event.key) if len(event.key) == 1 else -1
        if 0 <= row < len(self._tasks):
            event.stop()
            self.list.put_cursor(row)
            self._choose(self._tasks[row])

    def action_move(self, rows: int) -> None:
        """Move the cursor."""
        self.list.move(rows)

    def on_task_list_highlighted(self, message: TaskList.Highlighted) -> None:
        """Show more of it."""
        self._show(message.task)

    def on_task_list_chosen(self, message: TaskList.Chosen) -> None:
        """Choose it."""
        self._choose(message.task)

    def _choose(self, task: Listed) -> None:
        if isinstance(task, BrokenTask):
            self._show(task)
        else:
            self.dismiss(task)

    def _show(self, task: Listed) -> None:
        self.about.update(task_about(task))


def task_about(task: Listed) -> Content:
    """What a task does, whom it is for and where it comes from; or why it cannot be used."""
    if isinstance(task, BrokenTask):
        return Content.styled(display_safe(task.why), WARNING)
    whom = "internal: never copied as a reply" if task.is_internal else "for the customer"
    facts = [
        whom,
        f"a contract of {_fields(task)}" if task.contract is not None else "",
        f"may use {', '.join(task.tools)}" if task.tools else "",
        f"asks {task.model}" if task.model else "",
        f"version {task.label or task.version}",
        "" if task.source == SHIPPED else "your own",
    ]
    line = " · ".join(display_safe(fact, newlines=False) for fact in facts if fact)
    about = display_safe(task.about, newlines=False) or "It says nothing about itself."
    return Content.assemble(f"{about}\n", (line, MUTED))


def _fields(task: Task) -> str:
    properties = task.contract.get("properties") if task.contract is not None else None
    count = len(properties) if isinstance(properties, dict) else 0
    return "1 field" if count == 1 else f"{count} fields"
