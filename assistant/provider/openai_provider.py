"""Any OpenAI-compatible server as a provider: OpenAI itself, Ollama, llama.cpp, vLLM, a gateway."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

from assistant.errors import Fault, ProviderError
from assistant.provider import openai_faults
from assistant.provider.model_settings import OPENAI_URL, ModelSettings
from assistant.provider.openai_faults import Server
from assistant.provider.provider import (
    Chunk,
    Ended,
    ExchangeLog,
    Prompt,
    Sleep,
    TextChunk,
    ToolCalls,
    Waiting,
    model_for,
)
from assistant.provider.retrying import retry_delay_s
from assistant.tasks.contracts import response_format
from storage.values import JsonObject

if TYPE_CHECKING:
    import httpx2

_OPENAI_HOST: Final = "api.openai.com"

_TOOL_WORDS: Final = re.compile(r"\btools?\b|tool[_-]|function[ _-]call", re.IGNORECASE)

_FORM_WORDS: Final = ("response_format", "json_schema", "guided", "grammar", "structured output")


class OpenAIProvider:
    """Chat Completions, streamed, with visible retries; every attempt is reported to the `ExchangeLog`.

    Args:
        settings: model, server, key and timeouts.
        sleep: waits before a retry.
    """

    name: str = "openai"
    is_model: bool = True

    def __init__(self, settings: ModelSettings, *, sleep: Sleep = asyncio.sleep) -> None:
        self._settings = settings
        self._sleep = sleep
        self._url = settings.base_url or OPENAI_URL
        self._asks_usage = True
        self._formless: set[str] = set()  # models that refused a schema; they are asked without
        self._toolless: set[str] = set()  # models that take no tools
        self._transport: httpx2.AsyncBaseTransport | None = None
        self._server = _server(settings, self._url)
        self.base_url = self._server.url
        self.model = settings.model
        self.author = settings.model

    def params(self) -> JsonObject:
        """The parameters of a call besides its model and messages."""
        params: dict[str, bool | int | float | JsonObject] = {"stream": True}
        if self._asks_usage:
            params["stream_options"] = {"include_usage": True}
        if self._settings.temperature is not None:
            params["temperature"] = self._settings.temperature
        if self._settings.max_output_tokens is not None:
            # OpenAI's newer models refuse the old name; other servers know no other.
            name = "max_completion_tokens" if self._server.host == _OPENAI_HOST else "max_tokens"
            params[name] = self._settings.max_output_tokens
        return params

    async def stream(self, prompt: Prompt, log: ExchangeLog) -> AsyncIterator[Chunk]:
        """Answer a prompt; the last chunk is `Ended`.

        Raises:
            ProviderError: what failed and what to do; pieces given out before it stand.
        """
        self._check_key()
        transport = await self._connected()
        from assistant.provider.openai_attempt import Attempt

        server = replace(self._server, model=model_for(self, prompt.task))
        number = failures = 0
        while True:
            number += 1
            attempt = Attempt(transport, self._settings, self._url, server, log)
            with_tools = bool(prompt.tools) and server.model not in self._toolless
            with_form = prompt.contract is not None and server.model not in self._formless
            try:
                body = self._body(prompt, server.model, with_form=with_form, with_tools=with_tools)
                async with aclosing(attempt.pieces(number, body)) as pieces:
                    async for text in pieces:
                        yield TextChunk(text)
            except ProviderError as error:
                if attempt.spoke:
                    raise
                if self._asks_usage and _refuses_usage(error):
                    self._asks_usage = False
                    yield Waiting(
                        number, 0.0, f"{self._server.host} does not report token usage; asking again without it."
                    )
                    continue
                if with_form and _refuses_form(error):
                    self._formless.add(server.model)
                    yield Waiting(
                        number, 0.0, f"{self._server.host} does not enforce the form of an answer; asking without it."
                    )
                    continue
                if with_tools and _refuses_tools(error):
                    self._toolless.add(server.model)
                    yield Waiting(
                        number, 0.0, f"{server.model} at {server.host} takes no tools; asking again without them."
                    )
                    continue
                failures += 1
                delay_s = retry_delay_s(error, failures)
                if delay_s is None:
                    raise
                waiting = Waiting(number, delay_s, error.message)
            else:
                if attempt.calls:
                    yield ToolCalls(attempt.calls)
                yield Ended(attempt.finish_reason, attempt.usage, attempt.refused)
                return
            yield waiting
            await self._sleep(waiting.delay_s)

    async def aclose(self) -> None:
        """Close connections; a later call opens new ones."""
        transport, self._transport = self._transport, None
        if transport is not None:
            await transport.aclose()

    def _body(self, prompt: Prompt, model: str, *, with_form: bool, with_tools: bool) -> JsonObject:
        messages = [message.as_json() for message in prompt.chain]
        body: JsonObject = {"model": model, "messages": messages, **self.params()}
        if with_form and prompt.task is not None and prompt.contract is not None:
            body = {**body, "response_format": response_format(prompt.task.name, prompt.contract)}
        if with_tools:
            body = {**body, "tools": [tool.as_json() for tool in prompt.tools]}
            if prompt.must_answer:
                body = {**body, "tool_choice": "none"}
        return body

    def _check_key(self) -> None:
        key = self._settings.api_key
        if not key and self._server.host == _OPENAI_HOST:
            raise openai_faults.no_key(self._server)
        if not all("!" <= character <= "~" for character in key):
            raise openai_faults.unusable_key()

    async def _connected(self) -> "httpx2.AsyncBaseTransport":
        """Return the shared transport; the HTTP client is loaded in a thread, so that the screen goes on."""
        if self._transport is None:
            try:
                transport = await asyncio.to_thread(_open_transport, self._url)
            except (ValueError, ImportError) as error:
                raise openai_faults.unusable_url(self._server, str(error).rstrip(".")) from error
            if self._transport is None:
                self._transport = transport
        return self._transport


def _open_transport(url: str) -> "httpx2.AsyncBaseTransport":
    import assistant.provider.openai_attempt  # noqa: F401  (loaded here, in the thread)
    from assistant.provider.openai_transport import shared_transport

    return shared_transport(url)


def _refuses_form(error: ProviderError) -> bool:
    """The server knows no schemas, or not all that stands in this one; the system message names it anyway."""
    words = error.message.lower()
    return error.fault in (Fault.BAD_REQUEST, Fault.OTHER, Fault.SERVER) and any(word in words for word in _FORM_WORDS)


def _refuses_tools(error: ProviderError) -> bool:
    """The server or its model knows no tools; some say so with a status that means something else."""
    faults = (Fault.BAD_REQUEST, Fault.OTHER, Fault.MODEL, Fault.SERVER)
    return error.fault in faults and _TOOL_WORDS.search(error.message) is not None


def _refuses_usage(error: ProviderError) -> bool:
    return error.fault is Fault.BAD_REQUEST and any(
        name in error.message for name in ("stream_options", "include_usage")
    )


def _server(settings: ModelSettings, url: str) -> Server:
    """Name a server without the credentials that its address may hold."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        parts, host = SplitResult("", "", url, "", ""), ""
    shown = f"{parts.scheme}://{host}{parts.path}" if host else url
    return Server(host=host or url, url=shown.rstrip("/"), model=settings.model, has_key=bool(settings.api_key))
