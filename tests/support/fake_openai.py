"""A loopback server that speaks OpenAI's Chat Completions and misbehaves on request.

The model's name chooses the trouble, so that tests need no side channel; any other name gets a proper answer. Every
request body is kept as the bytes that came. By hand, for a screen in a terminal::

    python tests/support/fake_openai.py --port 8099 --delay 0.05
    ticketree --base-url http://127.0.0.1:8099/v1 --model 429-then-ok
"""

import argparse
import asyncio
import hashlib
import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from types import TracebackType
from typing import Final, Self, TypeAlias

JsonValue: TypeAlias = bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None

ANSWER: Final = "Hello wörld, this is the answer."
DRAFT: Final = (
    "Bonjour,\n\nMerci pour votre message, et désolé pour cette attente. Votre colis a bien quitté notre entrepôt ; "
    "le transporteur annonce une livraison sous deux jours ouvrés. S'il n'est pas arrivé d'ici là, répondez "
    "simplement à ce message et nous vous en enverrons un autre sans frais.\n\nBien cordialement,\nLe service client"
)
SHORT_DRAFT: Final = (
    "Bonjour,\n\nVotre colis arrive sous deux jours ouvrés ; sinon, nous vous en renvoyons un.\n\nCordialement"
)


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


class _Step(Enum):
    """What a stream may do beside sending bytes."""

    HANG = auto()
    RESET = auto()
    EOF = auto()
    END = auto()


