"""What stands in the way of sending a plan, in the words of the meter; the same in the app and on the command line."""

from assistant.plan.plan import Plan, Verdict
from tui.room_text import too_large
from tui.summary_text import needed, refused


def warnings(plan: Plan, refusal: str = "") -> tuple[str, ...]:
    """What stands in the way of sending, in sentences that become shorter; nothing where it may be sent.

    `refusal` says why the summary that it needs would not be used.
    """
    match plan.verdict:
        case Verdict.FITS | Verdict.CUT:
            return ()
        case Verdict.NEEDS_SUMMARY:
            return refused(plan, refusal) if refusal else needed(plan)
        case Verdict.TICKET_OUTSIDE:
            return (
                "The ticket is outside the budget: the answer would be written without it. Nothing is sent yet.",
                "The ticket is outside the budget. Nothing is sent yet; choose:",
                "The ticket is outside the budget.",
            )
        case Verdict.NEWEST_TOO_LARGE:
            return (*too_large(plan, "Your message"), "Your message is too long.")
        case Verdict.FIXED_TOO_LARGE:
            return (*too_large(plan, "What is always sent"), "The budget is too small.")
