"""Gate 1: an answer keeps the contract of its task."""

from typing import Final

from assistant.builtin.assistant import NO_REPLY
from assistant.gates.record import record_results
from assistant.gates.results import Gate, GateResult, Outcome
from assistant.plan.plan import Plan
from assistant.tasks.contracts import BrokenContractError, read_answer
from assistant.tasks.task import Task
from assistant.turn.order import Order
from storage.interactions import Node, Status
from storage.store import Store

RULE: Final = "contract"
"""What results of this gate have for a rule's name."""

VERSION: Final = 1


class ContractKept:
    """Decides gate 1 after each turn, where the task has a contract; an answer that breaks it stays as it came.

    An answer that is not complete is not judged, and neither is a word of the built-in assistant to the agent.
    """

    def answered(self, store: Store, order: Order, answer: Node, plan: Plan) -> None:
        """Decide, and hang the result on the answer."""
        del plan
        ended_whole = answer.status is Status.COMPLETE and answer.detail.get("finish_reason") != NO_REPLY
        if order.task.contract is None or not ended_whole:
            return
        text = store.path(answer.conversation_id, answer.id)[-1].content
        if (result := contract_result(text, order.task)) is not None:
            record_results(store, answer.conversation_id, answer.id, Gate.CONTRACT, order.task, [result])


def contract_result(text: str, task: Task) -> GateResult | None:
    """Hold a whole answer against the contract of its task; None where the task has none.

    A contract that is itself no JSON Schema decides nothing.
    """
    if task.contract is None:
        return None
    try:
        reading = read_answer(text, task.contract)
    except BrokenContractError as error:
        detail = f"The contract of the task {task.name} cannot be used: {error}. `ticketree tasks check` tells more."
        return GateResult(Gate.CONTRACT, RULE, VERSION, Outcome.UNKNOWN, detail)
    if reading.fits:
        return GateResult(Gate.CONTRACT, RULE, VERSION, Outcome.PASS, "The answer has the form that its task asks for.")
    detail = f"The answer does not have the form that its task asks for: {'; '.join(reading.problems)}."
    return GateResult(Gate.CONTRACT, RULE, VERSION, Outcome.FAIL, detail)
