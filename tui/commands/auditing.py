"""Commands that show what the record proves."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from storage.interactions import Status
from storage.kinds import ASSISTANT_RESPONSE
from tui.commands.command import Section, SheetCommand

if TYPE_CHECKING:
    from storage.interactions import Node
    from tui.desk.sheet import Sheet
    from tui.screens.desk import DeskScreen
    from tui.screens.panels import Panels


class ShowSent(SheetCommand):
    """What went out for an answer."""

    id = "show_sent"
    title = "What was sent"
    help = "Show the exact bytes sent for the answer under the cursor, where each part came from, and the response."
    label = "what was sent"
    keys = ("p",)
    section = Section.ACT
    once_erased = ""

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only for an answer."""
        node = screen.cursor_node
        if node is None or node.kind != ASSISTANT_RESPONSE.name:
            return "Put the cursor on an answer to see what was sent for it."
        return "Wait until the answer is written." if node.status is Status.STREAMING else ""

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Read it, then show it."""
        if (node := screen.cursor_node) is not None:
            _show(screen, node)


def _show(screen: DeskScreen, node: Node) -> None:
    from assistant.audit.known_texts import system_messages, tasks_here
    from assistant.audit.tracing import trace_answer
    from tui.screens.curtain import open_screen
    from tui.screens.sent import SentScreen

    services = screen.services

    def trace() -> SentScreen | None:
        system_of = system_messages(tasks_here(services.tasks.folders), services.store)
        found = trace_answer(services.store, node.conversation_id, node.id, system_of)
        return SentScreen(node.id, found, services.prices.read().list) if found else None

    async def read() -> SentScreen | None:
        sent = await asyncio.to_thread(trace)
        if sent is None:
            screen.app.notify("Nothing was sent for this answer: no model was asked for it here.")
        return sent

    open_screen(screen.app, screen.spawn, "Reading what was sent", read)
