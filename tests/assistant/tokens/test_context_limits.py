"""What servers say when a request is too long for their model, in the shapes that are in use."""

import pytest

from assistant.tokens.context_limits import is_too_long, window_in

NAMED = [
    # OpenAI, Azure, DeepSeek, llama-cpp-python
    ("This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.", 8192),
    ("This model's maximum context length is 4097 tokens. However, you requested 4203 tokens (3703 in the messages, "
     "500 in the completion). Please reduce the length of the messages or completion.", 4097),
    ("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 280001 tokens.", 272000),
    ("Request too large for gpt-x on tokens per min (TPM): Limit 6000, Requested 7214.", 6000),
    # OpenRouter
    ("This endpoint's maximum context length is 32768 tokens. However, you requested about 40111 tokens "
     "(39111 of text input, 1000 in the output).", 32768),
    # vLLM, SGLang
    ("The decoder prompt (length 9000) is longer than the maximum model length of 8192.", 8192),
    ("You passed 8193 input tokens and requested 0 output tokens. However, the model's context length is only 8192 "
     "tokens, resulting in a maximum input length of 8192 tokens.", 8192),
    ("'max_tokens' or 'max_completion_tokens' is too large: 9000. This model's maximum context length is 8192 tokens "
     "and your request has 512 input tokens.", 8192),
    ("The input (40000 tokens) is longer than the model's context length (32768 tokens).", 32768),
    ("Requested token count exceeds the model's maximum context length of 16384 tokens. You requested a total of "
     "17000 tokens: 16000 tokens from the input messages and 1000 tokens for the completion.", 16384),
    # llama.cpp and what is made of it
    ("request (5021 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096),
    ("Requested tokens (2285) exceed context window of 2048", 2048),
    # LM Studio
    ("Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context "
     "length of only 7866 tokens, which is not enough.", 7866),
    ("The number of tokens to keep from the initial prompt is greater than the context length "
     "(n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length.", 4096),
    ("Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)", 7424),
    # Anthropic behind a gateway
    ("AnthropicException: prompt is too long: 205668 tokens > 200000 maximum", 200000),
    ("input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or "
     "`max_tokens` and try again", 200000),
    # Gemini, Mistral, xAI, text-generation-inference, Cohere, Cerebras
    ("The input token count (1059614) exceeds the maximum number of tokens allowed (1048576).", 1048576),
    ("Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length", 32768),
    ("This model's maximum prompt length is 131072 but the request contains 140000 tokens.", 131072),
    ("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and "
     "512 `max_new_tokens`", 4096),
    ("`inputs` must have less than 4095 tokens. Given: 5000", 4095),
    ("too many tokens: the total number of tokens in the prompt cannot exceed 4081", 4081),
    ("Please reduce the length of the messages. Current length is 8200 while limit is 8192", 8192),
    ("maximum context length is 1,048,576 tokens", 1048576),
]  # fmt: skip
UNNAMED = [
    "the input length exceeds the context length",
    "prompt too long; exceeded max context length by 1407 tokens",
    "Input is too long for requested model. The prompt is too long.",
    "the request exceeds the available context size. try increasing the context size or enable context shift",
    "Please reduce the length of the messages or completion.",
    "The number of tokens to keep from the initial prompt is greater than the context length.",
]
OTHERS = [
    "The model `gpt-9` does not exist",
    "You exceeded your current quota, please check your plan and billing details.",
    "Unsupported value: 'temperature' does not support 0.2 with this model.",
    "maximum value of temperature is 2",
    "",
]


@pytest.mark.parametrize(("words", "window"), NAMED)
def test_a_window_that_is_named_is_found(words: str, window: int) -> None:
    assert is_too_long(words)
    assert window_in(words) == window


@pytest.mark.parametrize("words", UNNAMED)
def test_what_names_no_window_gives_none(words: str) -> None:
    assert is_too_long(words)
    assert window_in(words) is None


@pytest.mark.parametrize("words", OTHERS)
def test_other_refusals_are_not_taken_for_a_request_that_is_too_long(words: str) -> None:
    assert not is_too_long(words)


def test_numbers_that_cannot_be_a_window_are_none() -> None:
    assert window_in("maximum context length is 7 tokens") is None
    assert window_in("maximum context length is 99999999999999999999 tokens") is None
