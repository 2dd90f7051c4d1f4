"""The plan: what goes into the next request, what is cut, and whether it may be sent."""

from dataclasses import dataclass
from enum import StrEnum

from assistant.messages import Message
from storage.values import JsonObject


class StrategyName(StrEnum):
    """How history is kept; each is one class in `assistant.strategies`."""

    CUT = "cut"
    SELECT = "select"
    WINDOW = "window"


class Fate(StrEnum):
    """What happens to one interaction in the next request."""

    SENT = "sent"
    CUT = "cut"
    SUMMARISED = "summarised"


class Verdict(StrEnum):
    """Whether the plan fits, and what stands in the way if not."""

    FITS = "fits"
    CUT = "cut"
    TICKET_OUTSIDE = "ticket_outside"
    NEWEST_TOO_LARGE = "newest_too_large"
    FIXED_TOO_LARGE = "fixed_too_large"


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """What the agent chose for a conversation.

    Attributes:
        budget: the largest number of input tokens one request may hold.
        window_turns: how many turns `window` keeps at most.
        include_notes: the ticket's internal notes are sent too.
    """

    strategy: StrategyName = StrategyName.CUT
    budget: int = 3_000
    window_turns: int = 6
    include_notes: bool = False


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """One interaction in a plan.

    Attributes:
        id: the node's id; None for the system message and for a draft that is not yet in the record.
        kind: "system", "question", or the node's kind.
        turn: 0 for the first turn of the path; -1 for the system message.
        message: what it renders to.
        tokens: of the message's content and its overhead.
    """

    id: int | None
    kind: str
    turn: int
    message: Message
    tokens: int
    fate: Fate


@dataclass(frozen=True, slots=True)
class Counts:
    """Tokens by part; the parts but `free` add up to the plan's total."""

    system: int
    ticket: int
    summary: int
    turns: int
    question: int
    overhead: int
    free: int


@dataclass(frozen=True, slots=True)
class Plan:
    """One decision about one request; the meter, the marks and the bytes on the wire all come from it.

    Attributes:
        counter: name of the counter ("o200k_base", "estimate").
        accuracy: "exact", "near", "calibrated" or "estimate".
        total: tokens of what would be sent.
        items: the system message, the path oldest first, the question last.
        cut_turns: how many turns have at least one interaction that is left out.
        cut_tokens: tokens of what is left out.
        ticket_sent: every ticket message the model should see is in the request (true where the path has none).
    """

    strategy: StrategyName
    budget: int
    counter: str
    accuracy: str
    verdict: Verdict
    total: int
    counts: Counts
    items: tuple[PlannedItem, ...]
    cut_turns: int
    cut_tokens: int
    ticket_sent: bool

    @property
    def may_send(self) -> bool:
        """Nothing stands in the way; a ticket outside the budget may still be sent on purpose."""
        return self.verdict in (Verdict.FITS, Verdict.CUT)

    @property
    def chain(self) -> tuple[Message, ...]:
        """The messages of the request, in order."""
        return tuple(item.message for item in self.items if item.fate is Fate.SENT)

    def as_json(self) -> JsonObject:
        """The plan without its texts, as `ticketree plan --json` prints it and request rows keep it."""
        counts = self.counts
        return {
            "strategy": self.strategy.value,
            "budget": self.budget,
            "counter": self.counter,
            "accuracy": self.accuracy,
            "verdict": self.verdict.value,
            "total": self.total,
            "ticket_sent": self.ticket_sent,
            "counts": {
                "system": counts.system,
                "ticket": counts.ticket,
                "summary": counts.summary,
                "turns": counts.turns,
                "question": counts.question,
                "overhead": counts.overhead,
                "free": counts.free,
            },
            "interactions": [
                {"id": item.id, "kind": item.kind, "tokens": item.tokens, "fate": item.fate.value}
                for item in self.items
            ],
        }
