"""The panels of the desk: which widgets there are, where they stand, and what is painted on them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from assistant.money.spending import spent
from assistant.plan.newer_ticket import taking_in
from storage.interactions import Node
from storage.tickets import TicketSummary
from storage.usage import Call
from tui.chat_items import chat_items, plan_fates, plan_notes, plan_tokens
from tui.commands.keys import KeyMap, is_typed
from tui.commands.registry import BY_ID, BY_RANK
from tui.desk.desk import Desk
from tui.desk.finding import Finding
from tui.desk.observers import SETTING, are_on
from tui.desk.sheet import Sheet
from tui.meter_text import Remedy
from tui.screens.desk_text import composer_mode, title_facts, welcome
from tui.services import Services
from tui.usage_text import brief_cost
from tui.widgets.chat import Chat
from tui.widgets.composer import Composer
from tui.widgets.key_bar import KeyBar
from tui.widgets.meter import Meter
from tui.widgets.outline import Outline
from tui.widgets.ticket_list import TicketList
from tui.widgets.title_bar import TitleBar

REMEDIES: Final[Mapping[Remedy, str]] = {
    Remedy.KEEP_TICKET: "keep_ticket",
    Remedy.RAISE_BUDGET: "raise_budget",
    Remedy.SUMMARISE: "summarise",
    Remedy.LEAVE_OUT: "keep_ticket",
    Remedy.SEND_WITHOUT: "send_without_ticket",
}
"""The commands that stand behind the choices of the meter's warning; shortening is up to the agent."""


