"""Counting tokens: one protocol; the counters are `assistant.tokens.counters`."""

from collections.abc import Sequence
from typing import Protocol

from assistant.plan.messages import Message


class Counter(Protocol):
    """Counts the tokens of a request; never raises, whatever the text, and never uses the network.

    Attributes:
        name: "o200k_base", "cl100k_base" or "estimate".
        accuracy: "exact", "near", "calibrated" or "estimate".
        reply_overhead: tokens added once per request (3 for OpenAI chat models, 0 for the estimate).
    """

    name: str
    accuracy: str
    reply_overhead: int

    def text(self, text: str) -> int:
        """Tokens of a bare text."""

    def message(self, message: Message) -> int:
        """Tokens of one message with its overhead."""

    def each(self, messages: Sequence[Message]) -> Sequence[int]:
        """Tokens of each message with its overhead, as `message` counts it; a long history is counted by this."""

    def chain(self, messages: Sequence[Message]) -> int:
        """Tokens of a whole request."""
