"""The wire to a model's server: what leaves and what comes back is taken here, byte for byte.

Importing this module loads the HTTP client; import it when the first answer is asked for.
"""

import asyncio
import ipaddress
import ssl
import time
import urllib.request
from collections.abc import AsyncGenerator, AsyncIterator

import httpx2

from assistant.provider.model_settings import ModelSettings, Timeouts
from assistant.provider.provider import Exchange, ExchangeLog
from storage.values import JsonObject


class RecordingTransport(httpx2.AsyncBaseTransport):
    """Carries one attempt over a shared transport and reports both directions to an `ExchangeLog`.

    Attributes:
        began: the server has sent at least the head of an answer.
        status_code: HTTP status, None before the head came.
        content_type: of the answer, lower case without parameters.
        response: the bytes received so far.
    """

    def __init__(
        self, inner: httpx2.AsyncBaseTransport, log: ExchangeLog, attempt: int, settings: ModelSettings
    ) -> None:
        self._inner = inner
        self._log = log
        self._attempt = attempt
        self._settings = settings
        self._timeouts = settings.timeouts
        self._sent_at: float | None = None
        self.status_code: int | None = None
        self.content_type = ""
        self.response = bytearray()

    @property
    def began(self) -> bool:
        """The head of an answer has come."""
        return self.status_code is not None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Record the body, send it, and hand out the response with its bytes tapped."""
        await self._log.sending(self._attempt, await request.aread())
        self._sent_at = time.perf_counter()
        try:
            async with asyncio.timeout(self._timeouts.first_byte_s):
                response = await self._inner.handle_async_request(request)
        except TimeoutError:
            raise httpx2.ReadTimeout("no answer", request=request) from None
        self.status_code = response.status_code
        self.content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_TappedStream(response.stream, self.response, self._timeouts),
            extensions=response.extensions,
        )

    async def report(self, usage: JsonObject, error: str) -> None:
        """Report the end of the attempt, however it ended; nothing when the body never left.

        The bytes are those that came, but for an API key that the server has echoed.

        Args:
            usage: the server's figures.
            error: one sentence, "" when it succeeded.
        """
        if self._sent_at is None:
            return
        latency_ms = round((time.perf_counter() - self._sent_at) * 1000)
        response = self._settings.without_key(self.response.decode("latin-1")).encode("latin-1")
        exchange = Exchange(response if self.began else None, self.status_code, usage, latency_ms, error)
        await self._log.received(self._attempt, exchange)

    async def aclose(self) -> None:
        """Do nothing: the shared transport lives on."""


class _TappedStream(httpx2.AsyncByteStream):
    """A response body that keeps what passes, and gives up when the server falls silent."""

    def __init__(self, stream: httpx2.AsyncByteStream, kept: bytearray, timeouts: Timeouts) -> None:
        self._stream = stream
        self._kept = kept
        self._timeouts = timeouts

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = aiter(self._stream)
        limit_s = self._timeouts.first_byte_s
        try:
            while True:
                try:
                    async with asyncio.timeout(limit_s):
                        piece = await anext(pieces)
                except StopAsyncIteration:
                    return
                except TimeoutError:
                    raise httpx2.ReadTimeout("silence") from None
                self._kept += piece
                limit_s = self._timeouts.between_chunks_s
                yield piece
        finally:
            if isinstance(pieces, AsyncGenerator):
                await pieces.aclose()

    async def aclose(self) -> None:
        await self._stream.aclose()


def shared_transport(base_url: str) -> httpx2.AsyncHTTPTransport:
    """Return a connection pool to a server, through the proxy that the environment names for it.

    Raises:
        ValueError: the server's or the proxy's address cannot be used.
        ImportError: the proxy is of a kind that needs a package that is not there.
    """
    try:
        url = httpx2.URL(base_url)
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError("the address needs http:// or https:// and a host")
        proxy = _proxy_for(url)
        # Reading the certificates of this machine takes 50 ms; where no TLS is spoken, none are trusted.
        speaks_tls = url.scheme == "https" or proxy is not None
        return httpx2.AsyncHTTPTransport(proxy=proxy, verify=speaks_tls or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    except httpx2.InvalidURL as error:
        raise ValueError(str(error)) from error


def _proxy_for(url: httpx2.URL) -> str | None:
    if _is_this_machine(url.host) or urllib.request.proxy_bypass(url.host):
        return None
    proxies = urllib.request.getproxies()
    return proxies.get(url.scheme) or proxies.get("all") or None


def _is_this_machine(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
