"""The ways of keeping history side by side: what each would send for the same question."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from assistant.plan.messages import Message
from assistant.plan.plan import SYSTEM, Fate, Plan, PlannedItem, StrategyName
from assistant.plan.planner import PreparedPath
from storage.kinds import TICKET


@dataclass(frozen=True, slots=True)
class Compared:
    """What one strategy makes of a request.

    Where a summary is made first, the figures are what is expected once it stands; those of the plan are without it.

    Attributes:
        plan: exactly that of a request with this strategy.
        shared_tokens: of what would be sent, those at its beginning that the branch's previous request began with too,
            so that a provider's cache may have them.
    """

    plan: Plan
    shared_tokens: int

    @property
    def strategy(self) -> StrategyName:
        """The strategy."""
        return self.plan.strategy

    @property
    def is_expected(self) -> bool:
        """A summary is made first, and the figures are an expectation."""
        return self.plan.to_summarise is not None

    @property
    def summarised_turns(self) -> int:
        """How many turns before the question a summary stands for."""
        summary = self.plan.to_summarise
        return summary.turns if summary is not None else self.plan.summarised_turns

    @property
    def cut_turns(self) -> int:
        """How many turns before the question are left out, wholly or in part; a summary leaves none."""
        return 0 if self.is_expected else self.plan.cut_turns

    @property
    def sent_turns(self) -> int:
        """How many turns before the question are sent whole."""
        return self.plan.items[-1].turn - self.cut_turns - self.summarised_turns

    @property
    def total(self) -> int:
        """Tokens of the request."""
        summary = self.plan.to_summarise
        return self.plan.total if summary is None else summary.expected_request

    @property
    def shared(self) -> float:
        """The share of the request that `shared_tokens` are."""
        return self.shared_tokens / self.total if self.total else 0.0


def compare(
    prepared: PreparedPath,
    question: str | None,
    strategies: Iterable[StrategyName] = tuple(StrategyName),
    *,
    previous: Sequence[Message] = (),
) -> tuple[Compared, ...]:
    """Plan one request with each strategy; all other settings are those of the path.

    Args:
        prepared: the path.
        question: as for `make_plan`.
        strategies: in the order of the result.
        previous: the messages of the branch's previous request (`assistant.plan.prefix`).

    Raises:
        ValueError: nothing to ask again, because the path holds no message.
    """
    return tuple(_compared(prepared, question, strategy, previous) for strategy in strategies)


def shared_tokens(items: Iterable[PlannedItem], previous: Sequence[Message]) -> int:
    """Tokens of the first items that are, message by message, those that another request began with."""
    sent = (item for item in items if item.fate is Fate.SENT)
    same = takewhile(lambda pair: pair[0].message.content == pair[1].content, zip(sent, previous, strict=False))
    return sum(item.tokens for item, _ in same)


def _compared(
    prepared: PreparedPath, question: str | None, strategy: StrategyName, previous: Sequence[Message]
) -> Compared:
    plan = replace(prepared, settings=replace(prepared.settings, strategy=strategy)).plan(question)
    items: Iterable[PlannedItem] = plan.items
    if plan.to_summarise is not None:
        # The new summary comes next, and no request had it yet.
        sent = (item for item in plan.items if item.fate is Fate.SENT)
        items = takewhile(lambda item: item.kind in (SYSTEM, TICKET.name), sent)
    return Compared(plan, shared_tokens(items, previous))
