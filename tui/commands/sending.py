"""Commands that choose what goes into the next request."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from assistant.plan.plan import StrategyName, Verdict
from storage.values import Json
from tui.commands.command import Section, SheetCommand
from tui.desk import choices

if TYPE_CHECKING:
    from assistant.plan.plan import PlanSettings
    from tui.desk.sheet import Sheet
    from tui.screens.desk import DeskScreen
    from tui.screens.panels import Panels


class SendWithoutTicket(SheetCommand):
    """Send although the ticket is left out."""

    id = "send_without_ticket"
    title = "Send without the ticket"
    help = "Send the text in the composer on purpose although the ticket is outside the budget."
    label = "send without it"
    keys = ("x", "f4")
    rank = 65
    section = Section.SEND

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only while the ticket is outside, with something to send."""
        if screen.desk.busy:
            return screen.desk.busy
        if sheet.plan is None or sheet.plan.verdict is not Verdict.TICKET_OUTSIDE:
            return "The ticket is not outside the budget."
        return "" if sheet.may_ask else "Write something to send first."

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Send it."""
        screen.desk.send(without_ticket=True)


class Choice(SheetCommand):
    """A command that changes one setting of the open conversation."""

    section = Section.SEND

    @abstractmethod
    def choice(self, sheet: Sheet) -> tuple[str, Json]:
        """The setting's name and its new value."""

    def told(self, settings: PlanSettings) -> str:
        """What to tell in passing once it is chosen; nothing where the screen shows it at any size."""
        return ""

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Choose it."""
        screen.desk.choose(*self.choice(sheet))
        if text := self.told(sheet.settings):
            screen.app.notify(text, timeout=4)


class KeepTicket(Choice):
    """The strategy that always sends the ticket."""

    id = "keep_ticket"
    title = "Keep the ticket"
    help = "Always send the ticket, and cut older turns instead (strategy select)."
    label = "keep the ticket"
    keys = ("t", "f2")
    rank = 20

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only while another strategy is chosen."""
        kept = sheet.settings.strategy is StrategyName.SELECT and sheet.once is None
        return "The ticket is kept already (strategy select)." if kept else ""

    def choice(self, sheet: Sheet) -> tuple[str, Json]:
        """Select."""
        return "strategy", StrategyName.SELECT.value


class Summarise(Choice):
    """The strategy that sends a summary instead of the first turns."""

    id = "summarise"
    title = "Summarise the first turns"
    help = "Send a summary instead of the first turns once they do not fit, and always the ticket (strategy summarise)."
    label = "summarise"
    keys = ("M", "f11")
    rank = 19

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only while another strategy is chosen."""
        chosen = sheet.settings.strategy is StrategyName.SUMMARISE and sheet.once is None
        return "The first turns are summarised already (strategy summarise)." if chosen else ""

    def choice(self, sheet: Sheet) -> tuple[str, Json]:
        """Summarise."""
        return "strategy", StrategyName.SUMMARISE.value


class MakeSummary(SheetCommand):
    """A summary by hand."""

    id = "make_summary"
    title = "Make the summary anew"
    help = "Have all turns of the shown path but the newest summarised now, from what was really said. Esc stops it."
    label = "new summary"
    keys = ("V",)
    section = Section.SEND

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Not while something is being written."""
        return screen.desk.busy

    def act(self, screen: DeskScreen, sheet: Sheet) -> None:
        """Make it."""
        screen.spawn(screen.desk.summarise())


class RaiseBudget(Choice):
    """A larger budget."""

    id = "raise_budget"
    title = "Raise the budget"
    help = "Raise the budget by one step, or, where something important is left out, until it fits."
    label = "more budget"
    keys = ("+", "=", "f3")
    rank = 19

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only below the largest step."""
        budget, window = sheet.settings.budget, sheet.settings.sizing.window
        if sheet.raised_budget > budget:
            return ""
        if window is None or choices.raised(budget) == budget:
            return f"The budget is at its largest, {budget:,} tokens."
        return (
            f"The model's window of {window.tokens:,} tokens ({window.reason}) leaves no more. Where the server takes "
            "more, configure window, or start with --window."
        )

    def choice(self, sheet: Sheet) -> tuple[str, Json]:
        """The next step, or the first that helps."""
        return "budget", sheet.budget_that_helps()


class LowerBudget(Choice):
    """A smaller budget."""

    id = "lower_budget"
    title = "Lower the budget"
    help = "Lower the budget by one step."
    label = "less budget"
    keys = ("-",)
    rank = 5

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only above the smallest step."""
        budget = sheet.settings.budget
        return "" if choices.lowered(budget) < budget else f"The budget is at its smallest, {budget:,} tokens."

    def choice(self, sheet: Sheet) -> tuple[str, Json]:
        """The step below."""
        return "budget", choices.lowered(sheet.settings.budget)


class NextStrategy(Choice):
    """Another way of keeping history."""

    id = "next_strategy"
    title = "Next strategy"
    help = (
        "Choose how history is kept when not all fits: cut old turns, select the ticket first, a window of turns, or "
        "summarise the first ones."
    )
    label = "strategy"
    keys = ("s", "f5")
    rank = 18

    def choice(self, sheet: Sheet) -> tuple[str, Json]:
        """The strategy after this one."""
        return "strategy", choices.next_strategy(sheet.settings.strategy).value

    def told(self, settings: PlanSettings) -> str:
        """Its name and what it keeps; the meter has no room for the name where it tells more urgent things."""
        from tui.comparison_text import keeps

        return f"Strategy {settings.strategy.value}. {keeps(settings.strategy, settings.window_turns)}"


class WiderWindow(Choice):
    """One turn more in the window."""

    id = "wider_window"
    title = "Widen the window"
    help = "Let strategy window keep one turn more."
    label = "wider window"
    keys = (")",)

    def choice(self, sheet: Sheet) -> tuple[str, Json]:
        """One more."""
        return "window_turns", sheet.settings.window_turns + 1

    def told(self, settings: PlanSettings) -> str:
        """How many there are now."""
        return _window_told(settings)


class NarrowerWindow(Choice):
    """One turn less in the window."""

    id = "narrower_window"
    title = "Narrow the window"
    help = "Let strategy window keep one turn less."
    label = "narrower window"
    keys = ("(",)

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """At least one turn stays."""
        return "" if sheet.settings.window_turns > 1 else "The window keeps one turn; it cannot be narrower."

    def choice(self, sheet: Sheet) -> tuple[str, Json]:
        """One less."""
        return "window_turns", sheet.settings.window_turns - 1

    def told(self, settings: PlanSettings) -> str:
        """How many there are now."""
        return _window_told(settings)


class IncludeNotes(Choice):
    """Send internal notes too."""

    id = "include_notes"
    title = "Send internal notes, or not"
    help = "Include the ticket's internal notes in the request, or leave them out again."
    label = "internal notes"
    keys = ("i", "f8")
    rank = 15

    def refusal(self, screen: Panels, sheet: Sheet) -> str:
        """Only where the ticket has some."""
        return "" if sheet.has_notes else "This ticket has no internal notes."

    def choice(self, sheet: Sheet) -> tuple[str, Json]:
        """The other way round."""
        return "include_notes", not sheet.settings.include_notes


def _window_told(settings: PlanSettings) -> str:
    turns = settings.window_turns
    text = f"Strategy window keeps the last {'turn' if turns == 1 else f'{turns} turns'}"
    return f"{text}." if settings.strategy is StrategyName.WINDOW else f"{text}; it is not the one in use."
