"""From what a model's server did to what a person reads: what happened, and what to do."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from assistant.errors import Fault, ProviderError
from assistant.provider.openai_words import ServerWords, read_words, retry_after_s, shortened, words_of
from assistant.tokens.context_limits import is_too_long

_NO_MODEL: Final = re.compile(
    r"model.{0,80}(?:not found|not exist|not loaded)|(?:not a valid|invalid|unknown) model", re.I
)
_QUOTA: Final = re.compile(r"insufficient_quota|exceeded your current quota|billing|credit", re.IGNORECASE)
_FILTER: Final = re.compile(r"content[_ ](?:filter|policy|management)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Server:
    """Whom a message speaks of.

    Attributes:
        host: with its port, without credentials.
        url: the base URL, without credentials.
        model: the model that was asked for.
        has_key: a key was sent that is not a placeholder.
    """

    host: str
    url: str
    model: str
    has_key: bool


def no_key(server: Server) -> ProviderError:
    """No key is configured for a server that wants one."""
    return ProviderError(
        Fault.NO_KEY,
        f"No API key is set for {server.host}.",
        "Set OPENAI_API_KEY and start again, or name a server that needs none with --base-url.",
    )


def unusable_key() -> ProviderError:
    """The key holds characters that cannot stand in a request."""
    return ProviderError(
        Fault.AUTH,
        "The API key holds a space, a line break or another character that no key has.",
        "Copy the key again, set OPENAI_API_KEY to it and start again.",
    )


def unusable_url(server: Server, why: str) -> ProviderError:
    """The base URL, or the proxy on the way to it, is no address."""
    return ProviderError(
        Fault.OTHER,
        f"No connection can be made to {server.url}: {why}.",
        "Write the base URL like http://localhost:11434/v1, and check HTTPS_PROXY if you use a proxy.",
    )


def from_status(server: Server, status: int, body: str, headers: Mapping[str, str]) -> ProviderError:
    """Explain an answer whose HTTP status is an error (or a redirection)."""
    words = read_words(body)
    wait_s = retry_after_s(headers)
    host, model = server.host, server.model

    def error(fault: Fault, message: str, advice: str) -> ProviderError:
        return ProviderError(fault, message, advice, status_code=status, retry_after_s=wait_s)

    match status:
        case 400 | 404 | 413 | 422 | 500 if is_too_long(words.all) or status == 413:
            return _too_long(server, words, status)
        case 400 | 403 if _FILTER.search(words.all):
            return _filtered(server, status)
        case 400 | 404 | 422 if _NO_MODEL.search(words.all) or (status == 404 and "model" in words.text.lower()):
            return error(
                Fault.MODEL,
                f"{host} has no model named '{model}'.",
                f"Choose another with --model; where {host} runs Ollama, `ollama pull {model}` fetches it.",
            )
        case 404:
            return error(
                Fault.OTHER,
                f"There is no chat service at {server.url}{words.quoted}.",
                "Check the base URL; for most servers it ends in /v1.",
            )
        case 401 if server.has_key:
            return error(
                Fault.AUTH,
                f"{host} did not accept the API key.",
                "Check OPENAI_API_KEY: it may have expired, or belong to another server.",
            )
        case 401:
            return error(Fault.AUTH, f"{host} asks for an API key.", f"Set OPENAI_API_KEY to a key for {host}.")
        case 402 | 429 if _QUOTA.search(words.all) or status == 402:
            return error(
                Fault.PERMISSION,
                f"The account at {host} has used up its quota.",
                "Check its plan and billing, or use another key or server.",
            )
        case 403:
            return error(
                Fault.PERMISSION,
                f"{host} does not allow this key to use '{model}'{words.quoted}.",
                "Ask whoever manages the key for access, or choose another model with --model.",
            )
        case 408 | 504:
            return error(Fault.TIMEOUT, f"{host} took too long to answer.", "Ask again in a moment.")
        case 429:
            when = f"in {_seconds(wait_s)}" if wait_s else "in a moment"
            return error(Fault.RATE, f"{host} is asked too often right now.", f"Ask again {when}.")
        case _ if status >= 500:
            return error(
                Fault.SERVER,
                f"{host} failed with status {status}{words.quoted}.",
                "Ask again in a moment; if it goes on, tell whoever runs the server.",
            )
        case _ if 300 <= status < 400:
            target = headers.get("location", "")
            return error(
                Fault.OTHER,
                f"{server.url} has moved{' to ' + shortened(target) if target else ''}.",
                "Set the base URL to its new place.",
            )
        case _:
            return error(
                Fault.BAD_REQUEST,
                f"{host} did not accept the request (status {status}){words.quoted}.",
                "Check the model and its settings; the request as it was sent is kept with this answer.",
            )


def from_error_chunk(server: Server, body: object) -> ProviderError:
    """Explain an error that the server reported inside the stream."""
    words = words_of(body)
    status = int(words.code) if words.code.isdigit() and 400 <= int(words.code) < 600 else None
    if is_too_long(words.all) and status != 429:
        return _too_long(server, words, status)
    if status is not None:
        return from_status(server, status, json.dumps({"error": {"message": words.text}}), {})
    if _FILTER.search(words.all):
        return _filtered(server, None)
    fault = Fault.RATE if "rate_limit" in words.code else Fault.SERVER
    return ProviderError(
        fault,
        f"{server.host} broke off with an error{words.quoted}.",
        "What came before is kept; ask again in a moment.",
    )


def malformed(server: Server) -> ProviderError:
    """A piece of the stream could not be read."""
    return ProviderError(
        Fault.MALFORMED,
        f"{server.host} sent something that is no piece of an answer.",
        "What came before is kept; ask again. If it goes on, check that the base URL is that of a chat service.",
    )


def web_page(server: Server, body: str) -> ProviderError:
    """A web page came where an answer should be: a login page, a proxy, a wrong address."""
    return ProviderError(
        Fault.MALFORMED,
        f"{server.host} answered with a web page instead of an answer{read_words(body).quoted}.",
        "Check the base URL (for most servers it ends in /v1), and whether a proxy or a login stands in between.",
    )


def empty(server: Server, finish_reason: str) -> ProviderError:
    """The server said nothing at all."""
    if finish_reason == "length":
        return ProviderError(
            Fault.EMPTY,
            f"{server.model} used up its output tokens before the first word.",
            "Allow more output tokens, or choose another model with --model.",
        )
    return ProviderError(
        Fault.EMPTY,
        f"{server.host} ended its answer without a word.",
        "Ask again; if it goes on, choose another model with --model.",
    )


def filtered(server: Server) -> ProviderError:
    """The server's content filter stopped the answer."""
    return _filtered(server, None)


def _too_long(server: Server, words: ServerWords, status: int | None) -> ProviderError:
    window = words.window
    takes = f": it takes {window:,} tokens with its answer" if window else ", which does not say how much it takes"
    return ProviderError(
        Fault.CONTEXT,
        f"The request is too long for {server.model}{takes}.",
        "That is remembered: send it again, and older turns are left out so that it fits.",
        status_code=status,
        window=window,
    )


def _filtered(server: Server, status: int | None) -> ProviderError:
    return ProviderError(
        Fault.FILTERED,
        f"The content filter of {server.host} stopped this answer.",
        "Word the request differently, or write this reply yourself.",
        status_code=status,
    )


def _seconds(seconds: float) -> str:
    whole = max(1, round(seconds))
    return "1 second" if whole == 1 else f"{whole} seconds"
