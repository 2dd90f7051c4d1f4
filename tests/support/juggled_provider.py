"""A provider whose answers come when a test says so, in any order, each made of the words that it was given."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from assistant.builtin.assistant import request_body
from assistant.errors import Fault, ProviderError
from assistant.plan.messages import Message
from assistant.provider.provider import Chunk, Ended, Exchange, ExchangeLog, Prompt, TextChunk
from storage.values import JsonObject

MARK = "canary"
"""How the words begin that show which conversation they belong to."""


def marked(text: str) -> list[str]:
    """The marked words of a text, each once, in order."""
    words = "".join(character if character.isalnum() else " " for character in text).split()
    return list(dict.fromkeys(word for word in words if word.startswith(MARK)))


@dataclass
class Call:
    """One call that has not been answered yet."""

    chain: tuple[Message, ...]
    told: asyncio.Event = field(default_factory=asyncio.Event)


class JuggledProvider:
    """Answers a call when the test lets it.

    Attributes:
        calls: those that wait, oldest first.
        asked: set when a call has come.
        is_down: calls fail before a word.
    """

    name: str = "juggled"
    base_url: str = ""
    model: str = "juggled-1"
    author: str = "juggled-1"
    is_model: bool = True

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.asked = asyncio.Event()
        self.is_down = False

    def params(self) -> JsonObject:
        return {}

    async def stream(self, prompt: Prompt, log: ExchangeLog) -> AsyncIterator[Chunk]:
        await log.sending(1, request_body(prompt.chain, self.model))
        if self.is_down:
            raise ProviderError(Fault.SERVER, "The server failed.", "Try again.")
        call = Call(prompt.chain)
        self.calls.append(call)
        self.asked.set()
        said = ""
        try:
            yield TextChunk("Again: ")
            await call.told.wait()
            said = " ".join(marked(" ".join(message.content for message in prompt.chain)))
            yield TextChunk(said)
        finally:
            if call in self.calls:
                self.calls.remove(call)
            await log.received(1, Exchange(said.encode(), 200, {}, 1))
        yield Ended("stop")

    def answer(self, place: int) -> None:
        """Let one of the calls that wait go on."""
        self.calls.pop(place % len(self.calls)).told.set()

    async def aclose(self) -> None:
        pass
