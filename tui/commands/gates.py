"""Commands on an answer that failed a gate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.gates.record import is_repaired, results_on, stopped_by
from assistant.gates.results import GateResult, Outcome
from storage.interactions import Interaction, Node
from tui.commands.command import Section, SheetCommand
from tui.commands.keys import shown_key
from tui.gate_text import stop_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tui.desk.sheet import Sheet
    from tui.screens.desk import DeskScreen
    from tui.screens.panels import Panels

_NOTHING = "No check of this answer failed."
_OVERRIDDEN = (
    "You use this answer although a check failed; the reason stands below it. To change it, write what to change."
)


def hanging_at_cursor(screen: Panels, sheet: Sheet) -> Sequence[Interaction]:
    """What hangs on the message under the cursor, where the shown path holds it."""
    node = screen.cursor_node
    return sheet.page.hanging.get(node.id, ()) if node is not None else ()


def stopped_at_cursor(screen: Panels, sheet: Sheet) -> tuple[GateResult, ...]:
    """The failed rules that stop the answer under the cursor."""
    return stopped_by(hanging_at_cursor(screen, sheet))


def gate_stop(screen: Panels, sheet: Sheet, node: Node) -> str:
    """Why a message cannot be copied: a check of it failed; "" where none did, or where that is not known yet."""
    failed = stopped_by(sheet.page.hanging.get(node.id, ()))
    return stop_sentence(failed, shown_key(screen.key_map.keys["override"][0]))


def _why_not(hanging: Sequence[Interaction]) -> str:
    """Why there is nothing to do about an answer that no check stops."""
    return _OVERRIDDEN if any(result.result is Outcome.FAIL for result in results_on(hanging)) else _NOTHING


class OverrideGates(SheetCommand):
    """Use an answer although a gate failed."""

    id = "override"
    title = "Use it all the same"
    help = "Let an answer that failed a check be copied after all; asks for the reason and keeps it."
    label = "use it all the same"
    keys = ("O",)
    rank = 47
    section = Section.ACT

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only where a check failed."""
        hanging = hanging_at_cursor(screen, sheet)
        return "" if stopped_by(hanging) else _why_not(hanging)

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Ask for the reason, then keep it."""
        from tui.screens.override import OverrideScreen

        node, conversation = screen.cursor_node, sheet.page.conversation

        async def keep(reason: str) -> None:
            if node is not None:
                await screen.judging.override(conversation, node.id, reason.strip())

        screen.app.push_screen(OverrideScreen(stopped_at_cursor(screen, sheet), keep, screen.spawn))


class RepairAnswer(SheetCommand):
    """Ask for an answer without what failed."""

    id = "repair"
    title = "Repair the answer"
    help = "Ask once more, naming the checks that failed below your message; the failed answer stays as a branch."
    label = "repair"
    keys = ("F",)
    rank = 48
    section = Section.ACT

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Once for each answer that failed a check, while no other is being written."""
        if screen.desk.busy:
            return screen.desk.busy
        hanging = hanging_at_cursor(screen, sheet)
        if not stopped_by(hanging):
            return _why_not(hanging)
        if screen.cursor_node is not None and screen.cursor_node.id in sheet.page.stale:
            return "The customer has written since this answer; write what to change, and the new messages go along."
        if is_repaired(hanging):
            return "A repair of this answer was asked for already; write what to change, or ask again."
        return ""

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Send the message with what failed."""
        if (node := screen.cursor_node) is not None:
            screen.spawn(screen.judging.repair(sheet.page.conversation, node, stopped_at_cursor(screen, sheet)))
