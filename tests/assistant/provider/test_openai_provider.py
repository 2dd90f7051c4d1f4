"""The provider against a real loopback server: what leaves, what comes back, what goes wrong."""

import asyncio
import json
import socket
import traceback
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass

import pytest
from exchanges import KeptExchanges
from fake_openai import ANSWER, FakeOpenAI, Trouble

from assistant.errors import Fault, ProviderError
from assistant.plan.messages import Message
from assistant.provider.model_settings import DEFAULT_MODEL, ModelSettings, Timeouts
from assistant.provider.openai_provider import OpenAIProvider
from assistant.provider.provider import Chunk, Ended, Prompt, TextChunk, Waiting
from assistant.provider.providers import provider_for
from storage.errors import LockedError

KEY = "sk-secret-0123456789"
CHAIN = (
    Message("system", "You draft replies."),
    Message("user", 'The ticket:\n{"text": "Où est \\"mon\\" colis ? 😀 <|endoftext|>"}', name="ticket"),
    Message("user", "a short reply,\x00 please\u2028now"),
)


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as running:
        yield running


@pytest.fixture
def own_server() -> Iterator[FakeOpenAI]:
    """A server of one test's own: the connections of no other one hang or leave there."""
    with FakeOpenAI() as running:
        yield running


@dataclass
class Asked:
    """One call of a provider, seen from outside."""

    chunks: list[Chunk]
    log: KeptExchanges
    waits: list[float]
    error: ProviderError | None

    @property
    def text(self) -> str:
        return "".join(chunk.text for chunk in self.chunks if isinstance(chunk, TextChunk))

    @property
    def waiting(self) -> list[Waiting]:
        return [chunk for chunk in self.chunks if isinstance(chunk, Waiting)]

    @property
    def failure(self) -> ProviderError:
        assert self.error is not None
        return self.error


async def ask(settings: ModelSettings, log: KeptExchanges | None = None) -> Asked:
    waits: list[float] = []

    async def no_sleep(seconds: float) -> None:
        waits.append(seconds)

    asked = Asked([], log or KeptExchanges(), waits, None)
    provider = OpenAIProvider(settings, sleep=no_sleep)
    try:
        async for chunk in provider.stream(Prompt(CHAIN), asked.log):
            asked.chunks.append(chunk)
    except ProviderError as error:
        asked.error = error
    finally:
        await provider.aclose()
    return asked


async def ask_for(server: FakeOpenAI, trouble: Trouble, timeouts: Timeouts | None = None) -> Asked:
    server.requests.clear()
    return await ask(
        ModelSettings(model=trouble, base_url=server.url, api_key=KEY, timeouts=timeouts or Timeouts(5, 5, 5))
    )


async def test_the_answer_streams_and_ends_with_reason_and_usage(server: FakeOpenAI) -> None:
    asked = await ask_for(server, Trouble.NONE)

    assert [chunk.text for chunk in asked.chunks if isinstance(chunk, TextChunk)][:2] == ["Hello", " wörld,"]
    assert asked.text == ANSWER
    assert asked.chunks[-1] == Ended("stop", {"prompt_tokens": 21, "completion_tokens": 7, "total_tokens": 28})


