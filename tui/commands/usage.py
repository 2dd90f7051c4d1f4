"""The command that shows what models took."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tui.commands.command import Command, Section

if TYPE_CHECKING:
    from tui.screens.desk import DeskScreen


class ShowUsage(Command):
    """Tokens and about what they cost."""

    id = "show_usage"
    title = "Usage and price"
    help = "Show the tokens that answers took and about what they cost: this conversation, today, 7 and 30 days."
    label = "usage"
    keys = ("U",)
    section = Section.APP

    def run(self, screen: DeskScreen) -> None:
        """Read it, then show it."""
        _show(screen)


def _show(screen: DeskScreen) -> None:
    from tui.screens.curtain import open_screen
    from tui.screens.usage import UsageScreen
    from tui.usage_report import Calls

    services, sheet, now = screen.services, screen.sheet, screen.now()
    ticket_id = sheet.page.ticket.id if sheet else None
    store, agent = services.store, services.agent

    def calls_so_far() -> Calls:
        return Calls(
            conversation=store.calls(agent, ticket_id=ticket_id) if ticket_id else (),
            month=store.calls(agent, since=Calls.since(now.date(), now.tzinfo)),
        )

    async def read() -> UsageScreen:
        calls, prices = await asyncio.gather(asyncio.to_thread(calls_so_far), asyncio.to_thread(services.prices.read))
        return UsageScreen(calls, prices, now.date(), now.tzinfo, has_conversation=sheet is not None)

    open_screen(screen.app, screen.spawn, "Reading what models took", read)
