"""Whether a server counts otherwise than an exact encoding does, each time: it adds text, or runs another model."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from assistant.tokens.counters import MESSAGE_OVERHEAD, REPLY_OVERHEAD
from storage.measures import PromptCount

LEAST_ANSWERS: Final = 5
_TOKENS: Final = 16
_SHARE: Final = 0.03
_MOST_OF_THEM: Final = 0.8


@dataclass(frozen=True, slots=True)
class Offset:
    """A difference that comes again and again.

    Attributes:
        tokens: in the middle, that the server counts more than is sent; negative where it counts less.
        answers: how many were looked at.
    """

    tokens: int
    answers: int


def offset(counts: Sequence[PromptCount]) -> Offset | None:
    """Find the difference between what was sent and what a server reports; None where there is none to speak of."""
    if len(counts) < LEAST_ANSWERS:
        return None
    sent = [count.text_tokens + MESSAGE_OVERHEAD * count.messages + REPLY_OVERHEAD for count in counts]
    differences = [count.reported - tokens for count, tokens in zip(counts, sent, strict=True)]
    middle = median(differences)
    differing = [
        difference
        for difference, tokens in zip(differences, sent, strict=True)
        if abs(difference) > max(_TOKENS, _SHARE * tokens) and (difference > 0) == (middle > 0)
    ]
    return Offset(round(middle), len(counts)) if len(differing) >= _MOST_OF_THEM * len(counts) else None
