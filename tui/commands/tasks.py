"""Commands about what the assistant is asked to do, and about answers that are no replies."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from assistant.tasks.task import Task
from storage.interactions import Status
from tui.answers import is_internal
from tui.commands.acting import NOTHING_TO_COPY
from tui.commands.command import Section, SheetCommand
from tui.commands.keys import shown_key

if TYPE_CHECKING:
    from tui.desk.sheet import Sheet
    from tui.screens.desk import DeskScreen
    from tui.screens.panels import Panels


class ChooseTask(SheetCommand):
    """Another task from here on."""

    id = "choose_task"
    title = "Choose another task"
    help = "Choose what the assistant does from the last message shown on: draft, shorten, translate, summarise."
    label = "task"
    keys = ("D", "ctrl+g")
    rank = 48
    section = Section.SEND

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Not while an answer is being written."""
        return screen.desk.busy

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Show the tasks, then take over the one that was chosen."""
        _choose(screen, sheet)


def _choose(screen: DeskScreen, sheet: Sheet) -> None:
    from tui.screens.curtain import open_screen
    from tui.screens.task import TaskScreen

    services = screen.services

    async def read() -> TaskScreen:
        listed = await asyncio.to_thread(services.tasks.for_agent, services.agent)
        return TaskScreen(listed, sheet.task.name)

    def answered(task: Task | None) -> None:
        if task is not None and screen.sheet is sheet:
            screen.spawn(screen.desk.choose_task(task))

    open_screen(screen.app, screen.spawn, "Reading the tasks", read, answered)


class CopyInternal(SheetCommand):
    """Copy what is no reply."""

    id = "copy_internal"
    title = "Copy as internal text"
    help = "Copy the answer under the cursor although it is for colleagues and no reply, such as a translation."
    label = "copy internal"
    keys = ("C",)
    rank = 44
    once_erased = NOTHING_TO_COPY
    section = Section.ACT

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only an internal answer; a reply has its own key."""
        node = screen.cursor_node
        if node is None or not is_internal(node):
            copies = shown_key(screen.key_map.keys["copy_answer"][0])
            return f"This is no internal answer, as a translation for a colleague is; {copies} copies replies."
        return "Wait until the answer is written, or stop it with Esc." if node.status is Status.STREAMING else ""

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Copy it."""
        if (node := screen.cursor_node) is not None:
            screen.spawn(screen.copy(lambda path: path[-1:], node.id))
