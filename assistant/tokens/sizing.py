"""The size of a request: what counts it, and how much of the model's window it may take; a snapshot of what is known.

Window, budget and room for the answer are three things: the window is the model's, the budget the agent's, and the
room is kept free of both so that there is something left to answer with.
"""

from dataclasses import dataclass
from typing import Final

from assistant.tokens.calibration import MOST_ANSWERS, RENEWED_EVERY, Calibration, calibrate, settled
from assistant.tokens.counter import Counter
from assistant.tokens.windows import Window, window_of
from storage.measures import ModelFacts

MOST_ROOM: Final = 1_024
"""Tokens kept for the answer where nothing is configured; a quarter of a small window."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is configured about sizes; None where nothing is."""

    window: int | None = None
    max_output_tokens: int | None = None


UNLIMITED: Final = Limits()
"""Nothing is configured."""


@dataclass(frozen=True, slots=True)
class Sizing:
    """What is known of a model when a request to it is planned; the same from there until its answer has ended.

    Attributes:
        window: None where it is not known; then the budget alone counts.
        answer_room: tokens of the window that no prompt takes; 0 where nothing is known to be needed.
        calibration: None where counts are exact, or only near yet.
    """

    window: Window | None = None
    answer_room: int = 0
    calibration: Calibration | None = None

    @property
    def most(self) -> int | None:
        """The largest prompt that leaves room for the answer; None where the window is not known."""
        return None if self.window is None else max(1, self.window.tokens - self.answer_room)

    def spendable(self, budget: int) -> int:
        """What of a budget a prompt may take."""
        return budget if self.most is None else min(budget, self.most)

    def counter(self, counter: Counter) -> Counter:
        """The counter as it was calibrated."""
        return counter if self.calibration is None else self.calibration.applied_to(counter)


UNSIZED: Final = Sizing()
"""Nothing is known."""


def read_sizing(facts: ModelFacts, base_url: str, model: str, counter: Counter, limits: Limits) -> Sizing:
    """Read what is known of a model from the record; the same record gives the same sizing.

    Args:
        facts: the record.
        base_url: of the server; "" for the built-in assistant, of which nothing is to be known.
        model: its name.
        counter: what counts without calibration.
        limits: what is configured.
    """
    if not base_url:
        return UNSIZED
    window = window_of(model, base_url, configured=limits.window, learned=facts.learned_windows(base_url, model))
    return Sizing(
        window=window,
        answer_room=answer_room(window, limits.max_output_tokens),
        calibration=read_calibration(facts, base_url, model, counter) if counter.accuracy == "near" else None,
    )


def answer_room(window: Window | None, max_output_tokens: int | None) -> int:
    """Tokens to keep for the answer: what it may have at most, else a quarter of the window, up to `MOST_ROOM`."""
    if max_output_tokens is not None:
        return max_output_tokens
    return 0 if window is None else min(MOST_ROOM, window.tokens // 4)


def read_calibration(facts: ModelFacts, base_url: str, model: str, counter: Counter) -> Calibration | None:
    """Read the calibration of a model's counts; None while its server's figures are too few."""
    answers, counts = facts.prompt_counts(base_url, model, counter.name, MOST_ANSWERS + RENEWED_EVERY)
    newer = answers - settled(answers)
    return calibrate(counter.name, counts[: len(counts) - newer][-MOST_ANSWERS:])
