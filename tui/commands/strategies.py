"""The command that shows the ways of keeping history side by side."""

from __future__ import annotations

import asyncio
from datetime import UTC
from typing import TYPE_CHECKING

from assistant.plan.plan import Fate
from tui.chat_items import plan_fates
from tui.commands.command import Section, SheetCommand

if TYPE_CHECKING:
    from assistant.plan.plan import Plan, StrategyName
    from tui.desk.sheet import Sheet
    from tui.screens.desk import DeskScreen
    from tui.screens.panels import Panels
    from tui.screens.strategies import Taken


class CompareStrategies(SheetCommand):
    """All strategies for the request that would be sent now."""

    id = "compare_strategies"
    title = "Compare the strategies"
    help = (
        "Show what each way of keeping history would send now, what it would cut or summarise and about what it costs; "
        "take one for the conversation or for this request only."
    )
    label = "compare"
    keys = ("S", "ctrl+s")
    rank = 17
    section = Section.SEND

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Not while an answer is being written, nor before tokens are counted."""
        if screen.desk.busy:
            return screen.desk.busy
        return "" if sheet.plan is not None else "The tokens are still being counted; try again in a moment."

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Compare, then show it."""
        _show(screen, sheet)


def _show(screen: DeskScreen, sheet: Sheet) -> None:
    from tui.comparison import make_comparison
    from tui.screens.curtain import open_screen
    from tui.screens.strategies import StrategiesScreen

    async def read() -> StrategiesScreen | None:
        prepared = sheet.prepared
        if prepared is None:
            return None
        path, question, task = sheet.page.planned_on, sheet.question, sheet.task
        on = screen.now().astimezone(UTC).date()
        comparison = await asyncio.to_thread(make_comparison, screen.services, prepared, path, question, task, on)
        if screen.sheet is not sheet or screen.desk.busy:
            return None
        return StrategiesScreen(comparison, look_at, scroll)

    def look_at(strategy: StrategyName) -> None:
        sheet.look_at(strategy)
        screen.show_plan()
        if (left_out := _last_left_out(sheet.shown_plan)) is not None:
            screen.chat.reveal(left_out)

    def answered(taken: Taken | None) -> None:
        was_elsewhere = sheet.shown_plan is not sheet.plan
        sheet.look_at(None)
        screen.show_plan()
        if screen.sheet is not sheet:
            return
        if was_elsewhere:
            _back_to_the_cursor(screen, sheet)
        if taken is None:
            return
        if taken.once:
            screen.desk.choose_once(taken.strategy)
        else:
            screen.desk.choose("strategy", taken.strategy.value)

    def scroll(pages: int) -> None:
        (screen.chat.scroll_page_down if pages > 0 else screen.chat.scroll_page_up)(animate=False)

    open_screen(screen.app, screen.spawn, "Comparing the strategies", read, answered)


def _last_left_out(plan: Plan | None) -> int | None:
    """The last message that is not sent as it is; what follows it is."""
    fates = plan_fates(plan)
    return next((node_id for node_id in reversed(fates) if fates[node_id] is not Fate.SENT), None)


def _back_to_the_cursor(screen: DeskScreen, sheet: Sheet) -> None:
    node = screen.cursor_node
    if node is None or node.id == sheet.page.path[-1].id:
        screen.chat.follow()
    else:
        screen.chat.reveal(node.id)
