"""After each answer: what the server counted is kept beside our count, or the answer is warned of."""

from typing import Final

from assistant.audit.sent_messages import SentMessages, sent_messages
from assistant.plan.plan import Plan
from assistant.tokens.counter import Counter
from assistant.tokens.counters import MESSAGE_OVERHEAD
from assistant.tokens.dropping import Reading, drop_advice, drop_warning
from assistant.turn.order import Order
from storage.interactions import Node, SentRequest
from storage.kinds import WARNING
from storage.measures import PromptCount
from storage.store import Store
from storage.usage import usage_of

AUTHOR: Final = "Ticketree"
DROPPED: Final = "prompt_dropped"
"""What a warning's meta calls a request of which the server read a part."""

_COUNTS_WELL: Final = ("exact", "near")


class Measuring:
    """Compares what was sent with what the server says it read; an `assistant.turn.hooks.AfterTurn`.

    Args:
        counter: the model's, without calibration.
    """

    def __init__(self, counter: Counter) -> None:
        self._counter = counter

    def answered(self, store: Store, order: Order, answer: Node, plan: Plan) -> None:
        """Look at all requests that were made for an answer."""
        short: list[tuple[SentRequest, Reading]] = []
        for request in store.requests(answer.conversation_id, answer.id):
            reported = usage_of(request.usage).prompt
            sent = sent_messages(request.body) if request.body is not None and reported else None
            if sent is None or not sent.messages:
                continue
            counter = order.settings.sizing.counter(self._counter)
            reading = Reading(counter.chain(sent.messages), reported, counter.accuracy, sent.characters)
            if reading.is_short:
                short.append((request, reading))
            elif sent.is_all and self._counter.accuracy in _COUNTS_WELL:
                self._keep(store, answer, request.id, sent, reported)
        if short:
            _warn(store, answer, *short[-1])

    def _keep(self, store: Store, answer: Node, request_id: int, sent: SentMessages, reported: int) -> None:
        text_tokens = sum(self._counter.message(message) - MESSAGE_OVERHEAD for message in sent.messages)
        if text_tokens:
            count = PromptCount(len(sent.messages), text_tokens, reported)
            store.add_prompt_count(answer.conversation_id, request_id, self._counter.name, count)


def _warn(store: Store, answer: Node, request: SentRequest, reading: Reading) -> None:
    store.add_internal(
        answer.conversation_id,
        answer.id,
        WARNING,
        AUTHOR,
        text=drop_warning(request.model, reading),
        meta={
            "warning": DROPPED,
            "advice": drop_advice(request.base_url),
            "sent": reading.sent,
            "read": reading.read,
            "accuracy": reading.accuracy,
        },
    )