@dataclass(frozen=True)
class Received:
    """One request as it came.

    Attributes:
        headers: names in lower case.
        body: the exact bytes.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def sha256(self) -> str:
        """Hex digest of the body."""
        return hashlib.sha256(self.body).hexdigest()

    @property
    def json(self) -> dict[str, JsonValue]:
        """The body as an object."""
        document = json.loads(self.body)
        assert isinstance(document, dict)
        return document

    @property
    def messages(self) -> list[tuple[str, str]]:
        """(role, content) of each message."""
        return [(message["role"], message["content"]) for message in json.loads(self.body)["messages"]]


@dataclass(frozen=True)
class _Reply:
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


def _error(message: str, kind: str = "invalid_request_error", code: str | int | None = None, **more: int) -> JsonValue:
    return {"error": {"message": message, "type": kind, "param": None, "code": code, **more}}


_RATE = _error("Rate limit reached for requests", "requests", "rate_limit_exceeded")
_BUSY = _error("The engine is currently overloaded", "server_error")

_REFUSALS: Final[Mapping[Trouble, _Reply]] = {
    Trouble.RATE: _Reply(429, _RATE, {"Retry-After": "2"}),
    Trouble.RATE_TWICE: _Reply(429, _RATE, {"retry-after-ms": "1500"}),
    Trouble.RATE_LONG: _Reply(429, _RATE, {"Retry-After": "3600"}),
    Trouble.RATE_DATE: _Reply(
        429, _RATE, {"Date": "Wed, 21 Oct 2026 07:28:00 GMT", "Retry-After": "Wed, 21 Oct 2026 07:28:07 GMT"}
    ),
    Trouble.QUOTA: _Reply(429, _error("You exceeded your current quota", "insufficient_quota", "insufficient_quota")),
    Trouble.SERVER_ERROR: _Reply(500, _error("The server had an error", "server_error")),
    Trouble.UNAVAILABLE_ONCE: _Reply(503, _BUSY),
    Trouble.UNAVAILABLE: _Reply(503, _BUSY),
    Trouble.HTML_ERROR: _Reply(
        502, "<html><head><title>502 Bad Gateway</title></head><body><h1>502</h1></body></html>"
    ),
    Trouble.GATEWAY_TIMEOUT: _Reply(504, "upstream request timeout"),
    Trouble.PAYMENT: _Reply(402, _error("Insufficient credits")),
    Trouble.BAD_KEY: _Reply(401, _error("Incorrect API key provided", code="invalid_api_key")),
    Trouble.FORBIDDEN: _Reply(403, _error("Project has no access to this model", code="model_not_allowed")),
    Trouble.NO_MODEL: _Reply(404, _error("The model `404-model` does not exist", code="model_not_found")),
    Trouble.NO_MODEL_OLLAMA: _Reply(404, {"error": "model '404-ollama' not found, try pulling it first"}),
    Trouble.NO_MODEL_GATEWAY: _Reply(400, _error("400-model is not a valid model ID", code=400)),
    Trouble.NO_ROUTE: _Reply(404, "404 page not found"),
    Trouble.CONTEXT: _Reply(
        400,
        _error(
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 130123 tokens.",
            code="context_length_exceeded",
        ),
    ),
    Trouble.CONTEXT_LLAMA: _Reply(
        400,
        _error(
            "the request exceeds the available context size, try increasing it",
            "exceed_context_size_error",
            400,
            n_prompt_tokens=5000,
            n_ctx=4096,
        ),
    ),
    Trouble.CONTEXT_VLLM: _Reply(
        400,
        {
            "object": "error",
            "message": "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
            "type": "BadRequestError",
            "code": 400,
        },
    ),
    Trouble.CONTEXT_OLLAMA: _Reply(400, {"error": "the input length exceeds the context length"}),
    Trouble.CONTEXT_ANTHROPIC: _Reply(400, _error("prompt is too long: 210000 tokens > 200000 maximum")),
    Trouble.TOO_LARGE: _Reply(413, _error("Request Entity Too Large")),
    Trouble.PARAMETER: _Reply(400, _error("Unsupported value: 'temperature' does not support 0.2 with this model.")),
    Trouble.FILTERED_REQUEST: _Reply(400, _error("The prompt was filtered", code="content_filter")),
    Trouble.NO_STREAM_OPTIONS: _Reply(422, {"detail": "Extra inputs are not permitted: stream_options"}),
    Trouble.MOVED: _Reply(308, "", {"Location": "https://models.example/v1/chat/completions"}),
    Trouble.HTML_PAGE: _Reply(200, "<html><head><title>Please log in</title></head><body></body></html>"),
    Trouble.EMPTY_200: _Reply(200, "", {"Content-Type": "text/event-stream"}),
    Trouble.NOT_STREAMED: _Reply(
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
_PASSES_AFTER: Final = {Trouble.RATE_TWICE: 2, Trouble.UNAVAILABLE_ONCE: 1, Trouble.RESET_ONCE: 1}
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


def _delta(model: str, delta: dict[str, JsonValue], reason: str | None = None) -> bytes:
    return _chunk(model, [{"index": 0, "delta": delta, "finish_reason": reason}])


def _words(trouble: Trouble, text: str) -> list[str]:
    match trouble:
        case Trouble.HUGE:
            return ["x" * 1000] * 1000
        case Trouble.NO_WORDS | Trouble.LENGTH_WITHOUT_WORDS | Trouble.EMPTY_CHOICES | Trouble.NULL_CHOICES:
            return []
        case _:
            first, *rest = text.split(" ")
            return [first, *(f" {word}" for word in rest)]


_MIDWAY: Final[Mapping[Trouble, tuple[bytes | _Step, ...]]] = {
    Trouble.HANG_MIDWAY: (_Step.HANG,),
    Trouble.RESET_MIDWAY: (_Step.RESET,),
    Trouble.EOF_MIDWAY: (_Step.EOF,),
    Trouble.CLEAN_CUT: (_Step.END,),
    Trouble.COMMENTS: (b": still there\n\n", b"unknown: {oops\n\n"),
    Trouble.BAD_JSON: (b'data: {"id": "c1", "choices": [\n\n',),
    Trouble.BAD_UTF8: (b'data: {"choices": [{"delta": {"content": "\xff\xfe"}}]}\n\n',),
    Trouble.NO_OBJECT: (b"data: [1, 2]\n\n",),
    Trouble.PING: (b"event: ping\n\n",),
    Trouble.DEEP_JSON: (b"data: " + b"[" * 200_000 + b"\n\n",),
    Trouble.ERROR_CHUNK: (_event(_error("The engine is overloaded", "server_error")),),
    Trouble.ERROR_TEXT: (_event({"error": "an error was encountered while running the model"}),),
    Trouble.ERROR_CONTEXT: (_event(_error("maximum context length is 4096 tokens", code=400)),),
}
"""What comes after the third word."""


def _stream(trouble: Trouble, model: str, text: str, *, with_usage: bool) -> Iterator[bytes | _Step]:
    if trouble is Trouble.ERROR_CHUNK_FIRST:
        yield _event(_error("The engine is overloaded", "server_error"))
    yield _delta(model, {"role": "assistant", "content": ""})
    for place, word in enumerate(_words(trouble, text)):
        if place == 3:
            yield from _MIDWAY.get(trouble, ())
        encoded = _delta(model, {"refusal" if trouble is Trouble.REFUSAL else "content": word})
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
            yield _delta(model, {}, _REASONS.get(trouble, "stop"))
    if trouble is Trouble.NULL_USAGE:
        yield _chunk(model, [], usage={"prompt_tokens": None, "completion_tokens": 7, "total_tokens": None})
    elif with_usage and trouble is not Trouble.NO_USAGE:
        yield _chunk(model, [], usage=dict(_USAGE))
    if trouble is not Trouble.NO_DONE:
        yield b"data: [DONE]\n\n"
    yield _Step.END


class FakeOpenAI:
    """The server, in a thread with its own event loop; use it as a context manager.

    Args:
        text: what proper answers say; None chooses a short support draft, shorter when it is asked for.
        delay_s: between two pieces of an answer.
        port: 0 takes a free one.

    Attributes:
        requests: all chat requests, in order of arrival.
        hanging: set once a connection hangs, until the client gives up.
        left: set once a client has closed a connection that hung.
    """

    def __init__(self, *, text: str | None = ANSWER, delay_s: float = 0.0, port: int = 0) -> None:
        self.requests: list[Received] = []
        self.hanging = threading.Event()
        self.left = threading.Event()
        self._text = text
        self._delay_s = delay_s
        self._port = port
        self._asked: Counter[str] = Counter()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def url(self) -> str:
        """The base URL to configure."""
        return f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(5)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(5)

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        self._connections: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._connected, "127.0.0.1", self._port)
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while await self._answer(await _read(reader), reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            writer.close()

    async def _answer(self, request: Received, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; return whether the connection stays open."""
        if not request.path.endswith("/chat/completions"):
            return await _send(writer, _side_reply(request.path))
        self.requests.append(request)
        model = str(request.json.get("model", ""))
        self._asked[model] += 1
        trouble = self._trouble(model, request)
        match trouble:
            case Trouble.HANG:
                return await self._hang(reader)
            case Trouble.RESET | Trouble.RESET_ONCE:
                writer.transport.abort()
                return False
            case Trouble.ECHOED_KEY:
                key = request.headers.get("authorization", "")
                return await _send(writer, _Reply(403, _error(f"This key may not be used here: {key}")))
            case _ if trouble in _REFUSALS:
                return await _send(writer, _REFUSALS[trouble])
            case _:
                return await self._send_stream(trouble, model, request, reader, writer)

    def _trouble(self, model: str, request: Received) -> Trouble:
        trouble = Trouble(model) if model in set(Trouble) else Trouble.NONE
        if self._asked[model] > _PASSES_AFTER.get(trouble, self._asked[model]):
            return Trouble.NONE
        if trouble is Trouble.NO_STREAM_OPTIONS and "stream_options" not in request.json:
            return Trouble.NONE
        return trouble

    async def _hang(self, reader: asyncio.StreamReader) -> bool:
        """Say nothing until the client closes the connection."""
        self.hanging.set()
        await reader.read()
        self.hanging.clear()
        self.left.set()
        return False

    async def _send_stream(
        self,
        trouble: Trouble,
        model: str,
        request: Received,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        content_type = "text/plain" if trouble is Trouble.PLAIN_TYPE else "text/event-stream"
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        text = self._text if self._text is not None else _draft(request)
        for step in _stream(trouble, model, text, with_usage="stream_options" in request.json):
            match step:
                case bytes():
                    writer.write(f"{len(step):x}\r\n".encode() + step + b"\r\n")
                    await writer.drain()
                    await asyncio.sleep(self._delay_s)
                case _Step.END:
                    writer.write(b"0\r\n\r\n")
                    await writer.drain()
                    return True
                case _Step.HANG:
                    return await self._hang(reader)
                case _Step.RESET:
                    writer.transport.abort()
                    return False
                case _Step.EOF:
                    return False
        return True


def _draft(request: Received) -> str:
    _, question = request.messages[-1]
    return SHORT_DRAFT if any(word in question.lower() for word in ("short", "court", "brief")) else DRAFT


def _side_reply(path: str) -> _Reply:
    """What servers offer beside the chat: the list of models in OpenAI's and Ollama's way."""
    match path:
        case "/v1/models":
            return _Reply(200, {"object": "list", "data": [{"id": name.value, "object": "model"} for name in Trouble]})
        case "/api/tags":
            return _Reply(200, {"models": [{"name": name.value} for name in Trouble]})
        case "/api/version":
            return _Reply(200, {"version": "0.0.0"})
        case _:
            return _Reply(404, "404 page not found")


async def _read(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    start, *lines = head.rstrip().split("\r\n")
    method, path, _ = start.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Received(method, path, headers, await reader.readexactly(int(headers.get("content-length", "0"))))


async def _send(writer: asyncio.StreamWriter, reply: _Reply) -> bool:
    writer.write(reply.encoded())
    await writer.drain()
    return True


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--delay", type=float, default=0.05, help="seconds between two words")
    options = parser.parse_args()
    with FakeOpenAI(text=None, delay_s=options.delay, port=options.port) as server:
        print(f"{server.url}  models that misbehave: {', '.join(Trouble)}")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
