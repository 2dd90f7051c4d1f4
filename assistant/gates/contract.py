"""Gate 1: an answer keeps the contract of its task."""

from typing import Final

from assistant.contracts import BrokenContractError, read_answer
from assistant.gates.results import Gate, GateResult, Outcome
from assistant.task import Task

RULE: Final = "contract"
"""What results of this gate have for a rule's name."""

VERSION: Final = 1


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
