"""After a request that was refused for its length: the window is learned, so that the next one fits."""

from collections.abc import Mapping

from assistant.errors import Fault
from assistant.plan.plan import Plan
from assistant.tokens.sizing import Limits
from assistant.turn.order import Order
from storage.interactions import Node
from storage.measures import LearnedWindow
from storage.store import Store


class WindowLessons:
    """Learns how much a model takes from what its server refuses; an `assistant.turn.hooks.AfterTurn`.

    Args:
        limits: what is configured; a window that is configured later has the better claim.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def answered(self, store: Store, order: Order, answer: Node, plan: Plan) -> None:
        """Keep the size that the server named, else that of the request as one that is too large."""
        error = answer.detail.get("error")
        requests = store.requests(answer.conversation_id, answer.id)
        if not isinstance(error, Mapping) or error.get("kind") != Fault.CONTEXT or not requests:
            return
        named = error.get("window")
        window = LearnedWindow(
            tokens=named if isinstance(named, int) else plan.total + (self._limits.max_output_tokens or 0),
            is_bound=not isinstance(named, int),
            configured=self._limits.window,
        )
        store.learn_window(answer.conversation_id, requests[-1].id, window)
