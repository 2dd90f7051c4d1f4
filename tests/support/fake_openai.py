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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from fake_openai_sizes import SizeScript, other_tokens, read_of
from fake_openai_tools import ToolScript, tool_reply
from fake_openai_troubles import ANSWER, PASSES_AFTER, REFUSALS, JsonValue, Reply, Step, Trouble, error_body, stream

__all__ = ["ANSWER", "FakeOpenAI", "Received", "Trouble"]

DRAFT: Final = (
    "Bonjour,\n\nMerci pour votre message, et désolé pour cette attente. Votre colis a bien quitté notre entrepôt ; "
    "le transporteur annonce une livraison sous deux jours ouvrés. S'il n'est pas arrivé d'ici là, répondez "
    "simplement à ce message et nous vous en enverrons un autre sans frais.\n\nBien cordialement,\nLe service client"
)
SHORT_DRAFT: Final = (
    "Bonjour,\n\nVotre colis arrive sous deux jours ouvrés ; sinon, nous vous en renvoyons un.\n\nCordialement"
)


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
        return [(message["role"], message["content"] or "") for message in json.loads(self.body)["messages"]]


class FakeOpenAI:
    """The server, in a thread with its own event loop; use it as a context manager.

    Args:
        text: what proper answers say; None chooses a short support draft, shorter when it is asked for.
        delay_s: between two pieces of an answer.
        port: 0 takes a free one.
        count: gives the prompt tokens to report for the texts of a request; None reports the same each time.

    Attributes:
        requests: all chat requests, in order of arrival.
        hanging: set once a connection hangs, until the client gives up.
        left: set once a client has closed a connection that hung.
    """

    def __init__(
        self,
        *,
        text: str | None = ANSWER,
        delay_s: float = 0.0,
        port: int = 0,
        count: Callable[[Sequence[str]], int] | None = None,
    ) -> None:
        self.requests: list[Received] = []
        self.hanging = threading.Event()
        self.left = threading.Event()
        self._text = text
        self._delay_s = delay_s
        self._port = port
        self._count = count
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
        match tool_reply(model, request.json):
            case None:
                pass
            case Reply() as reply:
                return await _send(writer, reply)
            case steps:
                return await self._send_steps("text/event-stream", steps, reader, writer)
        match trouble:
            case Trouble.HANG:
                return await self._hang(reader)
            case Trouble.RESET | Trouble.RESET_ONCE:
                writer.transport.abort()
                return False
            case Trouble.ECHOED_KEY:
                key = request.headers.get("authorization", "")
                return await _send(writer, Reply(403, error_body(f"This key may not be used here: {key}")))
            case _ if trouble in REFUSALS:
                return await _send(writer, REFUSALS[trouble])
            case _:
                texts = [text for _, text in request.messages]
                read = read_of(model, texts)
                if read is None and self._count is not None:
                    read = self._count(texts)
                if isinstance(read, Reply):
                    return await _send(writer, read)
                return await self._send_stream(trouble, model, request, reader, writer, read)

    def _trouble(self, model: str, request: Received) -> Trouble:
        trouble = Trouble(model) if model in set(Trouble) else Trouble.NONE
        if self._asked[model] > PASSES_AFTER.get(trouble, self._asked[model]):
            return Trouble.NONE
        if trouble is Trouble.NO_STREAM_OPTIONS and "stream_options" not in request.json:
            return Trouble.NONE
        if trouble in (Trouble.NO_SCHEMA, Trouble.NO_GRAMMAR) and "response_format" not in request.json:
            return Trouble.NONE
        return trouble

    async def _hang(self, reader: asyncio.StreamReader) -> bool:
        """Say nothing until the client closes the connection."""
        self.hanging.set()
        with suppress(ConnectionError):  # a client that closes before it has read everything resets the connection
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
        prompt_tokens: int | None,
    ) -> bool:
        content_type = "text/plain" if trouble is Trouble.PLAIN_TYPE else "text/event-stream"
        text = self._text if self._text is not None else _draft(request)
        steps = stream(trouble, model, text, with_usage="stream_options" in request.json, prompt_tokens=prompt_tokens)
        return await self._send_steps(content_type, steps, reader, writer)

    async def _send_steps(
        self,
        content_type: str,
        steps: Iterator[bytes | Step],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        for step in steps:
            match step:
                case bytes():
                    writer.write(f"{len(step):x}\r\n".encode() + step + b"\r\n")
                    await writer.drain()
                    await asyncio.sleep(self._delay_s)
                case Step.END:
                    writer.write(b"0\r\n\r\n")
                    await writer.drain()
                    return True
                case Step.HANG:
                    return await self._hang(reader)
                case Step.RESET:
                    writer.transport.abort()
                    return False
                case Step.EOF:
                    return False
        return True


def _draft(request: Received) -> str:
    question = next(content for role, content in reversed(request.messages) if role == "user")
    return SHORT_DRAFT if any(word in question.lower() for word in ("short", "court", "brief")) else DRAFT


def _side_reply(path: str) -> Reply:
    """What servers offer beside the chat: the list of models in OpenAI's and Ollama's way."""
    match path:
        case "/v1/models":
            return Reply(200, {"object": "list", "data": [{"id": name.value, "object": "model"} for name in Trouble]})
        case "/api/tags":
            return Reply(200, {"models": [{"name": name.value} for name in Trouble]})
        case "/api/version":
            return Reply(200, {"version": "0.0.0"})
        case _:
            return Reply(404, "404 page not found")


async def _read(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    start, *lines = head.rstrip().split("\r\n")
    method, path, _ = start.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Received(method, path, headers, await reader.readexactly(int(headers.get("content-length", "0"))))


async def _send(writer: asyncio.StreamWriter, reply: Reply) -> bool:
    writer.write(reply.encoded())
    await writer.drain()
    return True


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--delay", type=float, default=0.05, help="seconds between two words")
    options = parser.parse_args()
    with FakeOpenAI(text=None, delay_s=options.delay, port=options.port, count=other_tokens) as server:
        print(f"{server.url}  models that misbehave: {', '.join([*Trouble, *ToolScript, *SizeScript])}")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
