"""Gate 2 in a turn: every complete answer is held against the rules of its task, once its final row is written.

The rules are imported at the first answer, not at the start: their patterns take a while to compile.
"""

from collections.abc import Sequence

from assistant.builtin.assistant import NO_REPLY
from assistant.gates.record import record_results
from assistant.gates.results import Gate
from assistant.plan.plan import Plan
from assistant.tasks.task import RuleChoice, Task
from assistant.turn.order import Order
from storage.interactions import Node, Status
from storage.store import Store


def rules_of(task: Task) -> Sequence[RuleChoice]:
    """The rules of a task: its own, else the usual ones where a customer will read its answers."""
    from assistant.gates.registry import FOR_REPLIES

    return task.rules or (() if task.is_internal else FOR_REPLIES)


class BusinessRules:
    """Decides gate 2 after each turn.

    An answer that is not complete is not judged, and neither is a word of the built-in assistant to the agent that is
    no reply; nothing is recorded about them.
    """

    def answered(self, store: Store, order: Order, answer: Node, plan: Plan) -> None:
        """Decide, and hang the results on the answer."""
        from assistant.gates.branch_case import case_of
        from assistant.gates.deciding import decide

        del plan
        choices = rules_of(order.task)
        if answer.status is not Status.COMPLETE or answer.detail.get("finish_reason") == NO_REPLY or not choices:
            return
        branch = store.branch(answer.conversation_id, answer.id)
        results = decide(case_of(branch, order.task), choices)
        record_results(store, answer.conversation_id, answer.id, Gate.RULES, order.task, results)
