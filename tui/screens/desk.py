"""The desk: what is asked for goes to the record and the assistant, what comes of it to the panels."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Final

from textual import events

from assistant.errors import AssistantError
from storage.errors import StorageError
from storage.interactions import Node, Status
from storage.search.hit import Hit
from tui.commands.keys import KeyMap
from tui.commands.registry import BY_ID
from tui.desk.desk import Desk
from tui.desk.drafts import written_since
from tui.desk.files import Files
from tui.desk.finding import Finding
from tui.desk.foreseeing import Foreseeing
from tui.desk.judging import Judging
from tui.desk.messages import Grew, Left, Said, TicketsChanged, Turned, Waits
from tui.desk.page import Page
from tui.errors import TuiError
from tui.screens.arriving import Arriving
from tui.screens.copying import Choose, copy_out
from tui.screens.panels import REMEDIES, Panels
from tui.services import Services
from tui.step import Steps
from tui.type_ahead import Settled
from tui.widgets.composer import Composer
from tui.widgets.key_bar import KeyBar
from tui.widgets.meter import Meter
from tui.widgets.outline import Outline
from tui.widgets.ticket_list import TicketList

_WATCH_SECONDS: Final = 2.0


class DeskScreen(Panels):
    """Joins the desk with the panels: commands go to the desk, what it reports goes to the panels."""

    def __init__(
        self,
        services: Services,
        key_map: KeyMap,
        ticket_id: str | None = None,
        *,
        now: Callable[[], datetime],
        write_terminal: Callable[[str], None],
        hold_keys: Callable[[], int],
    ) -> None:
        super().__init__(services, key_map, now)
        self._steps = Steps(self._guarded)
        self.desk = Desk(services, self.post_message, self.spawn)
        self.finding = Finding(self.desk, self.post_message)
        self.judging = Judging(self.desk)
        self.files = Files(self.desk, self.post_message, self.spawn)
        self.foreseeing = Foreseeing(self.desk, self.post_message, self.spawn)
        self.write_terminal = write_terminal
        self.arriving = Arriving(self, hold_keys)
        self._ticket_id = ticket_id
        self._write_next = ticket_id is not None

    def on_mount(self) -> None:
        """Paint first; read and load after that."""
        for warning in (*self.services.notices, *self.key_map.warnings):
            self.app.notify(warning, severity="warning", timeout=10)
        self.show_sheet()
        if self._ticket_id is None:
            self.focus_side(self.tickets)
        self.spawn(self._start())
        self.set_interval(_WATCH_SECONDS, self._watch)

    async def _start(self) -> None:
        try:
            await self.desk.start(self._ticket_id)
        finally:
            # The ticket may not be there; all others are.
            if self.sheet is None:
                self.call_after_refresh(self.post_message, Settled(0, takes_keys=self._ticket_id is None))
            self.call_after_refresh(lambda: self.spawn(self._read_prices()))
            self.call_after_refresh(lambda: self.spawn(self.desk.get_ready()))

    async def _read_prices(self) -> None:
        await asyncio.to_thread(self.services.prices.read)
        self.show_plan()

    def on_unmount(self) -> None:
        """Begin nothing any more."""
        self._steps.end()

    def _watch(self) -> None:
        """See what other windows have changed."""
        self.spawn(self.desk.look_around())

    # what the commands ask for

    def action_command(self, command_id: str) -> None:
        """Run a command, or say why it cannot be run now."""
        command = BY_ID[command_id]
        if reason := command.unavailable(self):
            if not command.is_quiet:
                self.app.notify(reason, timeout=4)
        else:
            command.run(self)

    def spawn(self, step: Coroutine[None, None, object], *, group: str = "step") -> None:
        """Run a step of the desk in a worker."""
        self.run_worker(self._steps.take(step), group=group, exit_on_error=False)

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

    def open_ticket(self, ticket_id: str) -> None:
        """Open a ticket; the cursor of the list goes along."""
        self.tickets.cursor_to(ticket_id)
        self.arriving.begin(self.desk.open(ticket_id))

    def open_hit(self, hit: Hit) -> None:
        """Open what a search found, with the focus where the next letter is a command."""
        self.tickets.cursor_to(hit.ticket_id)
        (self.chat if self.outline.size.width == 0 else self.outline).focus()
        self.arriving.begin(self.finding.open(hit))

    def go(self, move: Callable[[Page, Node], Node | None]) -> None:
        """Go where a move leads from the cursor, and show it."""
        node = self.cursor_node
        target = move(self.sheet.page, node) if self.sheet and node else None
        if self.sheet is not None and target is not None:
            self.sheet.visited.visit(target.id)
            self.show_node(target.id)

    def revisit(self, step: int) -> None:
        """Go back (-1) or forward in the nodes that were looked at."""
        if self.sheet is not None:
            node_id = self.sheet.visited.back() if step < 0 else self.sheet.visited.forward()
            if node_id is not None:
                self.show_node(node_id)

    def open_cursor(self) -> None:
        """Open the ticket under the cursor where the tickets have the focus, else show the branch under it."""
        (self.tickets if self.focused is self.tickets else self.outline).action_choose()

    def show_node(self, node_id: int) -> None:
        """Put the cursor on a node and show the branch that it lies on."""
        self.outline.cursor_to(node_id)
        self.chat.reveal(node_id)
        self.spawn(self.desk.show(node_id))

    async def copy(self, choose: Choose, node_id: int) -> None:
        """Copy what is chosen of the path to a node, where nothing stops it."""
        await copy_out(self, choose, node_id)

    def leave(self) -> None:
        """End the app: answers are stopped and kept, drafts saved."""
        self.run_worker(self._leave(), exclusive=True, group="leave")

    async def _leave(self) -> None:
        await self.files.stop_all()
        await self.desk.turns.stop_all()
        self.app.exit()

    # what the widgets report

    def on_key(self, event: events.Key) -> None:
        """Keep letters that are typed into a composer that takes none from becoming commands.

        Keys that move its cursor or delete go on, because the editor's own bindings are looked up last.
        """
        if self.typing and (event.is_printable or event.key == "enter"):
            event.stop()

    def on_ticket_list_chosen(self, message: TicketList.Chosen) -> None:
        """Open the ticket, and write."""
        self._write_next = True
        self.arriving.begin(self.desk.open(message.ticket_id))

    def on_outline_highlighted(self, message: Outline.Highlighted) -> None:
        """Bring what the cursor is on into view, if it lies on the branch that is shown."""
        self.chat.reveal(message.node_id)
        self.show_keys()

    def on_outline_chosen(self, message: Outline.Chosen) -> None:
        """Show the branch that was chosen."""
        if self.sheet is not None:
            self.sheet.visited.visit(message.node_id)
        self.show_node(message.node_id)

    def on_text_area_changed(self) -> None:
        """Plan anew with every key."""
        if self._composed is not None:
            self.desk.type(self._composed, self.composer.text)

    def on_composer_submitted(self, message: Composer.Submitted) -> None:
        """Send, if the plan allows it."""
        if self.sheet is not None and self.sheet is self._composed:
            self.desk.type(self.sheet, message.text)
            if self.sheet.plan is None:
                self.app.notify("The tokens are still being counted; press Enter again in a moment.", timeout=4)
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
            self.call_after_refresh(self._write)

    def _write(self) -> None:
        """Go to the composer, and let what was typed before come to it."""
        self.composer.focus()
        self.arriving.settle()

    def on_turned(self, message: Turned) -> None:
        """Show the conversation as it is now."""
        self.show_sheet()
        if message.cursor_id is not None:
            self.outline.cursor_to(message.cursor_id)
            self.chat.reveal(message.cursor_id)

    def show_plan(self) -> None:
        """Paint it, and find out what is not known of it yet."""
        super().show_plan()
        self.foreseeing.look()

    def on_planned(self) -> None:
        """Show another plan for the same path."""
        self.show_plan()
        self.show_keys()

    def on_drafted(self) -> None:
        """Put another text into the composer."""
        self.load_draft()

    def on_left(self, message: Left) -> None:
        """Let what was sent leave the composer, and what was written after it stay."""
        text = self.composer.text
        if (rest := written_since(text, message.text)) != text:
            self.composer.load(rest)

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
