"""What is known of a summary before it is asked for: how it would be made, and why it would not be used."""

from dataclasses import dataclass

from assistant.errors import NoSummaryError
from assistant.plan.coverage import saves_enough
from assistant.plan.messages import Message
from assistant.plan.plan import Coverage, Plan, PlanSettings
from assistant.plan.planner import PreparedPath
from assistant.plan.rendering import summary_text
from assistant.provider.provider import Foretelling, Prompt, Provider
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter
from assistant.turn.summary_calls import summary_calls
from storage.values import JsonObject


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A summary that was not made.

    Attributes:
        prompts: tokens that each call would take.
        tokens: what the summary would take of a request; None where only a call can tell.
        trouble: why it cannot be made, a sentence; "" where it can.
        most: tokens that were left for it then.
    """

    prompts: tuple[int, ...] = ()
    tokens: int | None = None
    trouble: str = ""
    most: int = 0

    def holds_for(self, coverage: Coverage) -> bool:
        """Tell whether this still says what is known; what cannot be made may be made where more is left for it."""
        return not self.trouble or coverage.most <= self.most

    def refusal(self, coverage: Coverage) -> str:
        """Why it would not stand for these turns, a sentence; "" where it would, or where nothing is known."""
        if self.trouble:
            return self.trouble if self.holds_for(coverage) else ""
        return "" if self.tokens is None else misfit(self.tokens, coverage)


@dataclass(frozen=True, slots=True)
class FirstCalls:
    """The calls that make a summary before a request is sent: one, or a few where the turns do not fit into one.

    Attributes:
        prompts: tokens that each call takes.
        expected: tokens that the summary is expected to have, all parts together.
        trouble: why it cannot be made or would not be used, a sentence; "" where it can, as far as is known before.
    """

    prompts: tuple[int, ...]
    expected: int
    trouble: str = ""


def foresee(coverage: Coverage, settings: PlanSettings, task: Task, provider: Provider, counter: Counter) -> Foreseen:
    """Say what is known of a summary without asking a model; counts all that is covered, so not on the event loop.

    Args:
        coverage: what it would stand for.
        settings: what the request is planned with.
        task: the summariser's.
        provider: what would be asked.
        counter: the path's, as `PreparedPath` has it.
    """
    try:
        calls = summary_calls(coverage, task, settings, counter)
    except NoSummaryError as error:
        return Foreseen(trouble=str(error), most=coverage.most)
    prompts = tuple(call.total for call in calls)
    if not isinstance(provider, Foretelling):
        return Foreseen(prompts)
    text = "\n\n".join(provider.foretell(Prompt(call.chain, task)) for call in calls)
    return Foreseen(prompts, summary_tokens(text, coverage, counter))


def first_calls(plan: Plan, prepared: PreparedPath, task: Task, provider: Provider) -> FirstCalls | None:
    """Say what the summary takes that this plan needs; None where it needs none.

    Args:
        plan: one of those of the path.
        prepared: the path.
        task: the summariser's.
        provider: what would be asked.
    """
    coverage = plan.to_summarise
    if coverage is None:
        return None
    foreseen = foresee(coverage, prepared.settings, task, provider, prepared.counter)
    return FirstCalls(foreseen.prompts, coverage.expected, foreseen.refusal(coverage))


def summary_tokens(text: str, coverage: Coverage, counter: Counter) -> int:
    """What a summary takes as a message of a request."""
    return counter.message(Message("user", summary_text(text, {"covers": covered(coverage)})))


def covered(coverage: Coverage) -> JsonObject:
    """What a compaction says that it covers; turns count from 1."""
    return {
        "first_turn": 1,
        "last_turn": coverage.turns,
        "first_node": coverage.first_node_id,
        "last_node": coverage.last_node_id,
    }


def misfit(tokens: int, coverage: Coverage) -> str:
    """Why a summary of so many tokens is not used, a sentence; "" where it is."""
    if tokens > coverage.most:
        return f"The summary takes {tokens:,} tokens, and {max(0, coverage.most):,} are left for it."
    if not saves_enough(coverage.tokens, tokens, coverage.request):
        return (
            f"A summary of {turns_of(coverage)} takes {tokens:,} tokens instead of {coverage.tokens:,} and would "
            "save less than a tenth of the request."
        )
    return ""


def turns_of(coverage: Coverage) -> str:
    """Name the turns in running text: "turns 1 to 14", "turn 1"."""
    return "turn 1" if coverage.turns == 1 else f"turns 1 to {coverage.turns}"
