"""What is learned about models from what their servers say."""

from storage.measures import LearnedWindow, PromptCount
from storage.sqlite import measures
from storage.sqlite.capabilities.part import Part


class Measures(Part):
    """Recording and reading how servers count and how much they take."""

    def add_prompt_count(self, conversation_id: int, request_id: int, encoding: str, count: PromptCount) -> None:
        """Record how a request was counted, once."""
        self._write(lambda db, _: measures.add_prompt_count(db, conversation_id, request_id, encoding, count))

    def prompt_counts(self, base_url: str, model: str, encoding: str, limit: int) -> tuple[int, list[PromptCount]]:
        """Return how many requests were counted by this encoding, and the newest so many, oldest first."""
        return self._read(lambda db: measures.prompt_counts(db, base_url, model, encoding, limit))

    def learn_window(self, conversation_id: int, request_id: int, window: LearnedWindow) -> None:
        """Record what a refused request has taught, once."""
        self._write(lambda db, now: measures.learn_window(db, conversation_id, request_id, now, window))

    def learned_windows(self, base_url: str, model: str) -> list[LearnedWindow]:
        """Return what refused requests have taught of a model, oldest first."""
        return self._read(lambda db: measures.learned_windows(db, base_url, model))
