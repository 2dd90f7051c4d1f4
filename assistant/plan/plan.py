"""The plan: what goes into the next request, what is cut or summarised, and whether it may be sent."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple

from assistant.plan.files import FileForm
from assistant.plan.messages import Message
from assistant.tokens.sizing import UNSIZED, Sizing
from storage.values import Json, JsonObject

SYSTEM: Final = "system"
"""What a planned system message has for a kind."""

QUESTION: Final = "question"
"""What a draft has for a kind, as it is no node yet."""


HISTORY: Final = "history"
"""What the turns that a summary is made from have for a kind, as they are sent in one message."""


CHECK: Final = "check"
"""What an answer has for a kind in the plan of its self-check."""


class StrategyName(StrEnum):
    """How history is kept; each is one class in `assistant.plan.strategies`."""

    CUT = "cut"
    SELECT = "select"
    WINDOW = "window"
    SUMMARISE = "summarise"


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
    NEEDS_SUMMARY = "needs_summary"
    NEWEST_TOO_LARGE = "newest_too_large"
    FIXED_TOO_LARGE = "fixed_too_large"


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """What the agent chose for a conversation.

    Attributes:
        budget: the largest number of input tokens one request may hold.
        window_turns: how many turns before the question `window` keeps at most.
        include_notes: the ticket's internal notes are sent too.
        sticky: hold the place where the branch's previous request began while that fits, so that a provider's cache
            knows the beginning; then jump (`assistant.plan.sticky`).
        sizing: what is known of the model; no choice, but what the choices are carried out with.
    """

    strategy: StrategyName = StrategyName.CUT
    budget: int = 3_000
    window_turns: int = 6
    include_notes: bool = False
    sticky: bool = False
    sizing: Sizing = UNSIZED

    def fitted(self) -> "PlanSettings":
        """The same with the budget that leaves room for the answer in the model's window."""
        budget = self.sizing.spendable(self.budget)
        return self if budget == self.budget else replace(self, budget=budget)


class PlannedItem(NamedTuple):
    """One interaction in a plan; a tuple, because a long path makes thousands of them.

    Attributes:
        id: the interaction's id; None for what is not in the record: the system message, a draft, and the ticket of a
            conversation that has not begun.
        kind: `SYSTEM`, `QUESTION`, or the interaction's kind (what is asked again keeps its own).
        turn: 0 for the first turn of the path; -1 for the system message; of a compaction, the last turn it covers.
        message: what it renders to.
        tokens: what it takes of the budget when sent: its text and what the chat format puts around it.
        form: which form of an attached file it is; None for all else.
    """

    id: int | None
    kind: str
    turn: int
    message: Message
    tokens: int
    fate: Fate
    form: FileForm | None = None

    def as_json(self) -> JsonObject:
        """The interaction as it stands in a plan's JSON."""
        shown: dict[str, Json] = {"id": self.id, "kind": self.kind, "tokens": self.tokens, "fate": self.fate.value}
        return shown if self.form is None else {**shown, "form": self.form.value}


@dataclass(frozen=True, slots=True)
class Counts:
    """Tokens of what would be sent, by part.

    Each part is the sum of its items' tokens, so that a part's figure is that of the marks in the chat.

    Attributes:
        system: the system message.
        ticket: ticket nodes, also where one is what is asked.
        summary: the compaction that stands for the first turns.
        turns: what agents and assistants wrote before the question, with the files in between.
        question: the draft, or the agent message that is asked again.
        overhead: what belongs to the request and to no message of it (3 for OpenAI's chat models), and
            the task's tools.
        free: what the budget leaves; 0 where the plan is too large.
    """

    system: int
    ticket: int
    summary: int
    turns: int
    question: int
    overhead: int
    free: int

    @property
    def by_part(self) -> dict[str, int]:
        """Part → tokens, in the order of the request."""
        return {
            "system": self.system,
            "ticket": self.ticket,
            "summary": self.summary,
            "turns": self.turns,
            "question": self.question,
            "overhead": self.overhead,
            "free": self.free,
        }


