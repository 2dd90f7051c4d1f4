"""What else happens in a turn: before its question is written, and once its answer has ended.

A new one is a class with one method, handed to `Turns`; the loop itself stays as it is.
"""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from assistant.plan.plan import Plan
from assistant.turn.events import TurnEvent
from assistant.turn.order import Order
from storage.interactions import Node
from storage.store import Store

Report: TypeAlias = Callable[[TurnEvent], None]
"""Tells who follows the turn; may be called from any thread."""


class BeforeTurn(Protocol):
    """Gets an order ready, such as by summarising what its plan covers."""

    async def prepare(self, order: Order, report: Report) -> Order:
        """Return the order to carry out: the same, or one with a plan made anew from the record.

        Called one after another, after the plan was found to be what was shown, and before anything of the turn is in
        the record; whether the plan may be sent is looked at afterwards, so a plan that may not be sent yet comes here
        too. The conversation takes no other turn meanwhile. Internal interactions may be added to nodes on the way to
        the question (through `assistant.turn.settling.settled_call`, which a cancellation waits for). A plan that was
        changed is planned once more from the record, and must be what comes of that.

        Being stopped is `asyncio.CancelledError` at an await. Any error stops the turn before its question is written
        and goes to whoever follows the turn.
        """


class AfterTurn(Protocol):
    """Looks at an answer, such as a gate, and leaves what it finds as internal interactions on it."""

    def answered(self, store: Store, order: Order, answer: Node, plan: Plan) -> None:
        """Do it; called off the event loop, one after another, however the answer ended (`answer.status`).

        The final row is in the record, and `TurnEnded` is reported afterwards, so that what is shown then holds what
        was added here. An `AssistantError` or a `StorageError` is told to the agent as it is, and the next one is
        called; any other error is raised once the end was reported.

        Args:
            store: the record.
            order: what was asked; its plan is the one that the turn began with.
            answer: with its status, its detail and its meta; its words are in the record.
            plan: as it was sent, with the question's id.
        """
