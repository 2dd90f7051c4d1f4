"""Summaries in words: what stands summarised, and what would be before the next request is sent."""

from typing import Final

from assistant.plan import Fate, Plan
from assistant.stopping import first_turns
from tui.signs import FATE_SIGNS

SIGN: Final = FATE_SIGNS[Fate.SUMMARISED]


def needed(plan: Plan) -> tuple[str, ...]:
    """What Enter does first, in sentences that become shorter."""
    turns = first_turns(plan.to_summarise)
    tokens = f"{plan.to_summarise.tokens:,} tokens" if plan.to_summarise else ""
    return (
        f"{turns} not fit. Enter first asks for a summary of them ({tokens}), then sends it in their place.",
        f"{turns} not fit: Enter first asks for a summary ({tokens}), then sends.",
        f"{turns} not fit: Enter summarises, then sends.",
        "Enter summarises, then sends.",
    )


def standing(plan: Plan) -> tuple[str, str, str]:
    """Which turns stand summarised, in words that become shorter; empty where none does."""
    turns = plan.summarised_turns
    if not turns:
        return "", "", ""
    which, briefly = ("turn 1", "1") if turns == 1 else (f"turns 1 to {turns}", f"1 to {turns}")
    return (
        f" · {SIGN} {which} summarised ({plan.summarised_tokens:,} tokens)",
        f" · {SIGN} {briefly} summarised",
        f" {SIGN} {turns}",
    )
