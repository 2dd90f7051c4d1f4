"""The plans of the later requests of a turn: as the first was shown, with the tool traffic behind the question.

The traffic takes its tokens from the same budget, so older turns make room for it where they must; what the first plan
always sends is always sent.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from assistant.plan.messages import Message, ToolCall
from assistant.plan.plan import Fate, Plan, PlannedItem, Verdict
from assistant.plan.planner import PreparedPath, prepare
from assistant.tokens.counter import Counter
from assistant.tools.toolbox import LEAST_RESULT_TOKENS, MOST_RESULT_TOKENS
from assistant.turn.order import Order
from assistant.turn.tool_traffic import counted
from storage.store import Store


class StepPlans:
    """Plans for one turn; its methods block.

    Attributes:
        counter: calibrated as the first plan's.
        traffic: calls and results so far, in order.
    """

    def __init__(self, store: Store, order: Order, plan: Plan, counter: Counter) -> None:
        self.counter = order.settings.sizing.counter(counter)
        self.traffic: list[PlannedItem] = []
        self._store = store
        self._order = order
        self._first = plan
        self._base_counter = counter

    def add(self, interaction_id: int, kind: str, message: Message) -> None:
        """Take in a call or a result that is in the record."""
        tokens = self.counter.message(counted(message))
        turn = self._first.items[-1].turn
        self.traffic.append(PlannedItem(interaction_id, kind, turn, message, tokens, Fate.SENT))

    def next(self) -> Plan | None:
        """The plan of the next request; None where the traffic does not fit, whatever is cut."""
        plan = self._with_room(self._tokens)
        if plan is None:
            return None
        tokens = self._tokens
        *history, question = plan.items
        counts = plan.counts
        return replace(
            plan,
            budget=self._first.budget,
            chosen_budget=self._first.chosen_budget,
            total=plan.total + tokens,
            counts=replace(counts, turns=counts.turns + tokens),
            items=(*history, question._replace(id=self._first.items[-1].id), *self.traffic),
        )

    def room(self) -> int:
        """How many tokens another result may take; 0 where there is no room for a useful one."""
        allowance = MOST_RESULT_TOKENS
        while allowance >= LEAST_RESULT_TOKENS:
            if self._with_room(self._tokens + self._around_a_result + allowance) is not None:
                return allowance
            allowance = allowance * 2 // 3
        return 0

    @property
    def _tokens(self) -> int:
        return sum(item.tokens for item in self.traffic)

    @cached_property
    def _around_a_result(self) -> int:
        """What the chat format puts around a result."""
        return self.counter.message(Message("tool", ""))

    @cached_property
    def _path(self) -> PreparedPath:
        order = self._order
        path = self._store.branch(order.conversation.id, order.parent_id)
        return prepare(path, order.task, order.settings, self._base_counter)

    def _with_room(self, tokens: int) -> Plan | None:
        """Plan with so many tokens set aside; None where that may not be sent."""
        if tokens >= self._first.budget:
            return None
        settings = replace(self._path.settings, budget=self._first.budget - tokens)
        plan = replace(self._path, settings=settings).plan(self._order.text)
        match plan.verdict:
            case Verdict.FITS | Verdict.CUT | Verdict.NEEDS_SUMMARY:
                return plan
            case Verdict.TICKET_OUTSIDE if not self._first.ticket_sent:
                return plan
            case _:
                return None


def sent_tokens(plan: Plan, said: str, calls: Sequence[ToolCall], counter: Counter) -> int:
    """What a request and its answer took."""
    return plan.total + counter.message(counted(Message("assistant", said, tool_calls=tuple(calls))))
