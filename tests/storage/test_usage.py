"""Whatever a server says about a call is read to one meaning, and nothing it says does harm."""

import json
from dataclasses import astuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.usage import MOST_TOKENS, Usage, usage_of
from storage.values import Json

SHAPES: dict[str, tuple[str, Usage]] = {
    "OpenAI": (
        """{"prompt_tokens": 2006, "completion_tokens": 300, "total_tokens": 2306,
        "prompt_tokens_details": {"cached_tokens": 1920, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 64, "audio_tokens": 0,
        "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0}}""",
        Usage(2006, 1920, 0, 300, 64),
    ),
    "OpenAI, responses": (
        """{"input_tokens": 2006, "input_tokens_details": {"cached_tokens": 1920}, "output_tokens": 300,
        "output_tokens_details": {"reasoning_tokens": 64}, "total_tokens": 2306}""",
        Usage(2006, 1920, 0, 300, 64),
    ),
    "vLLM": (
        '{"prompt_tokens": 45, "total_tokens": 52, "completion_tokens": 7, "prompt_tokens_details": null}',
        Usage(45, completion=7),
    ),
    "llama.cpp": (
        """{"completion_tokens": 7, "prompt_tokens": 45, "total_tokens": 52,
        "prompt_tokens_details": {"cached_tokens": 44}}""",
        Usage(45, 44, completion=7),
    ),
    "Ollama, native": (
        '{"prompt_eval_count": 26, "eval_count": 298, "prompt_eval_duration": 130079000}',
        Usage(26, completion=298),
    ),
    "Anthropic": (
        """{"input_tokens": 21, "cache_creation_input_tokens": 188086, "cache_read_input_tokens": 1000,
        "output_tokens": 393, "cache_creation": {"ephemeral_5m_input_tokens": 188086}, "service_tier": "standard"}""",
        Usage(189_107, 1000, 188_086, 393),
    ),
    "Anthropic through a gateway that counts the cache within": (
        """{"prompt_tokens": 1221, "completion_tokens": 80, "total_tokens": 1301,
        "prompt_tokens_details": {"cached_tokens": 1000, "text_tokens": null},
        "cache_creation_input_tokens": 200, "cache_read_input_tokens": 1000}""",
        Usage(1221, 1000, 0, 80),
    ),
    "Anthropic through a gateway, cache at the top": (
        """{"prompt_tokens": 1221, "completion_tokens": 80, "total_tokens": 1301,
        "cache_creation_input_tokens": 200, "cache_read_input_tokens": 1000}""",
        Usage(1221, 1000, 200, 80),
    ),
    "Anthropic through a gateway that counts the cache beside": (
        """{"prompt_tokens": 21, "completion_tokens": 80, "total_tokens": 101,
        "cache_creation_input_tokens": 200, "cache_read_input_tokens": 1000}""",
        Usage(1221, 1000, 200, 80),
    ),
    "Bedrock": (
        """{"inputTokens": 21, "outputTokens": 80, "totalTokens": 1301, "cacheReadInputTokens": 1000,
        "cacheWriteInputTokens": 200}""",
        Usage(1221, 1000, 200, 80),
    ),
    "OpenRouter": (
        """{"prompt_tokens": 1221, "completion_tokens": 80, "total_tokens": 1301, "cost": 0.00014, "is_byok": false,
        "prompt_tokens_details": {"cached_tokens": 1000, "cache_write_tokens": 200, "audio_tokens": 0},
        "cost_details": {"upstream_inference_cost": null},
        "completion_tokens_details": {"reasoning_tokens": 0, "image_tokens": 0}}""",
        Usage(1221, 1000, 200, 80),
    ),
    "DeepSeek": (
        """{"prompt_tokens": 1221, "completion_tokens": 80, "total_tokens": 1301, "prompt_cache_hit_tokens": 1000,
        "prompt_cache_miss_tokens": 221, "completion_tokens_details": {"reasoning_tokens": 30}}""",
        Usage(1221, 1000, 0, 80, 30),
    ),
    "Moonshot": (
        '{"prompt_tokens": 19, "completion_tokens": 21, "total_tokens": 40, "cached_tokens": 10}',
        Usage(19, 10, completion=21),
    ),
    "Qwen": (
        """{"prompt_tokens": 3019, "completion_tokens": 104, "total_tokens": 3123, "prompt_tokens_details":
        {"cached_tokens": 2048, "cache_creation_input_tokens": 900, "cache_type": "ephemeral"}}""",
        Usage(3019, 2048, 900, 104),
    ),
    "Grok: reasoning beside the completion": (
        """{"prompt_tokens": 37, "completion_tokens": 530, "total_tokens": 1373, "num_sources_used": 0,
        "prompt_tokens_details": {"text_tokens": 37, "audio_tokens": 0, "cached_tokens": 8},
        "completion_tokens_details": {"reasoning_tokens": 806, "audio_tokens": 0}}""",
        Usage(37, 8, 0, 1336, 806),
    ),
    "Gemini, compatible: thoughts in the total only": (
        '{"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 61}',
        Usage(9, completion=52, reasoning=50),
    ),
    "Gemini, native": (
        """{"promptTokenCount": 900, "candidatesTokenCount": 20, "totalTokenCount": 970, "thoughtsTokenCount": 50,
        "cachedContentTokenCount": 700, "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 900}]}""",
        Usage(900, 700, completion=70, reasoning=50),
    ),
    "Groq": (
        """{"queue_time": 0.0379, "prompt_tokens": 18, "prompt_time": 0.00063, "completion_tokens": 24,
        "completion_time": 0.9, "total_tokens": 42, "total_time": 0.93}""",
        Usage(18, completion=24),
    ),
    "Perplexity": (
        """{"prompt_tokens": 33, "completion_tokens": 70, "total_tokens": 103, "search_context_size": "low",
        "citation_tokens": 3029, "num_search_queries": 18, "reasoning_tokens": 10}""",
        Usage(33, completion=70, reasoning=10),
    ),
    "nulls": (
        """{"prompt_tokens": null, "completion_tokens": 7, "total_tokens": null, "prompt_tokens_details": null,
        "completion_tokens_details": {"reasoning_tokens": null}}""",
        Usage(completion=7),
    ),
    "floats and digits": ('{"prompt_tokens": 45.0, "completion_tokens": "7"}', Usage(45, completion=7)),
    "absurd": (
        """{"prompt_tokens": -45, "completion_tokens": 1e300, "total_tokens": true, "cached_tokens": [1],
        "prompt_tokens_details": {"cached_tokens": "²"}, "completion_tokens_details": [3]}""",
        Usage(),
    ),
    "a prompt of no known name beside its parts": ('{"completion_tokens_details": {"reasoning_tokens": 5}}',
                                                   Usage(completion=5, reasoning=5)),
    "nothing": ("{}", Usage()),
}  # fmt: skip

