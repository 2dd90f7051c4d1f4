"""Writes one answer into the record, from its question to its final row; each step is reported once it is durable."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from assistant.errors import ProviderError
from assistant.plan.plan import Plan
from assistant.plan.sticky import KEPT_FROM
from assistant.provider.provider import Ended, Provider, Waiting, model_for
from assistant.turn.events import AnswerGrew, TurnEnded, TurnEvent, TurnStarted, TurnWaiting
from assistant.turn.order import Order
from storage.interactions import Node, Status
from storage.kinds import ASSISTANT_RESPONSE
from storage.store import Store
from storage.text import storable
from storage.values import JsonObject

_GOOD: Final = frozenset({Status.COMPLETE, Status.LENGTH, Status.INTERRUPTED})


@dataclass(frozen=True, slots=True)
class Ending:
    """How an answer ended, as its final row says it."""

    status: Status
    detail: JsonObject = field(default_factory=dict)

    @classmethod
    def of_stream(cls, ended: Ended) -> "Ending":
        """A stream came to its end; without the server's word for why, the answer may be incomplete."""
        match ended.finish_reason:
            case "length":
                return cls(Status.LENGTH, {"finish_reason": "length", "incomplete": True})
            case "":
                return cls(Status.COMPLETE, {"finish_reason": "", "incomplete": True})
            case reason:
                return cls(Status.COMPLETE, {"finish_reason": reason})

    @classmethod
    def of_failure(cls, error: ProviderError) -> "Ending":
        """The provider failed; what it had said is kept."""
        return cls.of_error(error.fault, error.message, error.advice, window=error.window)

    @classmethod
    def of_error(cls, kind: str, message: str, advice: str, *, window: int | None = None) -> "Ending":
        """Something failed; `window` is what a server said that its model takes."""
        error: JsonObject = {"kind": str(kind), "message": message, "advice": advice}
        if window is not None:
            error = {**error, "window": window}
        return cls(Status.ERROR, {"error": error, "incomplete": True})


INTERRUPTED: Final = Ending(Status.INTERRUPTED, {"incomplete": True})
UNEXPECTED: Final = Ending.of_error("other", "The answer ended in a way that was not foreseen.", "Ask again.")


class AnswerWriter:
    """One answer; its methods block and are called one after another, off the event loop.

    Attributes:
        answer: None until it is in the record.
        ended: what to report last; None until the final row is in the record.
    """

    def __init__(self, store: Store, provider: Provider, order: Order, report: Callable[[TurnEvent], None]) -> None:
        self._store = store
        self._provider = provider
        self._order = order
        self._report = report
        self._conversation_id = order.conversation.id
        self.answer: Node | None = None
        self.ended: TurnEnded | None = None
        self._has_text = False

    def begin(self, plan: Plan) -> tuple[Node, Plan]:
        """Record the task, the question, unless it is asked again, and the empty answer.

        Returns the answer, and the plan with the question's id in it.
        """
        self._store.keep_task(self._order.task.kept)
        question = self._question()
        question_id = question.id if question is not None else self._order.parent_id
        *history, last = plan.items
        plan = replace(plan, items=(*history, last._replace(id=question_id)))
        self.answer = self._store.begin_answer(
            self._conversation_id,
            question_id,
            model_for(self._provider, self._order.task) if self._provider.is_model else self._provider.author,
            meta=self._meta(plan),
            replaces_id=self._order.replaces_id if question is None else None,
        )
        self._report(TurnStarted(self._conversation_id, question, self.answer))
        return self.answer, plan

    @property
    def paragraph(self) -> str:
        """What parts the words of another call from those that were written before."""
        return "\n\n" if self._has_text else ""

    def write(self, text: str) -> None:
        """Append a piece; what is reported is what the record holds, without characters that no file can hold."""
        assert self.answer is not None, "an answer is begun before it is written"
        text = storable(text)
        self._store.add_text(self._conversation_id, self.answer.id, text)
        self._has_text = True
        self._report(AnswerGrew(self._conversation_id, self.answer.id, text))

    def wait(self, waiting: Waiting) -> None:
        """Tell what the answer waits for."""
        if self.answer is not None:
            self._report(TurnWaiting(self._conversation_id, self.answer.id, waiting.delay_s, waiting.reason))

    def end(self, ending: Ending) -> None:
        """Write the final row of an answer that was begun, and choose what is shown then."""
        if self.answer is None or self.ended is not None:
            return
        answer = self._store.finish(self._conversation_id, self.answer.id, ending.status, ending.detail)
        self.ended = TurnEnded(self._conversation_id, answer, answer.id)
        if answer.status is Status.ERROR and self._order.text is None:
            self.ended = replace(self.ended, shown_id=self._return_from(answer))

    def _question(self) -> Node | None:
        order = self._order
        if order.text is None:
            return None
        author = order.conversation.agent
        return self._store.add_message(
            self._conversation_id, order.parent_id, author, order.text, replaces_id=order.replaces_id
        )

    def _meta(self, plan: Plan) -> JsonObject:
        return {
            **self._order.task.facts,
            "provider": self._provider.name,
            "base_url": self._provider.base_url,
            "model": model_for(self._provider, self._order.task),
            "strategy": plan.strategy.value,
            "budget": plan.budget,
            "prompt_tokens": plan.total,
            "ticket_sent": plan.ticket_sent,
            KEPT_FROM: plan.kept_from,
        }

    def _return_from(self, failed: Node) -> int:
        """Choose the last good answer to the same question again; the failed one where there is none."""
        good = [
            node
            for node in self._store.nodes(self._conversation_id)
            if node.parent_id == failed.parent_id and node.kind == ASSISTANT_RESPONSE.name and node.status in _GOOD
        ]
        if not good:
            return failed.id
        replaced = next((node for node in good if node.id == self._order.replaces_id), good[-1])
        leaf_id = self._store.last_choice_below(self._conversation_id, replaced.id)
        self._store.select(self._conversation_id, leaf_id)
        return leaf_id
