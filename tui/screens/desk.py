"""The desk: tickets and conversation at the left, chat, meter and composer at the right."""

import asyncio
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from assistant.errors import AssistantError
from storage.errors import StorageError
from storage.interactions import Interaction, Node, Status
from storage.tickets import TicketSummary
from tui import locations
from tui.chat_items import chat_items, plan_fates, plan_tokens
from tui.clipboard import copy_text
from tui.commands.keys import KeyMap, is_typed
from tui.commands.registry import BY_ID, BY_RANK
from tui.desk.desk import Desk
from tui.desk.messages import Grew, Said, TicketsChanged, Turned, Waits
from tui.desk.page import Page
from tui.desk.sheet import Sheet
from tui.errors import TuiError
from tui.meter_text import Remedy
from tui.screens.desk_text import composer_mode, copied, title_facts, welcome
from tui.services import Services
from tui.widgets.chat import Chat
from tui.widgets.composer import Composer
from tui.widgets.key_bar import KeyBar
from tui.widgets.meter import Meter
from tui.widgets.outline import Outline
from tui.widgets.ticket_list import TicketList
from tui.widgets.title_bar import TitleBar

_WATCH_SECONDS: Final = 2.0

REMEDIES: Final[Mapping[Remedy, str]] = {
    Remedy.KEEP_TICKET: "keep_ticket",
    Remedy.RAISE_BUDGET: "raise_budget",
    Remedy.SEND_WITHOUT: "send_without_ticket",
}
"""The commands that stand behind the choices of the meter's warning; shortening is up to the agent."""