COUNTS = st.integers(0, MOST_TOKENS)
USAGES = st.builds(Usage, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS)
NAMES = st.sampled_from(
    [
        "prompt_tokens", "input_tokens", "completion_tokens", "output_tokens", "total_tokens", "cached_tokens",
        "cache_read_input_tokens", "cache_creation_input_tokens", "prompt_cache_hit_tokens", "reasoning_tokens",
        "prompt_tokens_details", "completion_tokens_details", "candidatesTokenCount", "thoughtsTokenCount",
    ]
)  # fmt: skip
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
SAID = st.dictionaries(NAMES, VALUES | st.dictionaries(NAMES, VALUES, max_size=4) | st.lists(VALUES, max_size=2))


@pytest.mark.parametrize("name", SHAPES)
def test_what_servers_say_is_read(name: str) -> None:
    text, usage = SHAPES[name]

    assert usage_of(json.loads(text)) == usage


@given(SAID)
@settings(max_examples=200)
def test_whatever_is_said_the_parts_are_within_their_wholes(said: dict[str, Json]) -> None:
    usage = usage_of(said)

    assert min(astuple(usage)) >= 0
    assert usage.cached + usage.cache_write <= usage.prompt
    assert usage.reasoning <= usage.completion
    assert usage_of(json.loads(json.dumps(said))) == usage


@given(USAGES, USAGES, USAGES)
def test_usages_add_up_in_any_order(one: Usage, two: Usage, three: Usage) -> None:
    assert (one + two) + three == three + (two + one) == sum((one, two, three), Usage())
    assert one + Usage() == one
    assert (one + two).total == one.total + two.total
    assert bool(one) is bool(one.total)


@given(USAGES)
def test_what_openai_would_say_is_read_back(usage: Usage) -> None:
    prompt = usage.prompt + usage.cached + usage.cache_write
    completion = usage.completion + usage.reasoning
    kept = min(prompt, completion) > 0 and max(prompt, completion) <= MOST_TOKENS
    said: dict[str, Json] = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": usage.cache_write},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }

    if kept:
        read = usage_of(said)
        assert read == Usage(prompt, usage.cached, usage.cache_write, completion, usage.reasoning)
