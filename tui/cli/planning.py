"""The plan of a request from the command line, and the sentence for its verdict."""

from dataclasses import dataclass, replace

from assistant.plan import Plan, PlanSettings, StrategyName, Verdict
from assistant.planner import make_plan
from assistant.projection import Projection, project
from assistant.settings import plan_settings
from assistant.stopping import first_turns
from assistant.task import Task
from assistant.task_choice import task_of
from tui.cli.output import remark
from tui.errors import TuiError
from tui.services import Services


@dataclass(frozen=True, slots=True)
class Request:
    """What would be sent, and what it was planned from."""

    projection: Projection
    settings: PlanSettings
    task: Task
    plan: Plan


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
    plan = make_plan(projection.planned_on, text, chosen, settings, services.counter)
    return Request(projection, settings, chosen, plan)


def verdict_sentence(plan: Plan) -> str:
    """Say whether a plan may be sent, and what to do where it may not."""
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
                f"The ticket is outside the budget ({tokens}); keep it with --strategy select, raise --budget, "
                "shorten the text, or send without it on purpose (ask --send-without-ticket)."
            )
        case Verdict.NEEDS_SUMMARY if plan.to_summarise is not None:
            return (
                f"{first_turns(plan.to_summarise)} not fit beside the rest ({tokens}); asking first makes one call "
                f"that summarises them ({plan.to_summarise.tokens:,} tokens). Or raise --budget, or leave them out "
                "with --strategy select."
            )
        case Verdict.NEWEST_TOO_LARGE:
            return f"The text is too large for the budget ({tokens}); shorten it or raise --budget."
        case _:
            return f"What is always sent is larger than the budget ({tokens}); raise --budget."


def _turns(count: int) -> str:
    return "1 turn is" if count == 1 else f"{count} turns are"


def _settings(services: Services, projection: Projection) -> PlanSettings:
    defaults = services.sized_defaults()
    if projection.conversation is None:
        return defaults
    return plan_settings(services.store.settings(projection.conversation.id), defaults)
