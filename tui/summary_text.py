"""Summaries in words: what stands summarised, and what would be before the next request is sent."""

from typing import Final

from assistant.plan.plan import Fate, Plan
from assistant.plan.stopping import first_turns
from tui.signs import FATE_SIGNS

SIGN: Final = FATE_SIGNS[Fate.SUMMARISED]


def needed(plan: Plan) -> tuple[str, ...]:
    """What Enter does first, in sentences that become shorter."""
    turns = first_turns(plan.to_summarise)
    tokens = f"{plan.to_summarise.tokens:,} tokens" if plan.to_summarise else ""
    calls = _least_calls(plan)
    many = f", at least {calls:,} calls" if calls > 1 else ""
    return (
        f"{turns} not fit. Enter first asks for a summary of them ({tokens}{many}), then sends it in their place.",
        f"{turns} not fit: Enter first asks for a summary ({tokens}{many}), then sends.",
        f"{turns} not fit: Enter summarises{many and f' ({calls:,} calls or more)'}, then sends.",
        f"Enter summarises{many and f' ({calls:,}+ calls)'}, then sends.",
    )


def refused(plan: Plan, why: str) -> tuple[str, ...]:
    """What stands in the way where the summary would not be used, in sentences that become shorter."""
    turns = first_turns(plan.to_summarise)
    return (
        f"{turns} not fit, and no summary helps: {why[:1].lower()}{why[1:]}",
        f"{turns} not fit, and no summary helps. Nothing is sent; choose:",
        f"{turns} not fit, and no summary helps.",
        "No summary helps; choose:",
    )


def _least_calls(plan: Plan) -> int:
    """How many calls a summary takes at least: each reads no more than the window, or the budget where none is known.

    The exact number costs a count of every message anew; `assistant.plan.comparing` tells it.
    """
    coverage, window = plan.to_summarise, plan.sizing.most or plan.chosen_budget
    return -(-coverage.tokens // window) if coverage is not None and window > 0 else 1


def standing(plan: Plan) -> tuple[str, str, str]:
    """Which turns stand summarised, or will before the request is sent, in words that become shorter; or none."""
    coverage, turns, tokens = plan.to_summarise, plan.summarised_turns, plan.summarised_tokens
    if coverage is not None:
        turns, tokens = coverage.turns, coverage.tokens
    if not turns:
        return "", "", ""
    which, briefly = ("turn 1", "1") if turns == 1 else (f"turns 1 to {turns}", f"1 to {turns}")
    return (
        f" · {SIGN} {which} summarised ({tokens:,} tokens)",
        f" · {SIGN} {briefly} summarised",
        f" {SIGN} {turns}",
    )
