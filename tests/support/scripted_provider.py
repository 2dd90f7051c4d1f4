"""A provider that says what it is told to, and stops where a test wants to look."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from enum import Enum, auto
from typing import TypeAlias

from assistant.builtin.assistant import request_body
from assistant.plan.messages import Message
from assistant.provider.provider import Chunk, Ended, Exchange, ExchangeLog, Prompt, TextChunk
from storage.values import JsonObject


class Pause(Enum):
    """Where a script waits."""

    UNTIL_TOLD = auto()
    """Until the test calls `go_on`."""

    FOR_EVER = auto()
    """Until it is cancelled."""


Step: TypeAlias = Chunk | Pause | Exception


def words(*texts: str, finish_reason: str = "stop") -> list[Step]:
    """A script that says these pieces and ends."""
    return [*(TextChunk(text) for text in texts), Ended(finish_reason, {"completion_tokens": len(texts)})]


class ScriptedProvider:
    """Follows one script a call, the last one again and again.

    Attributes:
        chains, prompts: what each call was given.
        paused: set while a script waits.
        closed: how many calls have ended, however they did.
    """

    name: str = "scripted"
    base_url: str = "http://scripted.invalid/v1"
    model: str = "scripted-1"
    author: str = "scripted-1"
    is_model: bool = True

    def __init__(self, *scripts: Sequence[Step]) -> None:
        self._scripts = list(scripts)
        self._told = asyncio.Event()
        self.chains: list[tuple[Message, ...]] = []
        self.prompts: list[Prompt] = []
        self.paused = asyncio.Event()
        self.closed = 0

    def go_on(self) -> None:
        """Let a script that waits go on."""
        self._told.set()

    def params(self) -> JsonObject:
        return {"temperature": 0}

    async def stream(self, prompt: Prompt, log: ExchangeLog) -> AsyncIterator[Chunk]:
        self.chains.append(prompt.chain)
        self.prompts.append(prompt)
        script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
        await log.sending(1, request_body(prompt.chain, self.model))
        said: list[str] = []
        try:
            for step in script:
                match step:
                    case Pause():
                        await self._pause(step)
                    case Exception():
                        raise step
                    case TextChunk():
                        said.append(step.text)
                        yield step
                    case _:
                        yield step
        finally:
            self.closed += 1
            await log.received(1, Exchange("".join(said).encode(errors="replace"), 200, {}, 1))

    async def _pause(self, pause: Pause) -> None:
        self.paused.set()
        try:
            await (self._told.wait() if pause is Pause.UNTIL_TOLD else asyncio.Event().wait())
        finally:
            self._told.clear()
            self.paused.clear()

    async def aclose(self) -> None:
        pass
