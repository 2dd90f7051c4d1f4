"""The plan of a request from the command line, and the sentence for its verdict."""

from dataclasses import dataclass, replace
from itertools import takewhile

from assistant.plan.plan import Plan, PlanSettings, StrategyName, Verdict
from assistant.plan.planner import PreparedPath, prepare
from assistant.plan.projection import Projection, project
from assistant.plan.repeated import tried_again
from assistant.plan.settings import plan_settings
from assistant.plan.stopping import first_turns
from assistant.tasks.choice import task_of
from assistant.tasks.task import Task
from assistant.turn.foreseeing import FirstCalls, first_calls
from assistant.turn.summarising import SUMMARISE_HISTORY
from storage.interactions import Interaction, Node
from storage.kinds import ASSISTANT_RESPONSE
from tui.cli.output import remark
from tui.errors import TuiError
from tui.services import Services
from tui.signs import STATUS_WORDS


@dataclass(frozen=True, slots=True)
class Request:
    """What would be sent, and what it was planned from.

    Attributes:
        text: what would be asked.
        again: what is asked again by it, a failed answer or a question without one; None where it is something new.
    """

    projection: Projection
    prepared: PreparedPath
    settings: PlanSettings
    task: Task
    plan: Plan
    text: str
    again: Node | None

    @property
    def question(self) -> str | None:
        """What would be asked; None for what is asked again."""
        return self.text if self.again is None else None


def planned(
    services: Services,
    ticket_id: str,
    text: str,
    *,
    at: int | None,
    task: str | None = None,
    strategy: str | None,
    budget: int | None,
) -> Request:
    """Plan what a text would send below a node; options win over the conversation's settings. Nothing is written.

    Where no node is named, the newest question that failed is asked again by the same text and for the same task.

    `task` is the name of another task than the one that the branch has.

    Raises:
        TaskError: there is no such task for this agent, or its file cannot be used.
        NotFoundError: no such ticket, or no such node in this agent's conversation on it.
        TuiError: the words of the ticket were erased.
    """
    projection = project(services.store, services.agent, ticket_id, at)
    if projection.ticket.erased:
        raise TuiError(f"Nothing can be asked on ticket {ticket_id} any more: {projection.ticket.subject}")
    settings = _settings(services, projection)
    if strategy is not None:
        settings = replace(settings, strategy=StrategyName(strategy))
    if budget is not None:
        settings = replace(settings, budget=budget)
    if projection.has_newer_ticket:
        remark(f"The ticket has a newer version ({projection.ticket.snapshot}); asking takes it in first.")
    chosen = services.tasks.chosen_by(services.agent, task) if task else services.tasks.get(task_of(projection.path))
    again = _tried_again(projection, text, chosen) if at is None else None
    path = projection.planned_on if again is None else _through_question(projection, again)
    prepared = prepare(path, chosen, settings, services.counter)
    plan = prepared.plan(text if again is None else None)
    return Request(projection, prepared, settings, chosen, plan, text, again)


def _tried_again(projection: Projection, text: str, task: Task) -> Node | None:
    """What is asked again, and say so; a newer ticket, or another task, makes a new question of the same words."""
    again = None if projection.has_newer_ticket else tried_again(projection.path, text)
    if again is None or task_of(_through_question(projection, again)) != task.name:
        return None
    how = f"{STATUS_WORDS[again.status]}, so it" if again.kind == ASSISTANT_RESPONSE.name else "has no answer, so it"
    remark(f"The newest question is the same and {how} is asked again (node {again.id}).")
    return again


def _through_question(projection: Projection, again: Node) -> tuple[Interaction, ...]:
    """The path to the question of a failed answer, or to the question itself."""
    if again.kind != ASSISTANT_RESPONSE.name:
        return projection.path
    return tuple(takewhile(lambda entry: entry.id != again.id, projection.path))


def calls_before(services: Services, request: Request) -> FirstCalls | None:
    """Say what the summary takes that a request needs; None where it needs none."""
    summariser, _ = services.tasks.usable(SUMMARISE_HISTORY)
    return first_calls(request.plan, request.prepared, summariser, services.provider)


def verdict_sentence(plan: Plan, first: FirstCalls | None = None) -> str:
    """Say whether a plan may be sent, what is done first, and what to do where it may not.

    Args:
        plan: of the request.
        first: the calls that make the summary it needs.
    """
    tokens = f"{plan.total:,} of {plan.budget:,} tokens"
    match plan.verdict:
        case Verdict.FITS if plan.summarised_turns:
            return f"{_turns(plan.summarised_turns)} summarised ({plan.counts.summary:,} tokens): {tokens}."
        case Verdict.FITS:
            return f"Everything fits: {tokens}."
        case Verdict.CUT:
            return f"{_turns(plan.cut_turns)} cut ({plan.cut_tokens:,} tokens): {tokens}."
        case Verdict.TICKET_OUTSIDE:
            return (
                f"The ticket is outside the budget ({tokens}); keep it with --strategy select, {_more(plan)}, "
                "shorten the text, or send without it on purpose (ask --send-without-ticket)."
            )
        case Verdict.NEEDS_SUMMARY if plan.to_summarise is not None:
            return (
                f"{first_turns(plan.to_summarise)} not fit beside the rest ({tokens}); {_first(first)}. Or "
                f"{_more(plan)}, or leave them out with --strategy select."
            )
        case Verdict.NEWEST_TOO_LARGE:
            return f"The text is too large for the budget ({tokens}); shorten it or {_more(plan)}."
        case _:
            return f"What is always sent is larger than the budget ({tokens}); {_more(plan)}."


def _more(plan: Plan) -> str:
    return "configure a larger --window where the server has one" if plan.is_at_window else "raise --budget"


def _first(first: FirstCalls | None) -> str:
    if first is None:
        return "a summary of them has to be made first"
    if first.trouble:
        return f"no summary of them helps: {first.trouble.rstrip('.')}"
    tokens = f"{sum(first.prompts):,} tokens in, about {first.expected:,} out"
    if len(first.prompts) == 1:
        return f"asking first makes one call that summarises them ({tokens})"
    return f"asking first makes {len(first.prompts):,} calls that summarise them ({tokens})"


def _turns(count: int) -> str:
    return "1 turn is" if count == 1 else f"{count} turns are"


def _settings(services: Services, projection: Projection) -> PlanSettings:
    defaults = services.sized_defaults()
    if projection.conversation is None:
        return defaults
    return plan_settings(services.store.settings(projection.conversation.id), defaults)
