"""The answers that are being written, each in its own conversation, whatever ticket is open."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass, replace

from textual.message import Message

from assistant.events import AnswerGrew, TurnEnded, TurnEvent, TurnPreparing, TurnRemark, TurnStarted, TurnWaiting
from tui.chat_items import ChatItem
from tui.desk.messages import Grew, Said, Waits
from tui.services import Services
from tui.turning import turns_for


@dataclass(slots=True)
class _Growing:
    """An answer on its way, with the pieces that are painted."""

    node_id: int | None = None
    text: str = ""


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
                    case TurnWaiting(node_id=node_id, delay_s=delay_s, reason=reason):
                        self._post(Waits(node_id, f"{reason} Trying again in {delay_s:.0f} s."))
                    case TurnPreparing(what=text) | TurnRemark(text=text):
                        self._post(Said(text))
                    case TurnStarted(answer=answer):
                        growing.node_id = answer.id
                        yield event
                    case TurnEnded():
                        yield event
        finally:
            self._growing.pop(conversation_id, None)

    def stop(self, conversation_id: int) -> None:
        """Stop the answer of a conversation; what was shown is kept."""
        self.turns.stop(conversation_id)

    async def stop_all(self) -> None:
        """Stop all answers and wait until they are in the record."""
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
