"""The answers that are being written, each in its own conversation, whatever ticket is open."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, replace

from textual.message import Message

from assistant.turn.events import (
    AnswerGrew,
    TurnEnded,
    TurnEvent,
    TurnPreparing,
    TurnRemark,
    TurnStarted,
    TurnStep,
    TurnWaiting,
)
from assistant.turn.hooks import Report
from assistant.turn.settling import finished
from tui.chat_items import ChatItem
from tui.desk.messages import Grew, Planned, Said, Waits
from tui.services import Services
from tui.turning import turns_for


@dataclass(slots=True)
class _Growing:
    """An answer on its way, with the pieces that are painted, or a summary that is made by hand.

    Attributes:
        preparing: what is done before the question is written, one line.
        making: the summary, where one is made by hand.
    """

    node_id: int | None = None
    text: str = ""
    preparing: str = ""
    making: asyncio.Task[int] | None = None


class RunningTurns:
    """Follows the turns of this window and reports the pieces of each answer.

    Attributes:
        unread: tickets with an answer that ended while another ticket was open.
    """

    def __init__(self, services: Services, post: Callable[[Message], object]) -> None:
        self.turns = turns_for(services)
        self.unread: set[str] = set()
        self._post = post
        self._growing: dict[int, _Growing] = {}

    @property
    def any_running(self) -> bool:
        """An answer is being written by this window."""
        return bool(self._growing)

    def is_running(self, conversation_id: int) -> bool:
        """An answer is being written, or about to be, in this conversation by this window."""
        return conversation_id in self._growing

    def preparing(self, conversation_id: int) -> str:
        """What is done before the question is written, one line; empty once it is."""
        growing = self._growing.get(conversation_id)
        return growing.preparing if growing is not None else ""

    def expect(self, conversation_id: int) -> None:
        """Hold the conversation for a turn that is about to be followed."""
        self._growing[conversation_id] = _Growing()

    async def follow(
        self, conversation_id: int, events: AsyncIterator[TurnEvent]
    ) -> AsyncGenerator[TurnStarted | TurnEnded, None]:
        """Follow a turn that is expected to its end: its pieces are reported, its start and its end handed on."""
        growing = self._growing[conversation_id]
        try:
            async for event in events:
                match event:
                    case AnswerGrew(node_id=node_id, text=text):
                        self._post(Grew(conversation_id, node_id, text))
                    case TurnWaiting():
                        self._post(Waits(event.node_id, event.words))
                    case TurnStep(node_id=node_id, what=what):
                        self._post(Waits(node_id, what))
                    case TurnPreparing():
                        self._prepare(event)
                    case TurnRemark(text=text):
                        self._post(Said(text))
                    case TurnStarted(answer=answer):
                        growing.node_id, growing.preparing = answer.id, ""
                        yield event
                    case TurnEnded():
                        yield event
        finally:
            self._growing.pop(conversation_id, None)

    async def make(self, conversation_id: int, work: Callable[[Report], Coroutine[None, None, int]]) -> int | None:
        """Make a summary by hand in a conversation that is held for it; None where it was stopped."""
        growing = self._growing[conversation_id]
        growing.making = asyncio.create_task(work(self._prepare))
        try:
            await finished(growing.making)
            return None if growing.making.cancelled() else growing.making.result()
        finally:
            growing.making.cancel()
            self._growing.pop(conversation_id, None)

    def stop(self, conversation_id: int) -> None:
        """Stop the answer of a conversation, or its summary; what was shown is kept."""
        growing = self._growing.get(conversation_id)
        if growing is not None and growing.making is not None:
            growing.making.cancel()
        self.turns.stop(conversation_id)

    def _prepare(self, event: TurnEvent) -> None:
        """Take over what is done now."""
        growing = self._growing.get(event.conversation_id)
        if isinstance(event, TurnPreparing) and growing is not None:
            growing.preparing = event.what
            self._post(Planned())

    async def stop_all(self) -> None:
        """Stop all answers and wait until they are in the record."""
        made = [growing.making for growing in self._growing.values() if growing.making is not None]
        for making in made:
            making.cancel()
        for making in made:
            await finished(making)
        await self.turns.aclose()

    def take(self, piece: Grew) -> None:
        """Take over a piece that is painted now."""
        growing = self._growing.get(piece.conversation_id)
        if growing is not None and growing.node_id == piece.node_id:
            growing.text += piece.text

    def as_painted(self, item: ChatItem) -> ChatItem:
        """An answer on its way with exactly the pieces that were painted, so that the next one fits on."""
        growing = self._growing.get(item.node.conversation_id)
        if growing is None or growing.node_id != item.id or not item.streaming:
            return item
        return replace(item, text=growing.text)