class Panels(Screen[None]):
    """Two columns and the keys; shows what the desk holds and changes nothing of it."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - a setting of Textual
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (9, "-low"), (20, "-high")]  # noqa: RUF012 - a setting of Textual

    desk: Desk
    finding: Finding

    def __init__(self, services: Services, key_map: KeyMap, now: Callable[[], datetime]) -> None:
        super().__init__()
        self.services = services
        self.key_map = key_map
        self.now = now
        self.title_bar = TitleBar(id="title")
        self.tickets = TicketList(id="tickets")
        self.outline = Outline(id="outline")
        self.chat = Chat(now=now, notes_key=key_map.first(BY_ID["notes"]), id="chat")
        self.meter = Meter(keys=_remedy_keys(key_map), id="meter")
        self.composer = Composer(id="composer", placeholder="Ask for a draft, or for changes to it")
        self.key_bar = KeyBar(id="keys")
        self.tickets.border_title = Content("Tickets")
        self.outline.border_title = Content("Conversation")
        self._summaries: Sequence[TicketSummary] | None = None
        self._composed: Sheet | None = None
        self._spent_on: tuple[Sequence[Call], str] = ((), "")

    def compose(self) -> ComposeResult:
        """Two columns and the keys."""
        with Horizontal():
            with Vertical(id="side", classes="column"):
                yield self.tickets
                yield self.outline
            with Vertical(id="page", classes="column"):
                yield self.title_bar
                yield Static(id="welcome", markup=False)
                yield self.chat
                yield self.meter
                yield self.composer
        yield self.key_bar

    # where the agent is

    @property
    def sheet(self) -> Sheet | None:
        """The open ticket."""
        return self.desk.sheet

    @property
    def cursor_node(self) -> Node | None:
        """The node under the cursor of the outline."""
        return self.sheet.page.find(self.outline.cursor_id) if self.sheet else None

    @property
    def typing(self) -> bool:
        """The composer has the focus."""
        return self.focused is self.composer

    def is_text(self, event: events.Key) -> bool:
        """A key is the composer's own, as text or to move its cursor."""
        bound = self.active_bindings.get(event.key)
        is_own = event.is_printable or is_typed(event.key) or (bound is not None and bound.node is self.composer)
        return self.typing and is_own

    async def catch_up(self) -> None:
        """Return once what was typed, pressed and clicked before has been taken over, from the panels up to here."""
        panels = (self.tickets, self.outline, self.chat, self.meter, self.composer, self.key_bar)
        columns = [column for column in self.query(".column")]
        for pumps in (panels, panels, columns, [column.parent for column in columns], (self,), (self,)):
            waiting = []
            for pump in pumps:
                done = asyncio.Event()
                if isinstance(pump, MessagePump) and pump.call_later(done.set):
                    waiting.append(done.wait())
            await asyncio.gather(*waiting)

    def write(self) -> None:
        """Focus the composer at once, so that the next key is text; `focus` would let some pass first."""
        self.set_focus(self.composer)

    def step(self, rows: int) -> None:
        """Move the cursor by rows, in the tickets where they have the focus, else in the conversation."""
        (self.tickets if self.focused is self.tickets else self.outline).move(rows)

    def step_to_end(self, direction: int) -> None:
        """Move the cursor to the first (-1) or last row."""
        rows = self.tickets if self.focused is self.tickets else self.outline
        rows.move(direction * rows.row_count())

    def focus_side(self, panel: Widget) -> None:
        """Focus a panel of the left column, shown for it where it is hidden."""
        if self.has_class("-narrow"):
            self.add_class("-show-side")
        self.remove_class("-hide-side")
        self.call_after_refresh(panel.focus)

    def toggle_side(self) -> None:
        """Show or hide the left column."""
        self.toggle_class("-show-side" if self.has_class("-narrow") else "-hide-side")
        if self.focused in (self.tickets, self.outline):
            self.chat.focus()

    def neighbour(self, by: int) -> str | None:
        """The ticket so many places below the open one in the list."""
        ids = [ticket.id for ticket in self.tickets.shown]
        opened = self.sheet.page.ticket.id if self.sheet else ""
        at = ids.index(opened) + by if opened in ids else 0
        return ids[at] if 0 <= at < len(ids) else None

    # painting

    def show_tickets(self) -> None:
        """Paint the list of tickets."""
        opened = self.sheet.page.ticket.id if self.sheet else None
        self.tickets.show(self._summaries or (), opened, self.desk.turns.unread)

    def show_sheet(self) -> None:
        """Paint everything that depends on the open ticket."""
        sheet = self.sheet
        self.set_class(sheet is None, "-empty")
        if sheet is None:
            if self._summaries is not None:
                self.query_one("#welcome", Static).update(welcome(bool(self._summaries), self.services.agent))
            self.title_bar.show("Ticketree", "", [self.services.agent])
        else:
            page = sheet.page
            fates, tokens = plan_fates(sheet.shown_plan), plan_tokens(sheet.shown_plan)
            stale = page.stale
            self.outline.show(page.nodes, page.path_ids, fates, tokens, page.stopped, stale)
            items = chat_items(
                taking_in(page.path, page.ticket) if page.edited is None else page.path,
                sheet.shown_plan,
                page.hanging,
                notes_sent=sheet.settings.include_notes,
                stale=stale,
            )
            self.chat.show([self.desk.turns.as_painted(item) for item in items])
        self.show_plan()
        self.show_keys()

    def show_plan(self) -> None:
        """Paint what depends on the plan."""
        sheet = self.sheet
        plan = sheet.shown_plan if sheet else None
        is_once = sheet is not None and sheet.once is not None
        refusal = sheet.refusal if sheet else ""
        is_erased = sheet is not None and sheet.page.ticket.erased
        cached = sheet.page.cached_share if sheet else None
        self.meter.show(plan, cached, is_once=is_once, refusal=refusal, is_erased=is_erased)
        self.outline.mark(plan_fates(plan), plan_tokens(plan))
        self.chat.mark(plan_fates(plan), plan_tokens(plan), plan_notes(plan))
        is_observed = sheet is not None and are_on(self.services, sheet.stored(SETTING))
        self.composer.mode = composer_mode(
            sheet, self.services.agent, self.services.provider, self._spent(), is_observed=is_observed
        )
        self.composer.block(self.desk.busy, takes_text=self.desk.takes_text)

    def _spent(self) -> str:
        """What the answers of the open conversation took, in few words; nothing before the prices are read."""
        page, known = self.sheet.page if self.sheet else None, self.services.prices.known
        if page is None or known is None:
            return ""
        if self._spent_on[0] is not page.calls:
            self._spent_on = page.calls, brief_cost(spent(page.calls, known.list), known.list)
        return self._spent_on[1]

    def show_keys(self) -> None:
        """Paint what depends on the cursor and the focus."""
        if self.sheet is not None:
            ticket = self.sheet.page.ticket
            facts = title_facts(self.sheet, self.cursor_node)
            self.title_bar.show(ticket.id, ticket.subject, facts)
        keyed = ((command, self.key_map.first(command, typing=self.typing)) for command in BY_RANK if command.rank)
        self.key_bar.show(
            [(command.id, key, command.label) for command, key in keyed if key and not command.unavailable(self)]
        )

    def load_draft(self) -> None:
        """Put the draft of the open ticket into the composer."""
        self._composed = self.sheet
        if self.sheet is not None:
            self.composer.load(self.sheet.draft.text)


def _remedy_keys(key_map: KeyMap) -> dict[Remedy, str]:
    """The key of each choice in the warning: one that works while writing, else any."""
    commands = {remedy: BY_ID[command_id] for remedy, command_id in REMEDIES.items()}
    return {
        remedy: key_map.first(command, typing=True) or key_map.first(command) for remedy, command in commands.items()
    }
