"""The desk of one agent: what the commands do to the record, and what they report to the screen."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Future
from typing import Protocol, TypeVar

from textual.message import Message

from assistant.events import TurnEnded, TurnEvent, TurnStarted
from assistant.plan import Verdict
from storage.interactions import Conversation, Draft, Interaction, Node
from storage.kinds import AGENT_MESSAGE
from storage.tickets import TicketSummary
from storage.values import Json
from tui.chat_items import failure_of
from tui.desk.drafts import DraftKeeper
from tui.desk.messages import Drafted, Opened, Planned, Said, TicketsChanged, Turned
from tui.desk.page import Page, read_page
from tui.desk.recorder import Recorder
from tui.desk.running import RunningTurns
from tui.desk.sheet import Sheet
from tui.display import editable
from tui.services import Services

T = TypeVar("T")


class Spawn(Protocol):
    """Runs a step beside the screen; steps of the group "turn" last as long as an answer."""

    def __call__(self, step: Coroutine[None, None, object], *, group: str = "step") -> object:
        """Begin."""


class Desk:
    """Reads and writes the record for one agent and reports what changed; it touches no widget.

    Attributes:
        sheet: the open ticket, None on an empty desk.
        turns: the answers that are being written.
        ready: the counter is, so that plans can be made.
    """

    def __init__(
        self,
        services: Services,
        post: Callable[[Message], object],
        spawn: Spawn,
    ) -> None:
        self.services = services
        self.sheet: Sheet | None = None
        self.turns = RunningTurns(services, post)
        self._post = post
        self._spawn = spawn
        self._recorder = Recorder()
        self._drafts = DraftKeeper(self._save_draft, self._write)
        self.ready = False
        self._opening = ""
        self._tickets: list[TicketSummary] | None = None

    # opening

    async def start(self, ticket_id: str | None) -> None:
        """Read the tickets, open one if it is named, and get the counter ready."""
        await self.list_tickets()
        if ticket_id is not None:
            await self.open(ticket_id)
        await asyncio.to_thread(self.services.counter.text, "ready")
        self.ready = True
        if (sheet := self.sheet) is not None:
            await self._record(lambda: sheet.use(self.services.counter))
            self._report(sheet, Planned())

    async def open(self, ticket_id: str) -> None:
        """Open this agent's conversation on a ticket; of several asked for at once the last one is shown."""
        self._opening = ticket_id
        self._drafts.write_soon()
        sheet = await self._record(lambda: self._read_sheet(ticket_id))
        if self._opening == ticket_id:
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
        sheet = Sheet(page, draft, store.settings(conversation.id), services.defaults, services.task)
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
        await self._turn(sheet, lambda: store.last_choice_below(conversation_id, node_id))

    async def end_path_at(self, node_id: int) -> None:
        """Let the shown path end at a node, so that what is written follows it."""
        if (sheet := self.sheet) is not None:
            self.stop_editing()
            await self._turn(sheet, lambda: node_id)

    async def take_in(self) -> None:
        """Let the newest version of the ticket enter below the shown path."""
        sheet = self.sheet
        snapshot = sheet.page.newer_snapshot if sheet else None
        if sheet is None or snapshot is None:
            return
        store, page = self.services.store, sheet.page
        await self._turn(sheet, lambda: store.add_snapshot(page.id, page.last.id, snapshot).id)

    async def _turn(self, sheet: Sheet, choose: Callable[[], int]) -> None:
        """Choose a leaf and show the path to it."""
        store, conversation, draft = self.services.store, sheet.page.conversation, sheet.draft

        def select() -> Page:
            store.select(conversation.id, choose())
            return read_page(store, conversation, draft)

        sheet.turn_to(await self._record(select))
        self._report(sheet, Turned())

    async def _refresh(self, conversation: Conversation, *, cursor_id: int | None = None) -> None:
        """Read the open page anew after the record has changed."""
        if (sheet := self._open_sheet(conversation)) is not None:
            store = self.services.store
            sheet.turn_to(await self._record(lambda: read_page(store, conversation, sheet.draft)))
            self._report(sheet, Turned(cursor_id))
        await self.list_tickets()

    # writing

    def type(self, sheet: Sheet, text: str) -> None:
        """Take over what stands in the composer now, for the ticket that it was written for."""
        if text != sheet.draft.text:
            sheet.type(text)
            self._drafts.keep(sheet.page.ticket.id, sheet.draft)
            self._report(sheet, Planned())

    async def edit(self, message: Node) -> None:
        """Put a message into the composer; what is sent stands beside it."""
        if (sheet := self.sheet) is not None:
            await self.show(message.id)
            entry = next((entry for entry in sheet.page.path if entry.id == message.id), None)
            if entry is not None:
                self._take(sheet, Draft(editable(entry.content), message.id, edits=True))

    def stop_editing(self) -> None:
        """Leave the edited message as it is; a text that was changed stays as a new message."""
        if (sheet := self.sheet) is not None and sheet.draft.edits:
            self._take(sheet, Draft("" if sheet.asks_again else sheet.draft.text))

    def _take(self, sheet: Sheet, draft: Draft) -> None:
        """Put another draft into the composer."""
        sheet.take(draft)
        self._drafts.keep(sheet.page.ticket.id, draft)
        self._report(sheet, Drafted())
        self._report(sheet, Turned())

    def choose(self, name: str, value: Json) -> None:
        """Change a setting of the open conversation."""
        if (sheet := self.sheet) is not None:
            store, conversation_id = self.services.store, sheet.page.id
            sheet.choose(name, value)
            self._write(lambda: store.set_setting(conversation_id, name, value))
            self._post(Planned())

    # asking

    @property
    def busy(self) -> str:
        """Why nothing can be sent in the open conversation now; empty when something can."""
        if (sheet := self.sheet) is None:
            return "Open a ticket first."
        if self.turns.is_running(sheet.page.id):
            return "The answer is being written. Esc stops it."
        return "Another window is writing an answer here." if sheet.page.growing else ""

    @property
    def answering(self) -> bool:
        """This window is writing an answer in the open conversation."""
        return self.sheet is not None and self.turns.is_running(self.sheet.page.id)

    def send(self, *, without_ticket: bool = False) -> None:
        """Send what stands in the composer, or ask again where nothing new does; the plan on the screen is sent."""
        sheet = self.sheet
        if sheet is None or sheet.plan is None or self.busy or not sheet.may_ask:
            return
        page, plan, settings = sheet.page, sheet.plan, sheet.settings
        if not (plan.may_send or (without_ticket and plan.verdict is Verdict.TICKET_OUTSIDE)):
            return
        turns, conversation = self.turns.turns, page.conversation
        if sheet.asks_again:
            asked = page.edited.node if page.edited is not None else page.last
            events = turns.ask_again(conversation, asked.id, plan, settings, on_purpose=without_ticket)
        else:
            replaces_id = page.edited.id if page.edited is not None else None
            events = turns.send(
                conversation,
                page.last.id,
                sheet.draft.text,
                plan,
                settings,
                replaces_id=replaces_id,
                on_purpose=without_ticket,
            )
        self._begin(conversation, events, from_composer=True)

    async def ask_again(self, node: Node) -> None:
        """Ask for another answer to what this node answers, or show in the composer why it would not be sent."""
        sheet = self.sheet
        question = sheet.page.asked_by(node) if sheet else None
        if sheet is None or question is None or self.busy:
            return
        conversation = sheet.page.conversation
        path = await self._record(lambda: self.services.store.path(conversation.id, question.id))
        plan = sheet.plan_again(path)
        if plan is None or self.sheet is not sheet or self.busy:
            return
        if plan.may_send:
            events = self.turns.turns.ask_again(conversation, node.id, plan, sheet.settings)
            self._begin(conversation, events, from_composer=False)
        elif question.kind == AGENT_MESSAGE.name:
            await self.edit(question)
        else:
            await self.end_path_at(question.id)

    def stop(self) -> None:
        """Stop the answer of the open conversation."""
        if self.sheet is not None:
            self.turns.stop(self.sheet.page.id)

    def _begin(self, conversation: Conversation, events: AsyncIterator[TurnEvent], *, from_composer: bool) -> None:
        """Let a turn begin; from now on the conversation is busy."""
        self.turns.expect(conversation.id)
        self._post(Planned())
        self._spawn(self._follow(conversation, events, from_composer=from_composer), group="turn")

    async def _follow(
        self, conversation: Conversation, events: AsyncIterator[TurnEvent], *, from_composer: bool
    ) -> None:
        """Follow a turn; once it has begun, what was in the composer is in the record and leaves it."""
        try:
            async for event in self.turns.follow(conversation.id, events):
                match event:
                    case TurnStarted(answer=answer):
                        if from_composer:
                            self._leave_composer(conversation)
                        await self._refresh(conversation, cursor_id=answer.id)
                    case TurnEnded():
                        await self._ended(conversation, event)
        finally:
            self._post(Planned())

    def _leave_composer(self, conversation: Conversation) -> None:
        sheet = self._open_sheet(conversation)
        if sheet is not None:
            self._take(sheet, Draft(""))
        else:
            self._drafts.keep(conversation.ticket_id, Draft(""))

    async def _ended(self, conversation: Conversation, event: TurnEnded) -> None:
        """Show how an answer ended; where nothing came, the question goes back into the composer."""
        await self._refresh(conversation, cursor_id=event.shown_id)
        failure, sheet = failure_of(event.answer), self._open_sheet(conversation)
        if sheet is None:
            self.turns.unread.add(conversation.ticket_id)
            self._post(TicketsChanged(self._tickets or ()))
        if failure is None:
            return
        if event.shown_id != event.answer.id:
            self._post(Said(f"{conversation.ticket_id}: asking again failed. {failure.message} {failure.advice}", True))
        elif not event.answer.preview:
            await self._give_back(conversation, event.answer.parent_id)

    async def _give_back(self, conversation: Conversation, question_id: int | None) -> None:
        """Put an unanswered question back into an empty composer, to be sent again or changed."""
        store = self.services.store
        question = (await self._record(lambda: store.path(conversation.id, question_id)))[-1] if question_id else None
        if question is None or question.kind != AGENT_MESSAGE.name:
            return
        draft = Draft(editable(question.content), question.id, edits=True)
        if (sheet := self._open_sheet(conversation)) is not None:
            if not sheet.draft.text.strip():
                self._take(sheet, draft)
        elif not (await self._record(lambda: store.draft(conversation.agent, conversation.ticket_id))).text.strip():
            self._drafts.keep(conversation.ticket_id, draft)

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
        self.services.store.save_draft(self.services.agent, ticket_id, draft)

    def close(self) -> None:
        """Write what is still to be written, before returning."""
        self._recorder.close()
        self._drafts.write_now()


async def _result_of(future: Future[T]) -> T:
    return await asyncio.shield(asyncio.wrap_future(future))
