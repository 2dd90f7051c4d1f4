"""Answers that gates have judged, for tests of what is shown and done about them."""

from turn_desk import TASK

from assistant.gates.record import record_results
from assistant.gates.results import Gate, GateResult, Outcome, Words
from storage.interactions import Node
from storage.store import Store

FAILED = GateResult(
    Gate.RULES, "numbers", 1, Outcome.FAIL, "“W999” is not in the ticket or your messages.",
    (Words(0, 4, "W999"),),
)  # fmt: skip
PASSED = GateResult(Gate.RULES, "dates", 1, Outcome.PASS, "The reply names no date.")
UNDECIDED = GateResult(Gate.RULES, "greeting", 1, Outcome.UNKNOWN, "The reply greets nobody by name.")


def judge(store: Store, answer: Node, *results: GateResult) -> None:
    """Let gate 2 have decided so about an answer."""
    record_results(store, answer.conversation_id, answer.id, Gate.RULES, TASK, results or (FAILED, PASSED, UNDECIDED))
