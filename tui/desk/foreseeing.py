"""Finding out, beside the screen, whether the summary that the painted plan needs would be used."""

import asyncio
from collections.abc import Callable

from textual.message import Message

from assistant.plan.plan import Coverage
from assistant.plan.planner import PreparedPath
from assistant.turn.foreseeing import Foreseen, foresee
from assistant.turn.summarising import SUMMARISE_HISTORY
from tui.desk.desk import Desk
from tui.desk.messages import Planned
from tui.desk.sheet import Sheet
from tui.step import Spawn


class Foreseeing:
    """Asks once for each summary; it touches no widget."""

    def __init__(self, desk: Desk, post: Callable[[Message], object], spawn: Spawn) -> None:
        self._desk = desk
        self._post = post
        self._spawn = spawn

    def look(self) -> None:
        """Let it be found out, if it is not known yet."""
        sheet = self._desk.sheet
        coverage, prepared = (sheet.unforeseen, sheet.prepared) if sheet is not None else (None, None)
        if sheet is not None and coverage is not None and prepared is not None:
            sheet.foresee(coverage, Foreseen())
            self._spawn(self._find_out(sheet, coverage, prepared))

    async def _find_out(self, sheet: Sheet, coverage: Coverage, prepared: PreparedPath) -> None:
        services = self._desk.services

        def known() -> Foreseen:
            task, _ = services.tasks.usable(SUMMARISE_HISTORY)
            return foresee(coverage, prepared.settings, task, services.provider, prepared.counter)

        foreseen = await asyncio.to_thread(known)
        # Another path has been prepared since where it is not this one any more.
        if sheet.prepared is prepared:
            sheet.foresee(coverage, foreseen)
            if sheet.refusal and self._desk.sheet is sheet:
                self._post(Planned())
