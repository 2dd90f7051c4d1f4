"""The desk of one agent: its pages, and asking the assistant on them."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import replace

from assistant.errors import PlanStoppedError
from assistant.plan.newer_ticket import newer_ticket
from assistant.plan.plan import Plan, PlanSettings, StrategyName, Verdict
from assistant.plan.settings import plan_settings
from assistant.tasks.task import Task
from assistant.turn.events import TurnEnded, TurnEvent, TurnStarted
from assistant.turn.hooks import Report
from storage.interactions import Conversation, Draft, Node, Status
from storage.kinds import AGENT_MESSAGE
from tui.chat_items import failure_of
from tui.desk.drafts import written_since
from tui.desk.messages import Left, Planned, Said, TicketsChanged, Turned
from tui.desk.observers import SETTING, are_on, observers_of
from tui.desk.page import Page
from tui.desk.pages import Pages
from tui.display import editable
from tui.turning import observing_for, summariser_for


class Desk(Pages):
    """Sends what the plan on the screen says, and takes over what comes of it, in whatever conversation it comes."""

    @property
    def busy(self) -> str:
        """Why nothing can be sent in the open conversation now; empty when something can."""
        if self.opening:
            return f"Ticket {self.opening} is being opened."
        if (sheet := self.sheet) is None:
            return "Open a ticket first."
        if sheet.page.ticket.erased:
            return "The words of this ticket were erased; it takes nothing new."
        if self.turns.is_running(sheet.page.id):
            return f"{self.turns.preparing(sheet.page.id) or 'The answer is being written.'} Esc stops it."
        return "Another window is writing an answer here." if sheet.page.growing else ""

    @property
    def takes_text(self) -> bool:
        """What is written now stays in the composer, whether or not it can be sent yet."""
        sheet = self.sheet
        return sheet is not None and not sheet.page.ticket.erased

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
        if not (plan.may_begin or (without_ticket and plan.verdict is Verdict.TICKET_OUTSIDE)):
            return
        turns, conversation, task = self.turns.turns, page.conversation, sheet.task
        text, takes_in = sheet.question, sheet.takes_in
        # Below a version of the ticket that is taken in now, an edited message is no sibling of the earlier one.
        replaces_id = page.edited.id if page.edited is not None and not takes_in else None

        def ask(at_id: int) -> AsyncIterator[TurnEvent]:
            if text is None:
                return turns.ask_again(conversation, at_id, plan, settings, task, on_purpose=without_ticket)
            return turns.send(
                conversation, at_id, text, plan, settings, task, replaces_id=replaces_id, on_purpose=without_ticket
            )

        asked_id = sheet.asked.id if sheet.asks_again else page.last.id
        self._begin(conversation, self._taking_in(page, ask) if takes_in else ask(asked_id), sheet.draft.text)

    async def _taking_in(
        self, page: Page, ask: Callable[[int], AsyncIterator[TurnEvent]]
    ) -> AsyncGenerator[TurnEvent, None]:
        """Let the newest version of the ticket enter below what the draft follows, show it, and ask below it."""
        store = self.services.store
        node = await self._record(lambda: store.add_snapshot(page.id, page.last.id, page.ticket.snapshot))
        await self._refresh(page.conversation)
        async for event in ask(node.id):
            yield event

    async def ask_again(self, node: Node) -> None:
        """Ask for another answer to what this node answers, or show in the composer why it would not be sent."""
        sheet = self.sheet
        question = sheet.page.asked_by(node) if sheet else None
        if sheet is None or question is None or self.busy:
            return
        conversation = sheet.page.conversation
        path = await self._record(lambda: self.services.store.branch(conversation.id, question.id))
        plan = sheet.plan_again(path)
        if plan is None or self.sheet is not sheet or self.busy:
            return
        is_behind = newer_ticket(path, sheet.page.ticket) is not None
        if is_behind:
            self._post(Said("The ticket has new messages. They go along with what you send now."))
        if plan.may_begin and not is_behind:
            events = self.turns.turns.ask_again(conversation, node.id, plan, sheet.settings, sheet.task_on(path))
            self._begin(conversation, events)
        elif question.kind == AGENT_MESSAGE.name:
            await self.edit(question)
        else:
            await self.end_path_at(question.id)

    def send_below(self, parent_id: int, text: str, plan: Plan, task: Task, *, replaces_id: int | None) -> None:
        """Send a message that does not stand in the composer below a node of the open conversation."""
        sheet = self.sheet
        if sheet is None or self.busy:
            return
        conversation = sheet.page.conversation
        events = self.turns.turns.send(
            conversation, parent_id, text, plan, sheet.settings, task, replaces_id=replaces_id
        )
        self._begin(conversation, events)

    async def summarise(self) -> None:
        """Let a summary, made anew, stand for all turns of the shown path but the newest.

        Raises:
            NoSummaryError: there is nothing to cover, or it would not be worth a call.
        """
        sheet = self.sheet
        if sheet is None or self.busy:
            return
        conversation, settings = sheet.page.conversation, sheet.settings
        coverage = sheet.to_summarise()

        def make(report: Report) -> Coroutine[None, None, int]:
            return summariser_for(self.services).summarise(conversation, coverage, settings, report)

        self.turns.expect(conversation.id)
        self._post(Planned())
        self._spawn(self._summarised(conversation, make), group="turn")

    async def _summarised(
        self, conversation: Conversation, make: Callable[[Report], Coroutine[None, None, int]]
    ) -> None:
        """Wait for a summary and show it."""
        try:
            if await self.turns.make(conversation.id, make) is None:
                self._post(Said("Stopped; no summary was made."))
        finally:
            await self._refresh(conversation)
            self._post(Planned())

    def choose_once(self, strategy: StrategyName) -> None:
        """Plan the next request of the open conversation with this strategy; nothing of it is stored."""
        if (sheet := self.sheet) is not None:
            self._use_once(sheet.page.conversation, strategy if strategy is not sheet.strategy else None)
            self._post(Turned())

    def add_to_draft(self, text: str) -> None:
        """Add a text below what stands in the composer, with room to write on below it."""
        if (sheet := self.sheet) is not None:
            before = f"{sheet.draft.text.rstrip()}\n\n" if sheet.draft.text.strip() else ""
            self._take(sheet, replace(sheet.draft, text=f"{before}{editable(text)}\n\n"))

    def stop(self) -> None:
        """Stop the answer of the open conversation."""
        if self.sheet is not None:
            self.turns.stop(self.sheet.page.id)

    def _begin(self, conversation: Conversation, events: AsyncIterator[TurnEvent], composed: str | None = None) -> None:
        """Let a turn begin, with what stands in the composer if that is sent; from now on the conversation is busy."""
        self.turns.expect(conversation.id)
        self._post(Planned())
        self._spawn(self._follow(conversation, events, composed), group="turn")

    async def _follow(self, conversation: Conversation, events: AsyncIterator[TurnEvent], composed: str | None) -> None:
        """Follow a turn; once it has begun, what was sent from the composer is in the record and leaves it."""
        has_begun = False
        ended: Node | None = None
        try:
            async with aclosing(self.turns.follow(conversation.id, events)) as following:
                async for event in following:
                    match event:
                        case TurnStarted(answer=answer):
                            has_begun = True
                            self._use_once(conversation, None)
                            if composed is not None:
                                await self._leave_composer(conversation, composed)
                            await self._refresh(conversation, cursor_id=answer.id)
                            self._post(Planned())
                        case TurnEnded():
                            await self._ended(conversation, event)
                            ended = event.answer
            if not has_begun:
                self._post(Said("Stopped before anything was sent; your text is kept."))
        except PlanStoppedError:
            await self._refresh(conversation)
            raise
        finally:
            self._post(Planned())
        if ended is not None:
            await self._observe(conversation, ended)

    async def _observe(self, conversation: Conversation, answer: Node) -> None:
        """Let observers look at a complete answer where they are on, while the conversation is held; Esc stops it."""
        services = self.services

        def chosen() -> tuple[bool, PlanSettings]:
            stored = services.store.settings(conversation.id)
            return are_on(services, stored.get(SETTING)), plan_settings(stored, services.sized_defaults())

        if not services.provider.is_model or answer.status is not Status.COMPLETE:
            return
        is_on, settings = await self._record(chosen)
        if not is_on or self.turns.is_running(conversation.id):
            return

        async def look(report: Report) -> int:
            tasks = await asyncio.to_thread(observers_of, services)
            return await observing_for(services).observe(answer, tasks, settings, report)

        self.turns.expect(conversation.id)
        self._post(Planned())
        try:
            if await self.turns.make(conversation.id, look) is None:
                self._post(Said("Stopped; the answer stays, with what observers had said of it."))
        finally:
            await self._refresh(conversation)
            self._post(Planned())

    async def _leave_composer(self, conversation: Conversation, sent: str) -> None:
        """Take what was sent out of the draft; what was written after it stays, also where another ticket is open."""
        if (sheet := self._open_sheet(conversation)) is not None:
            sheet.take(Draft(written_since(sheet.draft.text, sent)))
            self._drafts.keep(conversation.ticket_id, sheet.draft)
            self._report(sheet, Left(sent))
            return
        store, pair = self.services.store, (conversation.agent, conversation.ticket_id)
        await self._record(lambda: store.save_draft(*pair, Draft(written_since(store.draft(*pair).text, sent))))

    async def _ended(self, conversation: Conversation, event: TurnEnded) -> None:
        """Show how an answer ended; where nothing came, the question goes back into the composer."""
        await self._size()
        went_back = event.shown_id != event.answer.id
        await self._refresh(conversation, cursor_id=event.shown_id if went_back else None)
        failure, sheet = failure_of(event.answer), self._open_sheet(conversation)
        if sheet is None:
            self.turns.unread.add(conversation.ticket_id)
            self._post(TicketsChanged(self._tickets or ()))
        if failure is None:
            return
        if went_back:
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