async def test_the_recorded_body_is_what_the_server_got_and_holds_the_chain_exactly(server: FakeOpenAI) -> None:
    asked = await ask_for(server, Trouble.NONE)

    (received,) = server.requests
    assert asked.log.bodies == [received.body]
    assert json.loads(received.body) == {
        "model": "ok",
        "messages": [
            {"role": "system", "content": CHAIN[0].content},
            {"role": "user", "content": CHAIN[1].content, "name": "ticket"},
            {"role": "user", "content": CHAIN[2].content},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
    }


async def test_what_came_back_is_recorded_raw_with_status_usage_and_latency(server: FakeOpenAI) -> None:
    asked = await ask_for(server, Trouble.NONE)

    (exchange,) = asked.log.exchanges
    assert exchange.status_code == 200
    assert exchange.error == ""
    assert exchange.usage == {"prompt_tokens": 21, "completion_tokens": 7, "total_tokens": 28}
    assert exchange.latency_ms >= 0
    assert exchange.response is not None
    assert exchange.response.startswith(b"data: {")
    assert exchange.response.endswith(b"data: [DONE]\n\n")


async def test_nothing_leaves_when_the_record_cannot_be_written(server: FakeOpenAI) -> None:
    server.requests.clear()
    log = KeptExchanges(refusal=LockedError("The database is busy; try again."))

    with pytest.raises(LockedError):
        await ask(ModelSettings(model="ok", base_url=server.url), log)

    assert server.requests == []
    assert log.exchanges == []


async def test_temperature_and_output_limit_are_sent_only_when_set(server: FakeOpenAI) -> None:
    server.requests.clear()
    await ask(ModelSettings(model="ok", base_url=server.url, temperature=0.0, max_output_tokens=300))

    body = server.requests[0].json
    assert body["temperature"] == 0.0
    assert body["max_tokens"] == 300


def test_openai_itself_gets_the_newer_name_of_the_output_limit() -> None:
    assert OpenAIProvider(ModelSettings(api_key=KEY, max_output_tokens=300)).params() == {
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_completion_tokens": 300,
    }


async def test_a_server_of_ones_own_needs_no_key(server: FakeOpenAI) -> None:
    server.requests.clear()
    asked = await ask(ModelSettings(model="ok", base_url=server.url))

    assert asked.error is None
    assert server.requests[0].headers["authorization"] == "Bearer none"


@pytest.mark.parametrize(
    ("trouble", "text"),
    [
        (Trouble.NO_DONE, ANSWER),
        (Trouble.COMMENTS, ANSWER),
        (Trouble.SPLIT_UTF8, ANSWER),
        (Trouble.PLAIN_TYPE, ANSWER),
        (Trouble.NOT_STREAMED, ANSWER),
        (Trouble.REFUSAL, ANSWER),
        (Trouble.HUGE, "x" * 1_000_000),
    ],
    ids=lambda value: value if isinstance(value, Trouble) else "",
)
async def test_odd_but_whole_answers_are_read(server: FakeOpenAI, trouble: Trouble, text: str) -> None:
    asked = await ask_for(server, trouble)

    assert asked.text == text
    assert asked.error is None
    ended = asked.chunks[-1]
    assert isinstance(ended, Ended)
    assert ended.finish_reason == "stop"
    assert ended.refused is (trouble is Trouble.REFUSAL)


async def test_a_token_limit_is_told_apart_from_a_full_answer(server: FakeOpenAI) -> None:
    asked = await ask_for(server, Trouble.LENGTH)

    ended = asked.chunks[-1]
    assert isinstance(ended, Ended)
    assert ended.finish_reason == "length"


async def test_a_stream_that_ends_cleanly_without_a_reason_says_so(server: FakeOpenAI) -> None:
    asked = await ask_for(server, Trouble.CLEAN_CUT)

    assert asked.text == "Hello wörld, this"
    assert asked.chunks[-1] == Ended("", {})


@pytest.mark.parametrize(("trouble", "usage"), [(Trouble.NULL_USAGE, {"completion_tokens": 7}), (Trouble.NO_USAGE, {})])
async def test_missing_and_null_usage_is_no_failure(
    server: FakeOpenAI, trouble: Trouble, usage: dict[str, int]
) -> None:
    asked = await ask_for(server, trouble)

    assert asked.chunks[-1] == Ended("stop", usage)


@dataclass(frozen=True)
class Failing:
    """A trouble with what a person must be told of it."""

    trouble: Trouble
    fault: Fault
    status: int | None
    message: str
    advice: str
    attempts: int = 1
    text: str = ""


HEARD = "Hello wörld, this"
FAILURES = [
    Failing(Trouble.BAD_KEY, Fault.AUTH, 401, "{host} did not accept the API key.", "OPENAI_API_KEY"),
    Failing(Trouble.FORBIDDEN, Fault.PERMISSION, 403, "{host} does not allow this key to use '403': Project", "access"),
    Failing(Trouble.NO_MODEL, Fault.MODEL, 404, "{host} has no model named '404-model'.", "--model"),
    Failing(Trouble.NO_MODEL_OLLAMA, Fault.MODEL, 404, "no model named '404-ollama'.", "ollama pull 404-ollama"),
    Failing(Trouble.NO_MODEL_GATEWAY, Fault.MODEL, 400, "no model named '400-model'.", "--model"),
    Failing(Trouble.NO_ROUTE, Fault.OTHER, 404, "There is no chat service at http://{host}/v1", "ends in /v1"),
    Failing(Trouble.CONTEXT, Fault.CONTEXT, 400, "it takes 128,000 tokens", "older turns are left out"),
    Failing(Trouble.CONTEXT_LLAMA, Fault.CONTEXT, 400, "it takes 4,096 tokens", "older turns are left out"),
    Failing(Trouble.CONTEXT_VLLM, Fault.CONTEXT, 400, "it takes 8,192 tokens", "older turns are left out"),
    Failing(Trouble.CONTEXT_OLLAMA, Fault.CONTEXT, 400, "which does not say how much it takes.", "remembered"),
    Failing(Trouble.CONTEXT_ANTHROPIC, Fault.CONTEXT, 400, "it takes 200,000 tokens", "older turns are left out"),
    Failing(Trouble.TOO_LARGE, Fault.CONTEXT, 413, "which does not say how much it takes.", "remembered"),
    Failing(Trouble.PARAMETER, Fault.BAD_REQUEST, 400, "(status 400): Unsupported value: 'temperature'", "settings"),
    Failing(Trouble.FILTERED_REQUEST, Fault.FILTERED, 400, "The content filter of {host} stopped", "differently"),
    Failing(Trouble.MOVED, Fault.OTHER, 308, "has moved to https://models.example/v1/chat/completions.", "base URL"),
    Failing(Trouble.QUOTA, Fault.PERMISSION, 429, "used up its quota", "billing"),
    Failing(Trouble.PAYMENT, Fault.PERMISSION, 402, "used up its quota", "billing"),
    Failing(Trouble.RATE, Fault.RATE, 429, "{host} is asked too often right now.", "in 2 seconds", attempts=3),
    Failing(Trouble.RATE_DATE, Fault.RATE, 429, "{host} is asked too often right now.", "in 7 seconds", attempts=3),
    Failing(Trouble.RATE_LONG, Fault.RATE, 429, "{host} is asked too often right now.", "in 3600 seconds"),
    Failing(Trouble.SERVER_ERROR, Fault.SERVER, 500, "{host} failed with status 500: The server had an", "moment", 3),
    Failing(Trouble.HTML_ERROR, Fault.SERVER, 502, "{host} failed with status 502: 502 Bad Gateway.", "moment", 3),
    Failing(Trouble.UNAVAILABLE, Fault.SERVER, 503, "{host} failed with status 503: The engine", "moment", 3),
    Failing(Trouble.GATEWAY_TIMEOUT, Fault.TIMEOUT, 504, "{host} took too long to answer.", "Ask again"),
    Failing(Trouble.HTML_PAGE, Fault.MALFORMED, None, "a web page instead of an answer: Please log in.", "base URL"),
    Failing(Trouble.RESET, Fault.CUT, None, "{host} closed the connection before the answer.", "Ask again", 3),
    Failing(Trouble.RESET_MIDWAY, Fault.CUT, None, "broke in the middle of the answer.", "kept", text=HEARD),
    Failing(Trouble.EOF_MIDWAY, Fault.CUT, None, "broke in the middle of the answer.", "kept", text=HEARD),
    Failing(Trouble.BAD_JSON, Fault.MALFORMED, None, "sent something that is no piece", "kept", text=HEARD),
    Failing(Trouble.BAD_UTF8, Fault.MALFORMED, None, "sent something that is no piece", "kept", text=HEARD),
    Failing(Trouble.NO_OBJECT, Fault.MALFORMED, None, "sent something that is no piece", "kept", text=HEARD),
    Failing(Trouble.PING, Fault.MALFORMED, None, "sent something that is no piece", "kept", text=HEARD),
    Failing(Trouble.DEEP_JSON, Fault.MALFORMED, None, "sent something that is no piece", "kept", text=HEARD),
    Failing(Trouble.ERROR_CHUNK, Fault.SERVER, None, "broke off with an error: The engine", "again", text=HEARD),
    Failing(Trouble.ERROR_TEXT, Fault.SERVER, None, "with an error: an error was encountered", "again", text=HEARD),
    Failing(Trouble.ERROR_CONTEXT, Fault.CONTEXT, None, "it takes 4,096 tokens", "remembered", text=HEARD),
    Failing(Trouble.ERROR_CHUNK_FIRST, Fault.SERVER, None, "broke off with an error", "ask again", attempts=3),
    Failing(Trouble.EMPTY_200, Fault.EMPTY, None, "{host} ended its answer without a word.", "Ask again"),
    Failing(Trouble.NO_WORDS, Fault.EMPTY, None, "{host} ended its answer without a word.", "Ask again"),
    Failing(Trouble.EMPTY_CHOICES, Fault.EMPTY, None, "{host} ended its answer without a word.", "Ask again"),
    Failing(Trouble.NULL_CHOICES, Fault.EMPTY, None, "{host} ended its answer without a word.", "Ask again"),
    Failing(Trouble.LENGTH_WITHOUT_WORDS, Fault.EMPTY, None, "used up its output tokens", "more output tokens"),
    Failing(Trouble.FILTERED, Fault.FILTERED, None, "The content filter of {host} stopped", "differently", text=ANSWER),
]


@pytest.mark.parametrize("case", FAILURES, ids=lambda case: case.trouble)
async def test_each_failure_says_what_to_do_and_each_attempt_is_recorded(server: FakeOpenAI, case: Failing) -> None:
    asked = await ask_for(server, case.trouble)

    host = server.url.removeprefix("http://").removesuffix("/v1")
    error = asked.failure
    assert error.fault is case.fault
    assert error.status_code == case.status
    assert case.message.format(host=host) in error.message
    assert error.message.endswith(".")
    assert case.advice in error.advice
    assert asked.text == case.text
    assert len(server.requests) == case.attempts

    numbers = range(1, case.attempts + 1)
    assert asked.log.attempts == [f"{what} {number}" for number in numbers for what in ("sending", "received")]
    assert asked.log.bodies == [request.body for request in server.requests]
    assert all(exchange.error for exchange in asked.log.exchanges)
    assert asked.log.exchanges[-1].error == asked.failure.message
    assert KEY not in repr(
        (asked.chunks, asked.log.bodies, asked.log.exchanges, str(asked.error), asked.error.__dict__)
    )


async def test_a_key_that_the_server_echoes_is_taken_out(server: FakeOpenAI) -> None:
    asked = await ask_for(server, Trouble.ECHOED_KEY)

    response = asked.log.exchanges[0].response
    assert response is not None
    assert b"[API key]" in response
    assert KEY.encode() not in response
    assert "may not be used here: Bearer [API key]" in asked.failure.message
    assert KEY not in "".join(traceback.format_exception(asked.failure))


async def test_a_server_that_asks_for_a_key_where_none_is_set_says_so(server: FakeOpenAI) -> None:
    asked = await ask(ModelSettings(model=Trouble.BAD_KEY, base_url=server.url))

    assert asked.failure.fault is Fault.AUTH
    assert "asks for an API key" in asked.failure.message


@pytest.mark.parametrize(
    ("trouble", "waits"),
    [
        (Trouble.RATE_TWICE, [1.5, 1.5]),
        (Trouble.UNAVAILABLE_ONCE, [1.0]),
        (Trouble.RESET_ONCE, [1.0]),
    ],
)
async def test_passing_failures_are_retried_in_plain_sight(trouble: Trouble, waits: list[float]) -> None:
    with FakeOpenAI() as server:
        asked = await ask_for(server, trouble)

    assert asked.text == ANSWER
    assert asked.waits == waits
    assert [(chunk.attempt, chunk.delay_s) for chunk in asked.waiting] == list(enumerate(waits, start=1))
    assert all(chunk.reason.endswith(".") for chunk in asked.waiting)
    assert len(asked.log.exchanges) == len(waits) + 1
    assert asked.log.exchanges[-1].error == ""


async def test_waits_grow_and_end_after_three_attempts(server: FakeOpenAI) -> None:
    asked = await ask_for(server, Trouble.SERVER_ERROR)

    assert asked.waits == [1.0, 3.0]


async def test_usage_is_given_up_where_the_server_does_not_know_the_option(server: FakeOpenAI) -> None:
    asked = await ask_for(server, Trouble.NO_STREAM_OPTIONS)

    assert asked.text == ANSWER
    assert asked.waits == []
    assert [chunk.delay_s for chunk in asked.waiting] == [0.0]
    assert ["stream_options" in json.loads(body) for body in asked.log.bodies] == [True, False]
    assert [exchange.status_code for exchange in asked.log.exchanges] == [422, 200]


@pytest.mark.parametrize(
    ("trouble", "message", "text"),
    [
        (Trouble.HANG, "sent nothing for 0.05 seconds", ""),
        (Trouble.HANG_MIDWAY, "fell silent for 0.05 seconds in the middle", HEARD),
    ],
)
async def test_silence_is_given_up_on(server: FakeOpenAI, trouble: Trouble, message: str, text: str) -> None:
    limits = Timeouts(5, 0.05, 5) if trouble is Trouble.HANG else Timeouts(5, 5, 0.05)
    asked = await ask_for(server, trouble, limits)

    assert asked.failure.fault is Fault.TIMEOUT
    assert message in asked.failure.message
    assert asked.text == text
    assert len(asked.log.exchanges) == 1


async def test_a_refused_connection_says_that_nothing_answers_there() -> None:
    asked = await ask(ModelSettings(base_url=f"http://127.0.0.1:{free_port()}/v1"))

    assert asked.failure.fault is Fault.REFUSED
    assert "Nothing answers at 127.0.0.1:" in asked.failure.message
    assert "ollama serve" in asked.failure.advice
    assert asked.waits == [1.0, 3.0]
    assert [exchange.response for exchange in asked.log.exchanges] == [None, None, None]


async def test_an_unknown_host_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    asked = await ask(ModelSettings(base_url="http://models.invalid/v1"))

    assert asked.failure.fault is Fault.NAME
    assert "no server named models.invalid" in asked.failure.message
    assert asked.waits == []


async def test_a_server_without_tls_is_told_apart() -> None:
    async def answer_plainly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer_plainly, "127.0.0.1", 0) as plain:
        port = plain.sockets[0].getsockname()[1]
        asked = await ask(ModelSettings(base_url=f"https://127.0.0.1:{port}/v1"))

    assert asked.failure.fault is Fault.OTHER
    assert f"No secure connection to 127.0.0.1:{port} could be made" in asked.failure.message
    assert "http://" in asked.failure.advice
    assert asked.waits == []


