"""What a gate decides about one answer, rule by rule."""

from dataclasses import dataclass
from enum import StrEnum

from storage.values import JsonObject


class Gate(StrEnum):
    """Which of the two gates a rule belongs to."""

    CONTRACT = "contract"
    """Gate 1: the answer has the form that its task asks for."""

    RULES = "rules"
    """Gate 2: what it says is covered by what may be said."""


class Outcome(StrEnum):
    """What a rule says."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"
    """There was nothing to decide on, or not enough; it stops nothing."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words of the answer that decided.

    Attributes:
        start, end: where they stand in the answer's text, in characters.
        text: the words themselves, as they stand there.
    """

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class GateResult:
    """What one rule decided.

    Attributes:
        rule: the rule's name ("amounts").
        version: the rule's own version, which goes up when it would decide otherwise.
        detail: one sentence that says why; it may hold words of the answer and of the ticket.
        words: the words of the answer that decided, in the order in which they stand there.
    """

    gate: Gate
    rule: str
    version: int
    result: Outcome
    detail: str
    words: tuple[Words, ...] = ()

    def as_json(self) -> JsonObject:
        """The result as `ticketree ask --json` prints it."""
        return {"gate": self.gate.value, "rule": self.rule, "result": self.result.value, "detail": self.detail}
