"""How many tokens a call took, out of the many shapes in which servers say it, and the calls with their figures.

OpenAI counts what was read from or written to the cache within `prompt_tokens`, and reasoning within
`completion_tokens`; `Usage` does so too. Anthropic's names count the cache beside the input, and some servers count
reasoning beside the completion: `usage_of` brings all to the one meaning.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from storage.values import Json, JsonObject

MOST_TOKENS: Final = 1_000_000_000
"""A larger figure is no count of one call's tokens."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one call, or of several together; all 0 where the server did not say.

    Attributes:
        prompt: all input, what the cache gave and took included.
        cached: of the prompt, read from the provider's cache.
        cache_write: of the prompt, written to the provider's cache.
        completion: all output, reasoning included.
        reasoning: of the completion, thought and not shown.
    """

    prompt: int = 0
    cached: int = 0
    cache_write: int = 0
    completion: int = 0
    reasoning: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt + other.prompt,
            self.cached + other.cached,
            self.cache_write + other.cache_write,
            self.completion + other.completion,
            self.reasoning + other.reasoning,
        )

    def __bool__(self) -> bool:
        """Tell whether the server said anything."""
        return bool(self.prompt or self.completion)

    @property
    def total(self) -> int:
        """Input and output together."""
        return self.prompt + self.completion


@dataclass(frozen=True, slots=True)
class Call:
    """One request with its figures, without any of its words; an erasure leaves it as it is.

    Attributes:
        request_id: unique in the record.
        node_id: the answer it was made for.
        sent_at: microseconds since 1970 UTC.
        provider: "openai" or "built-in".
        usage: as `usage_of` read it; all 0 where the server gave no figures.
        latency_ms: from sending to the end of the answer, None where no end is on record.
        failed: it ended with an error.
    """

    request_id: int
    node_id: int
    conversation_id: int
    ticket_id: str
    sent_at: int
    task: str
    task_version: str
    provider: str
    base_url: str
    model: str
    usage: Usage
    latency_ms: int | None
    failed: bool


_PROMPT: Final = ("prompt_tokens", "input_tokens", "promptTokenCount", "inputTokens", "prompt_eval_count")
_COMPLETION: Final = ("completion_tokens", "output_tokens", "candidatesTokenCount", "outputTokens", "eval_count")
_TOTAL: Final = ("total_tokens", "totalTokenCount", "totalTokens")
_REASONING: Final = ("reasoning_tokens", "thoughtsTokenCount", "thinking_tokens")
_READ_WITHIN: Final = ("cached_tokens", "prompt_cache_hit_tokens", "num_cached_tokens", "cachedContentTokenCount")
_READ_BESIDE: Final = ("cache_read_input_tokens", "cacheReadInputTokens")
_WRITTEN_WITHIN: Final = ("cache_write_tokens", "cache_creation_tokens", "cached_creation_tokens")
_WRITTEN_BESIDE: Final = ("cache_creation_input_tokens", "cacheWriteInputTokens")
_PROMPT_DETAILS: Final = ("prompt_tokens_details", "input_tokens_details", "promptTokensDetails")
_COMPLETION_DETAILS: Final = ("completion_tokens_details", "output_tokens_details", "completionTokensDetails")
_COUNTS_CACHE_WITHIN: Final = frozenset({"prompt_tokens", "promptTokenCount"})
"""Names of a prompt that counts what came from the cache, whatever the cache's own figures are called."""


def usage_of(said: JsonObject) -> Usage:
    """Read what a server said about a call; what is missing, null, negative or absurd counts as 0.

    What is read holds together: cached and written are parts of the prompt, reasoning is one of the completion.
    """
    asked, answered = _details(said, _PROMPT_DETAILS), _details(said, _COMPLETION_DETAILS)
    prompt, cached, written = _input(said, asked)
    completion = _first(said, _COMPLETION)
    reasoning = _first(answered, _REASONING) or _first(said, _REASONING)
    beyond = _first(said, _TOTAL) - prompt - completion
    if completion and beyond > 0 and beyond == (reasoning or beyond):
        # The total counts more output than the completion does: what was thought stands beside it.
        completion, reasoning = completion + beyond, beyond
    else:
        completion = max(completion, reasoning)
    return Usage(prompt, cached, written, completion, reasoning)


def _input(said: JsonObject, details: JsonObject) -> tuple[int, int, int]:
    """The prompt, and what of it was read from the cache and written to it."""
    name = next((name for name in _PROMPT if _count(said.get(name))), "")
    prompt = _count(said.get(name))
    within = _first(details, _READ_WITHIN), _first(details, (*_WRITTEN_WITHIN, *_WRITTEN_BESIDE))
    if any(within):
        cached, written = within
    else:
        cached, written = _first(said, (*_READ_BESIDE, *_READ_WITHIN)), _first(said, _WRITTEN_BESIDE)
    is_beside = name not in _COUNTS_CACHE_WITHIN and (_first(said, _READ_BESIDE) or _first(said, _WRITTEN_BESIDE))
    if is_beside or cached + written > prompt:
        prompt += cached + written
    return prompt, cached, written


def _details(said: JsonObject, names: tuple[str, ...]) -> JsonObject:
    return next((found for name in names if isinstance(found := said.get(name), Mapping)), {})


def _first(said: JsonObject, names: tuple[str, ...]) -> int:
    """The first of these that is a count above 0."""
    return next((count for name in names if (count := _count(said.get(name)))), 0)


def _count(value: Json) -> int:
    match value:
        case bool():
            return 0
        case int():
            count = value
        case float() if math.isfinite(value):
            count = round(value)
        case str() if value.isascii() and value.isdigit() and len(value) < 12:
            count = int(value)
        case _:
            return 0
    return count if 0 < count <= MOST_TOKENS else 0