@pytest.mark.parametrize("url", ["localhost:11434/v1", "http:///v1", "ftp://host/v1", "http://host:port/v1"])
async def test_an_address_that_is_none_is_refused_before_anything_leaves(url: str) -> None:
    asked = await ask(ModelSettings(base_url=url))

    assert asked.failure.fault is Fault.OTHER
    assert "http://localhost:11434/v1" in asked.failure.advice
    assert asked.log.bodies == []


async def test_openai_without_a_key_says_how_to_set_one() -> None:
    asked = await ask(ModelSettings(base_url="https://api.openai.com/v1"))

    assert asked.failure.fault is Fault.NO_KEY
    assert "OPENAI_API_KEY" in asked.failure.advice
    assert asked.log.bodies == []


@pytest.mark.parametrize("key", ["sk-broken\nkey", "sk-“curly”", "sk with spaces"])
async def test_a_key_that_was_copied_badly_is_refused_without_repeating_it(server: FakeOpenAI, key: str) -> None:
    asked = await ask(ModelSettings(model="ok", base_url=server.url, api_key=key))

    assert asked.failure.fault is Fault.AUTH
    assert key not in asked.failure.message + asked.failure.advice
    assert asked.log.bodies == []


async def test_credentials_in_the_address_are_neither_shown_nor_recorded() -> None:
    provider = OpenAIProvider(ModelSettings(base_url="https://me:secret-word@models.example/v1/?token=secret-word"))

    assert provider.base_url == "https://models.example/v1"


