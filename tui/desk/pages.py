"""The pages of one agent: opening a ticket, moving in its conversation, keeping what is typed and chosen."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TypeVar

from textual.message import Message

from assistant.plan.plan import StrategyName
from assistant.tasks.choice import choose_task, task_of
from assistant.tasks.task import Task
from storage.errors import ErasedError
from storage.interactions import Conversation, Draft, Interaction, Node
from storage.tickets import ERASED, TicketSummary
from storage.values import Json
from tui.desk.drafts import DraftKeeper
from tui.desk.messages import Drafted, Opened, Planned, Said, TicketsChanged, Turned
from tui.desk.page import Page, read_page
from tui.desk.recorder import Recorder
from tui.desk.running import RunningTurns
from tui.desk.sheet import TEXT_STANDS, Sheet
from tui.display import editable
from tui.erasure_text import done, shared
from tui.services import Services
from tui.step import Spawn

T = TypeVar("T")


class Pages:
    """Reads and writes the record for one agent and reports what changed; it touches no widget.

    Attributes:
        sheet: the open ticket, None on an empty desk.
        turns: the answers that are being written.
        opening: the ticket that is about to be open; "" where none is.
        ready: the counter is, so that plans can be made.
    """

    def __init__(self, services: Services, post: Callable[[Message], object], spawn: Spawn) -> None:
        self.services = services
        self.sheet: Sheet | None = None
        self.turns = RunningTurns(services, post)
        self.ready = False
        self._post = post
        self._spawn = spawn
        self._recorder = Recorder()
        self._drafts = DraftKeeper(self._save_draft, self._write)
        self.opening = ""
        self._once: dict[int, StrategyName] = {}
        self._tickets: list[TicketSummary] | None = None

    async def start(self, ticket_id: str | None) -> None:
        """Read the tickets, and open one if it is named."""
        await self.list_tickets()
        if ticket_id is not None:
            await self.open(ticket_id)

    async def get_ready(self) -> None:
        """Read the counter's vocabulary, then plan; for a moment when what was read is painted."""
        await asyncio.to_thread(self.services.counter.text, "ready")
        self.ready = True
        if (sheet := self.sheet) is not None:
            await self._record(lambda: sheet.use(self.services.counter))
            self._report(sheet, Planned())

    async def open(self, ticket_id: str) -> None:
        """Open this agent's conversation on a ticket; of several asked for at once the last one is shown."""
        self.opening = ticket_id
        self._drafts.write_soon()
        try:
            sheet = await self._record(lambda: self._read_sheet(ticket_id))
        finally:
            is_wanted = self.opening == ticket_id
            self.opening = "" if is_wanted else self.opening
        if is_wanted:
            self.sheet = sheet
            self.turns.unread.discard(ticket_id)
            self._post(Opened())
            await self.list_tickets()

    async def list_tickets(self) -> None:
        """Read the list of tickets and report it where it has changed."""
        services = self.services
        tickets = await asyncio.to_thread(services.store.tickets, services.agent)
        if tickets != self._tickets:
            self._tickets = tickets
            self._post(TicketsChanged(tickets))

    def _read_sheet(self, ticket_id: str) -> Sheet:
        services, store = self.services, self.services.store
        conversation = store.open_conversation(services.agent, ticket_id)
        draft = store.draft(services.agent, ticket_id)
        page = read_page(store, conversation, draft)
        stored, once = store.settings(conversation.id), self._once.get(conversation.id)
        sheet = Sheet(page, draft, stored, services.sized_defaults(), services.tasks, once=once)
        if self.ready:
            sheet.use(services.counter)
        return sheet

    # moving

    async def show(self, node_id: int) -> None:
        """Show a node: nothing but the cursor moves on the shown path, elsewhere the branch last chosen is shown."""
        sheet = self.sheet
        if sheet is None or sheet.page.find(node_id) is None or node_id in sheet.page.path_ids:
            return
        store, conversation_id = self.services.store, sheet.page.id
        self.stop_editing()
        await self._turn(sheet, lambda: store.last_choice_below(conversation_id, node_id), node_id)

    async def end_path_at(self, node_id: int) -> None:
        """Let the shown path end at a node, so that what is written follows it."""
        if (sheet := self.sheet) is not None:
            self.stop_editing()
            await self._turn(sheet, lambda: node_id, node_id)

    async def take_in(self) -> None:
        """Let the newest version of the ticket enter below the shown path."""
        sheet = self.sheet
        snapshot = sheet.page.newer_snapshot if sheet else None
        if sheet is None or snapshot is None:
            return
        store, page = self.services.store, sheet.page
        await self._turn(sheet, lambda: store.add_snapshot(page.id, page.last.id, snapshot).id)

    async def choose_task(self, task: Task) -> None:
        """Let the branch have this task from the message on that the draft follows; changes nothing where it has it."""
        sheet = self.sheet
        if sheet is None or task_of(sheet.page.planned_on) == task.name:
            return
        store, page, agent = self.services.store, sheet.page, self.services.agent
        await self._record(lambda: choose_task(store, page.id, page.last.id, agent, task))
        await self._refresh(page.conversation)

    async def label(self, conversation: Conversation, node_id: int, label: str) -> None:
        """Label a node, or take its label off with an empty one."""
        store = self.services.store
        await self._record(lambda: store.set_label(conversation.id, node_id, label))
        await self._refresh(conversation)

    async def _turn(self, sheet: Sheet, choose: Callable[[], int], cursor_id: int | None = None) -> None:
        """Choose a leaf and show the path to it."""
        store, conversation, draft = self.services.store, sheet.page.conversation, sheet.draft

        def select() -> Page:
            store.select(conversation.id, choose())
            return read_page(store, conversation, draft)

        sheet.turn_to(await self._record(select))
        self._report(sheet, Turned(cursor_id))

    async def _size(self) -> None:
        """Plan with what is known of the model by now, such as after an answer that taught something."""
        if (sheet := self.sheet) is not None:
            defaults = await self._record(self.services.sized_defaults)
            if await self._record(lambda: sheet.size(defaults)):
                self._report(sheet, Turned())

    async def _refresh(self, conversation: Conversation, *, cursor_id: int | None = None) -> None:
        """Read the open page anew after the record has changed."""
        if (sheet := self._open_sheet(conversation)) is not None:
            store = self.services.store
            sheet.turn_to(await self._record(lambda: read_page(store, conversation, sheet.draft)))
            self._report(sheet, Turned(cursor_id))
        await self.list_tickets()

    # the ticket's end

    async def set_closed(self, *, closed: bool) -> None:
        """Close the open ticket, or open it again."""
        if (sheet := self.sheet) is not None:
            store, ticket_id, agent = self.services.store, sheet.page.ticket.id, self.services.agent
            await self._record(lambda: (store.close_ticket if closed else store.reopen_ticket)(ticket_id, agent))
            await self._refresh(sheet.page.conversation)

    async def erase(self, ticket_id: str, reason: str) -> None:
        """Erase a ticket, and say how that went."""
        store, agent = self.services.store, self.services.agent
        erasure = await self._record(lambda: store.erase(ticket_id, agent, reason))
        self._drafts.drop(ticket_id)
        if self.sheet is not None and self.sheet.page.ticket.id == ticket_id:
            await self.open(ticket_id)
        else:
            await self.list_tickets()
        self._post(Said(" ".join(filter(None, (done(erasure), shared(erasure)))), is_error=bool(erasure.pending)))

    # writing

    def type(self, sheet: Sheet, text: str) -> None:
        """Take over what stands in the composer now, for the ticket that it was written for."""
        if text != sheet.draft.text:
            sheet.type(text)
            self._drafts.keep(sheet.page.ticket.id, sheet.draft)
            self._report(sheet, Planned())

    async def edit(self, message: Node) -> None:
        """Put a message into the composer, unless a text would be lost by it; what is sent stands beside it."""
        sheet = self.sheet
        if sheet is not None and sheet.holds_text:
            if not sheet.is_editing(message):
                self._post(Said(TEXT_STANDS))
        elif sheet is not None:
            await self.show(message.id)
            entry = next((entry for entry in sheet.page.path if entry.id == message.id), None)
            if entry is not None:
                self._take(sheet, Draft(editable(entry.content), message.id, edits=True))

    def stop_editing(self) -> None:
        """Leave the edited message as it is; a text that was changed stays as a new message."""
        if (sheet := self.sheet) is not None and sheet.draft.edits:
            self._take(sheet, Draft("" if sheet.is_unchanged else sheet.draft.text))

    def _take(self, sheet: Sheet, draft: Draft) -> None:
        """Put another draft into the composer."""
        sheet.take(draft)
        self._drafts.keep(sheet.page.ticket.id, draft)
        self._report(sheet, Drafted())
        self._report(sheet, Turned())

    def choose(self, name: str, value: Json) -> None:
        """Change a setting of the open conversation; a strategy takes the place of one for the next request only."""
        if (sheet := self.sheet) is not None:
            store, conversation_id = self.services.store, sheet.page.id
            if name == "strategy":
                self._use_once(sheet.page.conversation, None)
            sheet.choose(name, value)
            self._write(lambda: store.set_setting(conversation_id, name, value))
            self._post(Turned())

    def _use_once(self, conversation: Conversation, strategy: StrategyName | None) -> None:
        self._once.pop(conversation.id, None)
        if strategy is not None:
            self._once[conversation.id] = strategy
        sheet = self._open_sheet(conversation)
        if sheet is not None and sheet.once is not strategy:
            sheet.use_once(strategy)

    # the record

    async def path_to(self, node_id: int) -> list[Interaction]:
        """The contents from the root to a node of the open conversation."""
        sheet = self.sheet
        return await self._record(lambda: self.services.store.path(sheet.page.id, node_id)) if sheet else []

    async def look_around(self) -> None:
        """Take over what other windows have changed in the meantime."""
        sheet = self.sheet
        if sheet is not None and not self.turns.is_running(sheet.page.id):
            page, store = sheet.page, self.services.store
            if page.growing or await asyncio.to_thread(store.head, page.id) != page.head:
                await self._refresh(page.conversation)
                return
        await self.list_tickets()
        ticket = sheet.page.ticket if sheet is not None and self.sheet is sheet else None
        if sheet is None or ticket is None:
            return
        now = next((listed for listed in self._tickets or () if listed.id == ticket.id), None)
        if now is None or (now.status, now.snapshots) == (ticket.status, ticket.snapshot):
            return
        if now.status == ERASED:
            if ticket.status != ERASED:
                self._drafts.drop(ticket.id)
                await self.open(ticket.id)
        else:
            await self._refresh(sheet.page.conversation)

    def _open_sheet(self, conversation: Conversation) -> Sheet | None:
        """The sheet of this conversation, if it is the one that is open."""
        return self.sheet if self.sheet is not None and self.sheet.page.id == conversation.id else None

    def _report(self, sheet: Sheet, message: Message) -> None:
        """Report what concerns the open ticket only."""
        if self.sheet is sheet:
            self._post(message)

    async def _record(self, job: Callable[[], T]) -> T:
        """Do something with the record off the event loop, in order; it is done even when nobody waits any more."""
        return await _result_of(self._recorder.submit(job))

    def _write(self, job: Callable[[], None]) -> None:
        """Queue a write, before whatever is asked for next."""
        self._spawn(_result_of(self._recorder.submit(job)))

    def _save_draft(self, ticket_id: str, draft: Draft) -> None:
        # A ticket that another window has erased keeps no draft either.
        with suppress(ErasedError):
            self.services.store.save_draft(self.services.agent, ticket_id, draft)

    def close(self) -> None:
        """Write what is still to be written, before returning."""
        self._recorder.close()
        self._drafts.write_now()


async def _result_of(future: Future[T]) -> T:
    return await asyncio.shield(asyncio.wrap_future(future))
