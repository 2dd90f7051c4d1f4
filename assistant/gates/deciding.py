"""Holding one answer against the rules of its task."""

from collections.abc import Sequence

from assistant.gates.case import GateCase
from assistant.gates.registry import RULES
from assistant.gates.results import Gate, GateResult, Outcome
from assistant.tasks.task import RuleChoice


def decide(case: GateCase, choices: Sequence[RuleChoice]) -> tuple[GateResult, ...]:
    """Decide every rule that was chosen, in that order; the same case always gets the same results."""
    return tuple(_decided(case, choice) for choice in choices)


def _decided(case: GateCase, choice: RuleChoice) -> GateResult:
    rule = RULES.get(choice.name)
    if rule is None:
        return GateResult(Gate.RULES, choice.name, 0, Outcome.UNKNOWN, f"There is no rule “{choice.name}” here.")
    finding = rule.check(case, choice.parameters)
    return GateResult(Gate.RULES, rule.name, rule.version, finding.result, finding.detail, finding.words)