@pytest.mark.parametrize(("trouble", "text"), [(Trouble.HANG, ""), (Trouble.HANG_MIDWAY, HEARD)])
async def test_cancelling_closes_the_connection_and_still_records_what_came(
    own_server: FakeOpenAI, trouble: Trouble, text: str
) -> None:
    log = KeptExchanges()
    heard: list[str] = []
    heard_all = asyncio.Event()
    provider = OpenAIProvider(ModelSettings(model=trouble, base_url=own_server.url))

    async def consume() -> None:
        async for chunk in provider.stream(Prompt(CHAIN), log):
            assert isinstance(chunk, TextChunk)
            heard.append(chunk.text)
            if "".join(heard) == text:
                heard_all.set()

    consumer = asyncio.create_task(consume())
    assert await asyncio.to_thread(own_server.hanging.wait, 60)
    if text:
        await heard_all.wait()
    consumer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await consumer

    assert await asyncio.to_thread(own_server.left.wait, 60)
    (exchange,) = log.exchanges
    assert exchange.error == "It was stopped before the answer ended."
    assert exchange.status_code == (200 if text else None)
    assert (exchange.response is not None) == bool(text)
    await provider.aclose()


async def test_a_consumer_that_leaves_closes_the_connection(own_server: FakeOpenAI) -> None:
    log = KeptExchanges()
    provider = OpenAIProvider(ModelSettings(model=Trouble.HANG_MIDWAY, base_url=own_server.url))
    stream = provider.stream(Prompt(CHAIN), log)
    assert isinstance(stream, AsyncGenerator)

    assert await anext(stream) == TextChunk("Hello")
    assert await asyncio.to_thread(own_server.hanging.wait, 60)
    await stream.aclose()

    assert await asyncio.to_thread(own_server.left.wait, 60)
    assert len(log.exchanges) == 1
    await provider.aclose()


