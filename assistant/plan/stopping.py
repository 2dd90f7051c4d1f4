"""Why a plan is not sent, in words that name the choices."""

from assistant.errors import PlanStoppedError, StalePlanError
from assistant.plan.plan import Coverage, Plan, Verdict


def check_verdict(plan: Plan, *, on_purpose: bool, summary_first: bool = False) -> None:
    """Let a plan pass that may be sent.

    Args:
        plan: as it was shown.
        on_purpose: the agent chose to send without the ticket.
        summary_first: a summary that it needs is made before it is sent.

    Raises:
        PlanStoppedError: it may not be sent; the message names the choices.
    """
    match plan.verdict:
        case Verdict.FITS | Verdict.CUT:
            return
        case Verdict.TICKET_OUTSIDE:
            if on_purpose:
                return
            raise PlanStoppedError(
                f"The ticket does not fit in the budget of {plan.budget:,} tokens, so the answer would not know it. "
                f"Keep the ticket (strategy select), {_more(plan)}, shorten your message, or send without it on "
                "purpose."
            )
        case Verdict.NEEDS_SUMMARY:
            if summary_first:
                return
            raise PlanStoppedError(
                f"{first_turns(plan.to_summarise)} not fit in the budget of {plan.budget:,} tokens, and no summary "
                f"stands for them yet. Have one made, leave them out (strategy select), or {_more(plan)}."
            )
        case Verdict.NEWEST_TOO_LARGE:
            raise PlanStoppedError(
                f"Your message needs {plan.counts.question:,} tokens and does not fit in {_room(plan)} with what is "
                f"always sent. Shorten it, or {_more(plan)}."
            )
        case Verdict.FIXED_TOO_LARGE:
            raise PlanStoppedError(
                f"What is always sent needs {plan.total - plan.counts.question:,} tokens, more than {_room(plan)}. "
                f"Choose another strategy, or {_more(plan)}."
            )


def _room(plan: Plan) -> str:
    if plan.is_at_window and plan.sizing.window is not None:
        return f"the {plan.budget:,} that the model's window of {plan.sizing.window.tokens:,} leaves"
    return f"the budget of {plan.budget:,}"


def _more(plan: Plan) -> str:
    return "configure a larger window where the server has one" if plan.is_at_window else "raise the budget"


def first_turns(coverage: Coverage | None) -> str:
    """Name the turns that a summary would cover, and the verb to go on with: "Turns 1 to 14 do"."""
    if coverage is None or coverage.turns == 1:
        return "Turn 1 does"
    return f"Turns 1 to {coverage.turns} do"


def check_unchanged(shown: Plan, current: Plan) -> None:
    """Let a plan pass whose request is still the one that was shown.

    Ids are not compared: a conversation that began after the plan was shown has got them since.

    Raises:
        StalePlanError: something else would be sent now.
    """
    if (shown.chain, shown.verdict, shown.counts) != (current.chain, current.verdict, current.counts):
        raise StalePlanError(
            "The conversation has changed since this plan was shown. Look at what would be sent now, and send again."
        )