class DeskScreen(Screen[None]):
    """Joins the desk with the widgets: commands go to the desk, what it reports goes to the widgets."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - a setting of Textual

    def __init__(
        self,
        services: Services,
        key_map: KeyMap,
        ticket_id: str | None = None,
        *,
        write_terminal: Callable[[str], None],
    ) -> None:
        super().__init__()
        self.write_terminal = write_terminal
        self.services = services
        self.key_map = key_map
        self.desk = Desk(services, self.post_message, self.spawn)
        self.title_bar = TitleBar(id="title")
        self.tickets = TicketList(id="tickets")
        self.outline = Outline(id="outline")
        self.chat = Chat(id="chat")
        self.meter = Meter(keys=self._remedy_keys(), id="meter")
        self.composer = Composer(id="composer", placeholder="Ask for a draft, or for changes to it")
        self.key_bar = KeyBar(id="keys")
        self._ticket_id = ticket_id
        self._write_next = ticket_id is not None
        self._composed: Sheet | None = None
        self._summaries: Sequence[TicketSummary] = ()
        self.tickets.border_title = Content("Tickets")
        self.outline.border_title = Content("Conversation")

    def compose(self) -> ComposeResult:
        """Two columns and the keys."""
        with Horizontal():
            with Vertical(id="side"):
                yield self.tickets
                yield self.outline
            with Vertical(id="page"):
                yield self.title_bar
                yield Static(id="welcome", markup=False)
                yield self.chat
                yield self.meter
                yield self.composer
        yield self.key_bar

    def on_mount(self) -> None:
        """Paint first; read and load after that."""
        for warning in (*self.services.notices, *self.key_map.warnings):
            self.app.notify(warning, severity="warning", timeout=10)
        self.show_sheet()
        if self._ticket_id is None:
            self.focus_side(self.tickets)
        self.call_after_refresh(lambda: self.spawn(self.desk.start(self._ticket_id)))
        self.set_interval(_WATCH_SECONDS, self._watch)

    # what the commands ask for

    def action_command(self, command_id: str) -> None:
        """Run a command, or say why it cannot be run now."""
        command = BY_ID[command_id]
        if reason := command.unavailable(self):
            self.app.notify(reason, timeout=4)
        else:
            command.run(self)

    def spawn(self, step: Coroutine[None, None, object], *, group: str = "step") -> None:
        """Run a step of the desk in a worker."""
        self.run_worker(self._guarded(step), group=group, exit_on_error=False)

    async def _guarded(self, step: Coroutine[None, None, object]) -> None:
        """The one place where whatever goes wrong beside the screen becomes a sentence on it."""
        try:
            await step
        except (StorageError, AssistantError, TuiError) as error:
            self.post_message(Said(str(error), is_error=True))
        except Exception as error:
            self.log.error(error)
            what = f"{type(error).__name__}: {error}"
            self.post_message(Said(f"Something went wrong that should not have ({what}). Nothing was lost.", True))

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

    def step(self, rows: int) -> None:
        """Move the cursor by rows, in the tickets where they have the focus, else in the conversation."""
        (self.tickets if self.focused is self.tickets else self.outline).move(rows)

    def step_to_end(self, direction: int) -> None:
        """Move the cursor to the first (-1) or last row."""
        rows = self.tickets if self.focused is self.tickets else self.outline
        rows.move(direction * rows.row_count())

    def go(self, move: Callable[[Page, Node], Node | None]) -> None:
        """Put the cursor of the outline where a move leads."""
        node = self.cursor_node
        target = move(self.sheet.page, node) if self.sheet and node else None
        if target is not None:
            self.outline.cursor_to(target.id)

    def focus_side(self, panel: Widget) -> None:
        """Focus a panel of the left column, shown for it where it is hidden."""
        self.set_class(True, "-show-side").set_class(False, "-hide-side")
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

    def open_ticket(self, ticket_id: str) -> None:
        """Open a ticket; the cursor of the list goes along."""
        self.tickets.cursor_to(ticket_id)
        self.spawn(self.desk.open(ticket_id))

    def revisit(self, step: int) -> None:
        """Go back (-1) or forward in the nodes that were looked at."""
        if self.sheet is not None:
            node_id = self.sheet.visited.back() if step < 0 else self.sheet.visited.forward()
            if node_id is not None:
                self.outline.cursor_to(node_id)

    async def copy(self, choose: Callable[[Sequence[Interaction]], Sequence[Interaction]], node_id: int) -> None:
        """Copy what is chosen of the path to a node, and say which way it went."""
        path = choose(await self.desk.path_to(node_id))
        route = await asyncio.to_thread(
            copy_text,
            copied(path),
            environ=os.environ,
            write_terminal=self.write_terminal,
            folder=locations.copies_folder(),
        )
        self.post_message(Said(route.words))

    def leave(self) -> None:
        """End the app: answers are stopped and kept, drafts saved."""
        self.run_worker(self._leave(), exclusive=True, group="leave")

    async def _leave(self) -> None:
        await self.desk.turns.stop_all()
        self.app.exit()

    # what the widgets report

    def on_key(self, event: events.Key) -> None:
        """Keep letters that are typed into a composer that takes none from becoming commands."""
        if self.typing and is_typed(event.key):
            event.stop()

    def on_ticket_list_chosen(self, message: TicketList.Chosen) -> None:
        """Open the ticket, and write."""
        self._write_next = True
        self.spawn(self.desk.open(message.ticket_id))

    def on_outline_highlighted(self, message: Outline.Highlighted) -> None:
        """Show what the cursor is on."""
        if self.sheet is not None:
            self.sheet.visited.visit(message.node_id)
        self.chat.reveal(message.node_id)
        self.spawn(self.desk.show(message.node_id))
        self.show_keys()

    def on_outline_chosen(self, message: Outline.Chosen) -> None:
        """Show it again where the chat was scrolled away."""
        self.chat.reveal(message.node_id)

    def on_text_area_changed(self) -> None:
        """Plan anew with every key."""
        if self._composed is not None:
            self.desk.type(self._composed, self.composer.text)

    def on_composer_submitted(self, message: Composer.Submitted) -> None:
        """Send, if the plan allows it."""
        if self.sheet is not None and self.sheet is self._composed:
            self.desk.type(self.sheet, message.text)
            self.desk.send()

    def on_composer_escaped(self) -> None:
        """Stop the answer that is being written, else leave the composer."""
        if self.desk.answering:
            self.desk.stop()
        else:
            (self.chat if self.outline.size.width == 0 else self.outline).focus()

    def on_meter_picked(self, message: Meter.Picked) -> None:
        """Do what was clicked in the warning."""
        if message.remedy in REMEDIES:
            self.action_command(REMEDIES[message.remedy])
        else:
            self.composer.focus()

    def on_key_bar_picked(self, message: KeyBar.Picked) -> None:
        """Run the command that was clicked."""
        self.action_command(message.command_id)

    def on_descendant_focus(self) -> None:
        """Other keys matter now."""
        self.show_keys()

    # what the desk reports

    def on_tickets_changed(self, message: TicketsChanged) -> None:
        """Show the list."""
        self._summaries = message.tickets
        self.show_tickets()
        if self.sheet is None:
            self.show_sheet()

    def on_opened(self) -> None:
        """Show another ticket."""
        self._composed = None
        self.show_tickets()
        self.show_sheet()
        self.load_draft()
        if self._write_next:
            self._write_next = False
            self.set_class(False, "-show-side")
            self.call_after_refresh(self.composer.focus)

    def on_turned(self, message: Turned) -> None:
        """Show the conversation as it is now."""
        self.show_sheet()
        if message.cursor_id is not None:
            self.outline.cursor_to(message.cursor_id)

    def on_planned(self) -> None:
        """Show another plan for the same path."""
        self.show_plan()
        self.show_keys()

    def on_drafted(self) -> None:
        """Put another text into the composer."""
        self.load_draft()

    def on_grew(self, message: Grew) -> None:
        """Add to an answer."""
        self.desk.turns.take(message)
        node = self.sheet.page.find(message.node_id) if self.sheet else None
        if node is not None and node.status is Status.STREAMING:
            self.chat.grow(message.node_id, message.text)

    def on_waits(self, message: Waits) -> None:
        """Say what an answer waits for."""
        self.chat.note(message.node_id, message.text)

    def on_said(self, message: Said) -> None:
        """Tell the agent in passing."""
        self.app.notify(message.text, severity="error" if message.is_error else "information")

    # painting

    def show_tickets(self) -> None:
        """Paint the list of tickets."""
        opened = self.sheet.page.ticket.id if self.sheet else None
        self.tickets.show(self._summaries, opened, self.desk.turns.unread)

    def show_sheet(self) -> None:
        """Paint everything that depends on the open ticket."""
        sheet = self.sheet
        self.set_class(sheet is None, "-empty")
        if sheet is None:
            self.query_one("#welcome", Static).update(welcome(self.tickets.row_count() > 0, self.services.agent))
            self.title_bar.show("Ticketree", "", [self.services.agent])
        else:
            page = sheet.page
            fates, tokens = plan_fates(sheet.plan), plan_tokens(sheet.plan)
            self.outline.show(page.nodes, page.path_ids, fates, tokens)
            items = chat_items(page.path, sheet.plan, notes_sent=sheet.settings.include_notes)
            self.chat.show([self.desk.turns.as_painted(item) for item in items])
        self.show_plan()
        self.show_keys()

    def show_plan(self) -> None:
        """Paint what depends on the plan."""
        sheet = self.sheet
        plan = sheet.plan if sheet else None
        self.meter.show(plan)
        self.outline.mark(plan_fates(plan), plan_tokens(plan))
        self.chat.mark(plan_fates(plan), plan_tokens(plan))
        self.composer.mode = composer_mode(sheet, self.services.agent, self.services.provider)
        self.composer.block(self.desk.busy)

    def show_keys(self) -> None:
        """Paint what depends on the cursor and the focus."""
        if self.sheet is not None:
            ticket = self.sheet.page.ticket
            facts = title_facts(self.sheet, self.cursor_node, self.services.task.title)
            self.title_bar.show(ticket.id, ticket.subject, facts)
        typing = self.typing and not self.composer.reason
        keyed = ((command, self.key_map.first(command, typing=typing)) for command in BY_RANK if command.rank)
        self.key_bar.show(
            [(command.id, key, command.label) for command, key in keyed if key and not command.unavailable(self)]
        )

    def load_draft(self) -> None:
        """Put the draft of the open ticket into the composer."""
        self._composed = self.sheet
        if self.sheet is not None:
            self.composer.load(self.sheet.draft.text)

    def _remedy_keys(self) -> dict[Remedy, str]:
        """The key of each choice in the warning: one that works while writing, else any."""
        commands = {remedy: BY_ID[command_id] for remedy, command_id in REMEDIES.items()}
        return {
            remedy: self.key_map.first(command, typing=True) or self.key_map.first(command)
            for remedy, command in commands.items()
        }

    def _watch(self) -> None:
        """See what other windows have changed."""
        self.spawn(self.desk.look_around())