async def test_several_answers_stream_over_one_provider(server: FakeOpenAI) -> None:
    provider = OpenAIProvider(ModelSettings(model="ok", base_url=server.url))

    async def text() -> str:
        return "".join(
            [
                chunk.text
                async for chunk in provider.stream(Prompt(CHAIN), KeptExchanges())
                if isinstance(chunk, TextChunk)
            ]
        )

    assert await asyncio.gather(*(text() for _ in range(5))) == [ANSWER] * 5
    await provider.aclose()
    assert await text() == ANSWER
    await provider.aclose()


async def test_a_proxy_is_used_except_for_this_machine(server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    proxy = f"http://127.0.0.1:{free_port()}"
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, proxy)

    assert (await ask(ModelSettings(model="ok", base_url=server.url))).error is None
    assert (await ask(ModelSettings(base_url="http://models.invalid/v1"))).failure.fault is Fault.REFUSED


def test_the_key_is_in_no_repr() -> None:
    settings = ModelSettings(api_key=KEY)

    assert KEY not in repr(settings)
    assert KEY not in repr(OpenAIProvider(settings))


def test_a_key_or_a_server_makes_it_a_model_and_neither_makes_it_the_built_in_assistant() -> None:
    assert provider_for(ModelSettings(api_key=KEY)).model == DEFAULT_MODEL
    assert provider_for(ModelSettings(base_url="http://localhost:11434/v1")).is_model
    built_in = provider_for(ModelSettings())
    assert not built_in.is_model
    assert built_in.name == "built-in"


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    assert isinstance(port, int)
    return port
