"""Calibration: how a server's own counts of past requests correct ours, where its encoding is not known.

A server's prompt tokens are taken to be ratio * (tokens of the texts by our encoding) + per_message * messages +
per_request. The overheads are found by least squares on relative errors, held near what OpenAI's chat format takes
while there are few answers; the ratio is then the median over the answers, so that no single one of them counts much.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from assistant.plan.messages import Message
from assistant.tokens.counter import Counter
from assistant.tokens.counters import MESSAGE_OVERHEAD, REPLY_OVERHEAD
from storage.measures import PromptCount

LEAST_ANSWERS: Final = 3
"""With fewer, counts stay near."""

RENEWED_EVERY: Final = 10
"""Answers after which the newest are taken in; between that, an answer changes no count of any other conversation."""

MOST_ANSWERS: Final = 50
"""Older ones are forgotten, as a server may have changed."""

_RATIOS: Final = (0.2, 5.0)
_OUTLIER: Final = 1.6
"""A request whose ratio lies further from the median than by this factor takes no part."""

_NOISE: Final = 0.03
_USUAL: Final = ((MESSAGE_OVERHEAD, 4.0), (REPLY_OVERHEAD, 100.0))
"""What the overheads are taken to be before any answer, and how far they may lie from that."""

_ROUNDS: Final = 3
_TOLERATED: Final = 0.05


@dataclass(frozen=True, slots=True)
class Calibration:
    """How to come from our count to that of one server and model.

    Attributes:
        encoding: whose counts it corrects.
        ratio: of the server's tokens of a text to ours.
        per_message: tokens that it puts around each message.
        per_request: tokens that it adds to each request, such as a system message of a gateway.
        answers: how many it rests on.
    """

    encoding: str
    ratio: float
    per_message: float
    per_request: int
    answers: int

    def applied_to(self, counter: Counter) -> Counter:
        """The counter corrected; the same one where it needs no correction by this."""
        if counter.accuracy != "near" or counter.name != self.encoding:
            return counter
        return CalibratedCounter(counter, self)

    def predicted(self, count: PromptCount) -> float:
        """The tokens that the server is expected to report."""
        return self.ratio * count.text_tokens + self.per_message * count.messages + self.per_request


class CalibratedCounter:
    """Counts as a server's figures for past requests suggest."""

    accuracy = "calibrated"

    def __init__(self, counter: Counter, calibration: Calibration) -> None:
        self.name = counter.name
        self.reply_overhead = calibration.per_request
        self._counter = counter
        self._calibration = calibration

    def text(self, text: str) -> int:
        """Count a text."""
        return _rounded(self._calibration.ratio * self._counter.text(text))

    def message(self, message: Message) -> int:
        """Count a message with what the server puts around it."""
        text_tokens = self._counter.message(message) - MESSAGE_OVERHEAD
        return _rounded(self._calibration.ratio * text_tokens + self._calibration.per_message)

    def each(self, messages: Sequence[Message]) -> Sequence[int]:
        """Count each message."""
        ratio, per_message = self._calibration.ratio, self._calibration.per_message
        return [_rounded(ratio * (tokens - MESSAGE_OVERHEAD) + per_message) for tokens in self._counter.each(messages)]

    def chain(self, messages: Sequence[Message]) -> int:
        """Count a request, as the sum of its messages and what is added to each request."""
        return self.reply_overhead + sum(self.message(message) for message in messages)


def settled(answers: int) -> int:
    """How many of so many answers a calibration rests on: it is renewed after 3, 10, 20, 30 … of them."""
    if answers < RENEWED_EVERY:
        return LEAST_ANSWERS if answers >= LEAST_ANSWERS else 0
    return answers - answers % RENEWED_EVERY


def calibrate(encoding: str, counts: Sequence[PromptCount]) -> Calibration | None:
    """Find the calibration that these requests suggest; None while they are too few, or make no sense together."""
    kept = _without_outliers(counts)
    for _ in range(_ROUNDS):
        if len(kept) < LEAST_ANSWERS:
            return None
        found = _fitted(encoding, kept, answers=len(counts))
        errors = [abs(found.predicted(count) / count.reported - 1) for count in kept]
        bound = max(_TOLERATED, 4 * median(errors))
        good = [count for count, error in zip(kept, errors, strict=True) if error <= bound]
        if len(good) == len(kept):
            break
        kept = good
    return found if _RATIOS[0] <= found.ratio <= _RATIOS[1] else None


def _without_outliers(counts: Sequence[PromptCount]) -> list[PromptCount]:
    if not counts:
        return []
    ratios = [count.reported / (count.text_tokens + MESSAGE_OVERHEAD * count.messages) for count in counts]
    middle = median(ratios)
    near = zip(counts, ratios, strict=True)
    return [count for count, ratio in near if 1 / _OUTLIER <= ratio / middle <= _OUTLIER]


def _fitted(encoding: str, counts: Sequence[PromptCount], *, answers: int) -> Calibration:
    """Fit the overheads, then the ratio to them."""
    _, per_message, per_request = _least_squares(counts)
    per_message, per_request = round(max(0.0, per_message), 1), max(0, round(per_request))
    rest = [(count.reported - per_message * count.messages - per_request) / count.text_tokens for count in counts]
    return Calibration(encoding, round(median(rest), 3), per_message, per_request, answers)


def _least_squares(counts: Sequence[PromptCount]) -> tuple[float, float, float]:
    """Solve for (ratio, per message, per request), each equation divided by what was reported.

    What is usual stands in it as one more equation for each overhead, with a weight that a few answers outvote.
    """
    rows = [
        (count.text_tokens / count.reported, count.messages / count.reported, 1 / count.reported, 1.0)
        for count in counts
    ]
    for place, (usual, spread) in enumerate(_USUAL, 1):
        weight = _NOISE / spread
        rows.append((0.0, weight * (place == 1), weight * (place == 2), weight * usual))
    normal = [[sum(row[i] * row[j] for row in rows) for j in range(4)] for i in range(3)]
    return _solved(normal)


def _solved(equations: list[list[float]]) -> tuple[float, float, float]:
    """Solve three equations, each with its right side last, by elimination; the matrix is positive definite."""
    for at in range(3):
        for other in range(3):
            if other != at:
                factor = equations[other][at] / equations[at][at]
                equations[other] = [a - factor * b for a, b in zip(equations[other], equations[at], strict=True)]
    first, second, third = (equations[at][3] / equations[at][at] for at in range(3))
    return first, second, third


def _rounded(tokens: float) -> int:
    return max(0, int(tokens + 0.5))
