"""Asking once more for an answer that failed a gate: what is added to the agent's message, for everybody to see."""

from collections.abc import Sequence
from typing import Final

from assistant.gates.results import GateResult

LEAD: Final = "An earlier draft did not pass these checks:"
"""The line that begins what is added; from it on a message is no word of the agent."""

_END: Final = "Write it again so that it passes them. Leave out or ask for what is not known; change nothing else."


def repair_message(question: str, failed: Sequence[GateResult]) -> str:
    """The agent's message with what failed below it; without a message, what failed alone.

    Args:
        question: what the agent had asked, "" where only the ticket was answered.
        failed: the rules that failed.
    """
    lines = "\n".join(f"- {result.rule}: {' '.join(result.detail.split())}" for result in failed)
    return "\n\n".join(filter(None, (own_words(question), f"{LEAD}\n{lines}\n{_END}")))


def own_words(message: str) -> str:
    """What of a message the agent wrote: a wrong number that a repair names was not granted by that."""
    kept, _, _ = f"\n{message}".partition(f"\n{LEAD}")
    return kept.strip()
