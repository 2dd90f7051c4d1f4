"""What was learned about a model from its server's own figures; numbers and names, never words of a conversation."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class PromptCount:
    """One request, counted by us and by its server.

    Attributes:
        messages: how many it held.
        text_tokens: tokens of their texts and names by our encoding, without what the chat format puts around them.
        reported: the prompt tokens that the server named, with what it had in its cache.
    """

    messages: int
    text_tokens: int
    reported: int


@dataclass(frozen=True, slots=True)
class LearnedWindow:
    """A size that a server has refused to exceed.

    Attributes:
        tokens: prompt and answer together.
        is_bound: the server named no size; the window is this large at most.
        configured: the window that was configured when this was learned, None for none. Whoever configures another
            one later has changed something, so this is no longer known.
    """

    tokens: int
    is_bound: bool
    configured: int | None


class ModelFacts(Protocol):
    """The part of the record that knows models; what any agent's requests have taught holds for all."""

    def add_prompt_count(self, conversation_id: int, request_id: int, encoding: str, count: PromptCount) -> None:
        """Record how a request was counted by an encoding, once."""

    def prompt_counts(self, base_url: str, model: str, encoding: str, limit: int) -> tuple[int, list[PromptCount]]:
        """How many requests to a model were counted by this encoding, and the newest so many, oldest first."""

    def learn_window(self, conversation_id: int, request_id: int, window: LearnedWindow) -> None:
        """Record what a request that was refused for its size has taught, once."""

    def learned_windows(self, base_url: str, model: str) -> list[LearnedWindow]:
        """What refused requests have taught of a model, oldest first."""
