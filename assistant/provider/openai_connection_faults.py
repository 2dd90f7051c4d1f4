"""From a connection that failed to what a person reads."""

import socket
import ssl
from collections.abc import Iterator

import httpx2

from assistant.errors import Fault, ProviderError
from assistant.provider.model_settings import Timeouts
from assistant.provider.openai_faults import Server


def from_connection(
    server: Server, raised: BaseException, timeouts: Timeouts, *, began: bool, spoke: bool
) -> ProviderError:
    """Explain a connection that could not be made, broke or fell silent.

    Args:
        raised: the client's exception; the reason is among its causes.
        began: the head of an answer had come.
        spoke: text of the answer had come.
    """
    causes = tuple(_causes(raised))
    host = server.host
    if _any(causes, httpx2.ConnectTimeout):
        return ProviderError(
            Fault.TIMEOUT,
            f"{host} could not be reached within {timeouts.connect_s:g} seconds.",
            "Check the network, a VPN or proxy, and the base URL; then ask again.",
        )
    if _any(causes, httpx2.TimeoutException):
        return _silence(server, timeouts, spoke=spoke)
    if began:
        return ProviderError(
            Fault.CUT,
            f"The connection to {host} broke {'in the middle of' if spoke else 'before'} the answer.",
            "What came before is kept; ask again.",
        )
    if _any(causes, socket.gaierror):
        return ProviderError(
            Fault.NAME,
            f"There is no server named {host}, or the network is down.",
            "Check the base URL and the network, then ask again.",
        )
    if _any(causes, ssl.SSLError):
        return ProviderError(
            Fault.OTHER,
            f"No secure connection to {host} could be made ({_first_words(causes, ssl.SSLError)}).",
            "Write http:// in the base URL if the server has no TLS; set SSL_CERT_FILE if it has its own certificate.",
        )
    if _any(causes, httpx2.ConnectError):
        return ProviderError(
            Fault.REFUSED,
            f"Nothing answers at {host}.",
            "Start the server (for Ollama: `ollama serve`), or check the base URL; then ask again.",
        )
    return ProviderError(
        Fault.CUT,
        f"{host} closed the connection before the answer.",
        "Ask again; if it goes on, check the base URL and the server's own log.",
    )


def _silence(server: Server, timeouts: Timeouts, *, spoke: bool) -> ProviderError:
    if spoke:
        return ProviderError(
            Fault.TIMEOUT,
            f"{server.host} fell silent for {timeouts.between_chunks_s:g} seconds in the middle of the answer.",
            "What came before is kept; ask again.",
        )
    return ProviderError(
        Fault.TIMEOUT,
        f"{server.host} sent nothing for {timeouts.first_byte_s:g} seconds.",
        "Ask again; a server that still loads its model may need a moment longer.",
    )


def _causes(raised: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and all that led to it, outermost first."""
    seen: set[int] = set()
    waiting = [raised]
    while waiting:
        error = waiting.pop(0)
        if error is None or id(error) in seen:
            continue
        seen.add(id(error))
        yield error
        waiting += [error.__cause__, error.__context__]
        if isinstance(error, BaseExceptionGroup):
            waiting += error.exceptions


def _any(causes: tuple[BaseException, ...], kind: type[BaseException]) -> bool:
    return any(isinstance(error, kind) for error in causes)


def _first_words(causes: tuple[BaseException, ...], kind: type[BaseException]) -> str:
    return next(str(error) for error in causes if isinstance(error, kind))
