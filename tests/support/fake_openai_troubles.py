"""How the fake server misbehaves: one name for each trouble, and the bytes that make it.

A new trouble is one name in `Trouble` and one entry in `REFUSALS`, in `_MIDWAY` or in `stream`.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import Final, TypeAlias

JsonValue: TypeAlias = bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None

ANSWER: Final = "Hello wörld, this is the answer."


class Trouble(StrEnum):
    """What the server does when a model of this name is asked for."""

    NONE = "ok"
    # refusals, told by their status
    RATE = "429"
    RATE_TWICE = "429-then-ok"
    RATE_LONG = "429-long"
    RATE_DATE = "429-date"
    QUOTA = "429-quota"
    SERVER_ERROR = "500"
    UNAVAILABLE_ONCE = "503-then-ok"
    UNAVAILABLE = "503"
    HTML_ERROR = "502-html"
    GATEWAY_TIMEOUT = "504"
    PAYMENT = "402"
    BAD_KEY = "401"
    ECHOED_KEY = "403-echo"
    FORBIDDEN = "403"
    NO_MODEL = "404-model"
    NO_MODEL_OLLAMA = "404-ollama"
    NO_MODEL_GATEWAY = "400-model"
    NO_ROUTE = "404-page"
    CONTEXT = "400-context"
    CONTEXT_LLAMA = "400-context-llama"
    CONTEXT_VLLM = "400-context-vllm"
    CONTEXT_OLLAMA = "400-context-ollama"
    CONTEXT_ANTHROPIC = "400-context-anthropic"
    TOO_LARGE = "413"
    PARAMETER = "400-parameter"
    FILTERED_REQUEST = "400-filter"
    NO_STREAM_OPTIONS = "400-stream-options"
    NO_SCHEMA = "400-response-format"
    NO_GRAMMAR = "500-grammar"
    MOVED = "308"
    # connections
    HANG = "hang"
    HANG_MIDWAY = "hang-midway"
    RESET = "reset"
    RESET_ONCE = "reset-then-ok"
    RESET_MIDWAY = "reset-midway"
    EOF_MIDWAY = "eof-midway"
    CLEAN_CUT = "clean-cut"
    # streams
    NO_DONE = "no-done"
    EMPTY_200 = "empty-200"
    HTML_PAGE = "200-html"
    NO_WORDS = "no-words"
    LENGTH_WITHOUT_WORDS = "length-without-words"
    EMPTY_CHOICES = "empty-choices"
    NULL_CHOICES = "null-choices"
    LENGTH = "length"
    FILTERED = "content-filter"
    COMMENTS = "comments"
    BAD_JSON = "bad-json"
    BAD_UTF8 = "bad-utf8"
    NO_OBJECT = "no-object"
    PING = "ping"
    DEEP_JSON = "deep-json"
    ERROR_CHUNK = "error-chunk"
    ERROR_CHUNK_FIRST = "error-chunk-first"
    ERROR_TEXT = "error-text"
    ERROR_CONTEXT = "error-context"
    NULL_USAGE = "null-usage"
    NO_USAGE = "no-usage"
    HUGE = "huge"
    SPLIT_UTF8 = "split-utf8"
    PLAIN_TYPE = "plain-type"
    NOT_STREAMED = "not-streamed"
    REFUSAL = "refusal"


class Step(Enum):
    """What a stream may do beside sending bytes."""

    HANG = auto()
    RESET = auto()
    EOF = auto()
    END = auto()


@dataclass(frozen=True)
class Reply:
    """A whole answer that is no stream."""

    status: int
    body: JsonValue | str = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def encoded(self) -> bytes:
        content_type = "application/json"
        if isinstance(self.body, str):
            content_type = "text/html" if self.body.startswith("<") else "text/plain"
            body = self.body.encode()
        else:
            body = json.dumps(self.body).encode()
        headers = {"Content-Type": content_type, "Content-Length": str(len(body)), **self.headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"HTTP/1.1 {self.status} {self.status}\r\n{head}\r\n".encode() + body


def error_body(
    message: str, kind: str = "invalid_request_error", code: str | int | None = None, **more: int
) -> JsonValue:
    return {"error": {"message": message, "type": kind, "param": None, "code": code, **more}}


_RATE = error_body("Rate limit reached for requests", "requests", "rate_limit_exceeded")
_BUSY = error_body("The engine is currently overloaded", "server_error")

REFUSALS: Final[Mapping[Trouble, Reply]] = {
    Trouble.RATE: Reply(429, _RATE, {"Retry-After": "2"}),
    Trouble.RATE_TWICE: Reply(429, _RATE, {"retry-after-ms": "1500"}),
    Trouble.RATE_LONG: Reply(429, _RATE, {"Retry-After": "3600"}),
    Trouble.RATE_DATE: Reply(
        429, _RATE, {"Date": "Wed, 21 Oct 2026 07:28:00 GMT", "Retry-After": "Wed, 21 Oct 2026 07:28:07 GMT"}
    ),
    Trouble.QUOTA: Reply(
        429, error_body("You exceeded your current quota", "insufficient_quota", "insufficient_quota")
    ),
    Trouble.SERVER_ERROR: Reply(500, error_body("The server had an error", "server_error")),
    Trouble.UNAVAILABLE_ONCE: Reply(503, _BUSY),
    Trouble.UNAVAILABLE: Reply(503, _BUSY),
    Trouble.HTML_ERROR: Reply(502, "<html><head><title>502 Bad Gateway</title></head><body><h1>502</h1></body></html>"),
    Trouble.GATEWAY_TIMEOUT: Reply(504, "upstream request timeout"),
    Trouble.PAYMENT: Reply(402, error_body("Insufficient credits")),
    Trouble.BAD_KEY: Reply(401, error_body("Incorrect API key provided", code="invalid_api_key")),
    Trouble.FORBIDDEN: Reply(403, error_body("Project has no access to this model", code="model_not_allowed")),
    Trouble.NO_MODEL: Reply(404, error_body("The model `404-model` does not exist", code="model_not_found")),
    Trouble.NO_MODEL_OLLAMA: Reply(404, {"error": "model '404-ollama' not found, try pulling it first"}),
    Trouble.NO_MODEL_GATEWAY: Reply(400, error_body("400-model is not a valid model ID", code=400)),
    Trouble.NO_ROUTE: Reply(404, "404 page not found"),
    Trouble.CONTEXT: Reply(
        400,
        error_body(
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 130123 tokens.",
            code="context_length_exceeded",
        ),
    ),
    Trouble.CONTEXT_LLAMA: Reply(
        400,
        error_body(
            "the request exceeds the available context size, try increasing it",
            "exceed_context_size_error",
            400,
            n_prompt_tokens=5000,
            n_ctx=4096,
        ),
    ),
    Trouble.CONTEXT_VLLM: Reply(
        400,
        {
            "object": "error",
            "message": "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
            "type": "BadRequestError",
            "code": 400,
        },
    ),
    Trouble.CONTEXT_OLLAMA: Reply(400, {"error": "the input length exceeds the context length"}),
    Trouble.CONTEXT_ANTHROPIC: Reply(400, error_body("prompt is too long: 210000 tokens > 200000 maximum")),
    Trouble.TOO_LARGE: Reply(413, error_body("Request Entity Too Large")),
    Trouble.PARAMETER: Reply(400, error_body("Unsupported value: 'temperature' does not support 0.2 with this model.")),
    Trouble.FILTERED_REQUEST: Reply(400, error_body("The prompt was filtered", code="content_filter")),
    Trouble.NO_STREAM_OPTIONS: Reply(422, {"detail": "Extra inputs are not permitted: stream_options"}),
    Trouble.NO_SCHEMA: Reply(
        400, error_body("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.")
    ),
    Trouble.NO_GRAMMAR: Reply(500, error_body("failed to parse grammar", "server_error", 500)),
    Trouble.MOVED: Reply(308, "", {"Location": "https://models.example/v1/chat/completions"}),
    Trouble.HTML_PAGE: Reply(200, "<html><head><title>Please log in</title></head><body></body></html>"),
    Trouble.EMPTY_200: Reply(200, "", {"Content-Type": "text/event-stream"}),
    Trouble.NOT_STREAMED: Reply(
        200,
        {
            "id": "c1",
            "object": "chat.completion",
            "choices": [
                {"index": 0, "message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"},
            ],
            "usage": {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8},
        },
    ),
}
PASSES_AFTER: Final = {Trouble.RATE_TWICE: 2, Trouble.UNAVAILABLE_ONCE: 1, Trouble.RESET_ONCE: 1}
_REASONS: Final = {
    Trouble.LENGTH: "length",
    Trouble.LENGTH_WITHOUT_WORDS: "length",
    Trouble.FILTERED: "content_filter",
}
_USAGE: Final[Mapping[str, JsonValue]] = {"prompt_tokens": 21, "completion_tokens": 7, "total_tokens": 28}


def _event(document: JsonValue) -> bytes:
    return b"data: " + json.dumps(document, ensure_ascii=False).encode() + b"\n\n"


def _chunk(model: str, choices: JsonValue, **more: JsonValue) -> bytes:
    return _event(
        {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": choices, **more}
    )


def delta_event(model: str, delta: dict[str, JsonValue], reason: str | None = None) -> bytes:
    return _chunk(model, [{"index": 0, "delta": delta, "finish_reason": reason}])


def usage_event(model: str, prompt_tokens: int | None = None) -> bytes:
    prompt = {"prompt_tokens": prompt_tokens} if prompt_tokens is not None else {}
    return _chunk(model, [], usage={**_USAGE, **prompt})


def _words(trouble: Trouble, text: str) -> list[str]:
    match trouble:
        case Trouble.HUGE:
            return ["x" * 1000] * 1000
        case Trouble.NO_WORDS | Trouble.LENGTH_WITHOUT_WORDS | Trouble.EMPTY_CHOICES | Trouble.NULL_CHOICES:
            return []
        case _:
            first, *rest = text.split(" ")
            return [first, *(f" {word}" for word in rest)]


_MIDWAY: Final[Mapping[Trouble, tuple[bytes | Step, ...]]] = {
    Trouble.HANG_MIDWAY: (Step.HANG,),
    Trouble.RESET_MIDWAY: (Step.RESET,),
    Trouble.EOF_MIDWAY: (Step.EOF,),
    Trouble.CLEAN_CUT: (Step.END,),
    Trouble.COMMENTS: (b": still there\n\n", b"unknown: {oops\n\n"),
    Trouble.BAD_JSON: (b'data: {"id": "c1", "choices": [\n\n',),
    Trouble.BAD_UTF8: (b'data: {"choices": [{"delta": {"content": "\xff\xfe"}}]}\n\n',),
    Trouble.NO_OBJECT: (b"data: [1, 2]\n\n",),
    Trouble.PING: (b"event: ping\n\n",),
    Trouble.DEEP_JSON: (b"data: " + b"[" * 200_000 + b"\n\n",),
    Trouble.ERROR_CHUNK: (_event(error_body("The engine is overloaded", "server_error")),),
    Trouble.ERROR_TEXT: (_event({"error": "an error was encountered while running the model"}),),
    Trouble.ERROR_CONTEXT: (_event(error_body("maximum context length is 4096 tokens", code=400)),),
}
"""What comes after the third word."""


def stream(
    trouble: Trouble, model: str, text: str, *, with_usage: bool, prompt_tokens: int | None = None
) -> Iterator[bytes | Step]:
    if trouble is Trouble.ERROR_CHUNK_FIRST:
        yield _event(error_body("The engine is overloaded", "server_error"))
    yield delta_event(model, {"role": "assistant", "content": ""})
    for place, word in enumerate(_words(trouble, text)):
        if place == 3:
            yield from _MIDWAY.get(trouble, ())
        encoded = delta_event(model, {"refusal" if trouble is Trouble.REFUSAL else "content": word})
        if trouble is Trouble.SPLIT_UTF8 and "ö" in word:
            middle = encoded.index("ö".encode()) + 1
            yield encoded[:middle]
            yield encoded[middle:]
        else:
            yield encoded
    match trouble:
        case Trouble.EMPTY_CHOICES:
            yield _chunk(model, [])
        case Trouble.NULL_CHOICES:
            yield _chunk(model, None)
        case _:
            yield delta_event(model, {}, _REASONS.get(trouble, "stop"))
    if trouble is Trouble.NULL_USAGE:
        yield _chunk(model, [], usage={"prompt_tokens": None, "completion_tokens": 7, "total_tokens": None})
    elif with_usage and trouble is not Trouble.NO_USAGE:
        yield usage_event(model, prompt_tokens)
    if trouble is not Trouble.NO_DONE:
        yield b"data: [DONE]\n\n"
    yield Step.END