@dataclass(frozen=True, slots=True)
class Coverage:
    """The first turns of a path, which a summary could stand for.

    Attributes:
        last_turn: of those that it covers, 0 for the first of the path.
        items: what it would be made from: all of these turns but tickets, as a newer one repeats what they say.
        tokens: what the turns take of the budget, without the ticket that is sent anyway.
        expected: tokens that are kept free for the summary.
        most: tokens that the summary may take at most.
        request: tokens of the whole request without a summary.
        first_node_id, last_node_id: the nodes that the first and the last of what is covered are, or hang on; None
            where they are not in the record yet. Only branches through the last one have all that is covered.
    """

    last_turn: int
    items: tuple[PlannedItem, ...]
    tokens: int
    expected: int
    most: int
    request: int
    first_node_id: int | None
    last_node_id: int | None

    @property
    def turns(self) -> int:
        """How many turns it covers."""
        return self.last_turn + 1

    @property
    def expected_request(self) -> int:
        """Tokens of the whole request once the summary stands, as far as can be said before."""
        return self.request - self.tokens + self.expected

    def as_json(self) -> JsonObject:
        """The coverage as `ticketree plan --json` prints it; turns count from 1, as people do."""
        return {
            "first_turn": 1,
            "last_turn": self.turns,
            "last_node": self.last_node_id,
            "tokens": self.tokens,
            "expected": self.expected,
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """One decision about one request; the meter, the marks and the bytes on the wire all come from it.

    Attributes:
        budget: what the prompt may take: the agent's, or less where the model's window leaves less.
        counter: name of the counter ("o200k_base", "estimate").
        accuracy: "exact", "near", "calibrated" or "estimate".
        items: the system message, the path oldest first (a compaction after what it covers), the question last.
        total: tokens of what would be sent; above the budget only where the verdict is "too large".
        cut_turns: how many turns have at least one interaction that is left out.
        cut_tokens: tokens of what is left out.
        ticket_sent: the newest ticket of the path is in the request (true where the path has none). An older one may
            be cut with its turn, because a newer snapshot repeats its messages.
        summarised_turns: how many of the first turns the compaction stands for; the ticket among them is sent anyway.
        summarised_tokens: what they would take if they were sent.
        first_kept: the place in `items` of the first turn that is sent for its own sake; that of the question where
            none is. Where this request begins to differ from one that keeps less.
        to_summarise: what a summary would cover; only where the verdict is that one is needed.
        chosen_budget: the agent's.
        sizing: what was known of the model.
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
    summarised_turns: int = 0
    summarised_tokens: int = 0
    first_kept: int = -1
    to_summarise: Coverage | None = None
    chosen_budget: int = 0
    sizing: Sizing = UNSIZED

    @property
    def calibrated_on(self) -> int:
        """How many answers the counts rest on; 0 where they rest on none."""
        calibration = self.sizing.calibration
        return calibration.answers if calibration is not None and self.accuracy == "calibrated" else 0

    @property
    def is_window_full(self) -> bool:
        """The model's window leaves less than the agent's budget; raising that would change nothing."""
        return self.budget < self.chosen_budget

    @property
    def is_at_window(self) -> bool:
        """The budget takes all that the model's window leaves, so that a larger one would change nothing."""
        return self.sizing.most is not None and self.budget >= self.sizing.most

    @property
    def may_send(self) -> bool:
        """Nothing stands in the way; a ticket outside the budget may still be sent on purpose."""
        return self.verdict in (Verdict.FITS, Verdict.CUT)

    @property
    def may_begin(self) -> bool:
        """Nothing stands in the way of sending but a summary, which is made first."""
        return self.may_send or self.verdict is Verdict.NEEDS_SUMMARY

    @property
    def chain(self) -> tuple[Message, ...]:
        """The messages of the request, in order."""
        return tuple(item.message for item in self.items if item.fate is Fate.SENT)

    @property
    def kept_from(self) -> int | None:
        """The interaction that `first_kept` is; the next request of the branch may hold on to it."""
        return self.items[self.first_kept].id

    def as_json(self) -> JsonObject:
        """The plan without its texts, as `ticketree plan --json` prints it and request rows keep it."""
        return {
            "strategy": self.strategy.value,
            "budget": self.budget,
            "chosen_budget": self.chosen_budget,
            "window": self.sizing.window.tokens if self.sizing.window else None,
            "answer_room": self.sizing.answer_room,
            "counter": self.counter,
            "accuracy": self.accuracy,
            "calibrated_on": self.calibrated_on,
            "verdict": self.verdict.value,
            "total": self.total,
            "ticket_sent": self.ticket_sent,
            "counts": self.counts.by_part,
            "to_summarise": self.to_summarise.as_json() if self.to_summarise else None,
            "interactions": [item.as_json() for item in self.items],
        }
