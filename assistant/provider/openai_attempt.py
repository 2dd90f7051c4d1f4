"""One call of an OpenAI-compatible server, from the body to the last piece.

Importing this module loads `openai` (two thirds of a second); import it when the first answer is asked for.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, cast

import httpx2
import openai

from assistant.errors import ProviderError
from assistant.plan.messages import ToolCall
from assistant.provider import openai_faults
from assistant.provider.model_settings import ModelSettings
from assistant.provider.openai_calls import CallAssembler
from assistant.provider.openai_chunks import read_piece
from assistant.provider.openai_connection_faults import from_connection
from assistant.provider.openai_faults import Server
from assistant.provider.openai_transport import RecordingTransport
from assistant.provider.provider import ExchangeLog
from assistant.turn.settling import settled
from storage.values import Json, JsonObject

STOPPED: Final = "It was stopped before the answer ended."
PLACEHOLDER_KEY: Final = "none"
"""Sent where no key is configured: the client insists on one, and local servers ignore it."""


class Attempt:
    """One attempt at an answer.

    Attributes:
        spoke: a piece of text was given out.
        finish_reason: the server's word, "" when it gave none.
        usage: the server's figures.
        refused: the server marked words of the answer as a refusal.
    """

    def __init__(
        self, inner: httpx2.AsyncBaseTransport, settings: ModelSettings, url: str, server: Server, log: ExchangeLog
    ) -> None:
        self._inner = inner
        self._settings = settings
        self._url = url
        self._server = server
        self._log = log
        self.spoke = False
        self.finish_reason = ""
        self.usage: JsonObject = {}
        self.refused = False
        self._calls = CallAssembler()

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls of tools that the answer asks for."""
        return self._calls.calls()

    async def pieces(self, number: int, body: JsonObject) -> AsyncGenerator[str, None]:
        """Send the body and give out the answer's text as it comes.

        Raises:
            ProviderError: what failed and what to do.
        """
        wire = RecordingTransport(self._inner, self._log, number, self._settings)
        error = STOPPED
        try:
            try:
                async with aclosing(self._read(wire, body)) as texts:
                    async for text in texts:
                        self.spoke = True
                        yield text
                self._check_end(wire)
            except openai.APIError as raised:
                # Not chained: the client's own message may repeat a key that the server has echoed.
                raise self._without_key(self._explain(raised, wire)) from None
            error = ""
        except ProviderError as failure:
            error = failure.message
            raise
        finally:
            await settled(asyncio.ensure_future(wire.report(self.usage, error)))

    async def _read(self, wire: RecordingTransport, body: JsonObject) -> AsyncGenerator[str, None]:
        stream = await self._client(wire).post(
            "/chat/completions", body=body, cast_to=object, stream=True, stream_cls=openai.AsyncStream[object]
        )
        try:
            async with aclosing(stream):
                async for event in stream:
                    if text := self._take(event):
                        yield text
            # A server that cannot stream sends the whole answer as one document.
            whole = wire.response if wire.content_type == "application/json" and not self.spoke else b""
            if whole and (text := self._take(json.loads(whole))):
                yield text
        except (ValueError, RecursionError) as unreadable:
            raise openai_faults.malformed(self._server) from unreadable

    def _take(self, event: object) -> str:
        piece = read_piece(cast(Json, event))
        self.finish_reason = piece.finish_reason or self.finish_reason
        self.usage = piece.usage or self.usage
        self.refused = self.refused or piece.refused
        self._calls.add(piece.calls)
        return piece.text

    def _check_end(self, wire: RecordingTransport) -> None:
        if self.finish_reason == "content_filter":
            raise openai_faults.filtered(self._server)
        if self.spoke or self.calls:
            return
        if wire.content_type == "text/html":
            raise openai_faults.web_page(self._server, wire.response.decode(errors="replace"))
        raise openai_faults.empty(self._server, self.finish_reason)

    def _client(self, wire: RecordingTransport) -> openai.AsyncOpenAI:
        limits = self._settings.timeouts
        return openai.AsyncOpenAI(
            api_key=self._settings.api_key or PLACEHOLDER_KEY,
            base_url=self._url,
            max_retries=0,
            timeout=httpx2.Timeout(connect=limits.connect_s, write=limits.between_chunks_s, read=None, pool=None),
            default_headers={"Accept-Encoding": "identity"},
            http_client=httpx2.AsyncClient(transport=wire),
        )

    def _explain(self, raised: openai.APIError, wire: RecordingTransport) -> ProviderError:
        match raised:
            case openai.APIStatusError():
                body = wire.response.decode(errors="replace")
                return openai_faults.from_status(self._server, raised.status_code, body, raised.response.headers)
            case openai.APIConnectionError():
                return from_connection(
                    self._server, raised, self._settings.timeouts, began=wire.began, spoke=self.spoke
                )
            case _:
                return openai_faults.from_error_chunk(self._server, raised.body)

    def _without_key(self, error: ProviderError) -> ProviderError:
        message = self._settings.without_key(error.message)
        if message == error.message:
            return error
        return ProviderError(
            error.fault,
            message,
            error.advice,
            status_code=error.status_code,
            retry_after_s=error.retry_after_s,
            window=error.window,
        )
