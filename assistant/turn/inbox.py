"""What a provider has said and nobody has written yet."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

from assistant.provider.provider import Chunk


class Inbox:
    """Chunks in order of arrival, taken all at once."""

    def __init__(self) -> None:
        self._chunks: list[Chunk] = []
        self._closed = False
        self._changed = asyncio.Event()

    async def fill(self, stream: AsyncIterator[Chunk]) -> None:
        """Take in what a provider says to its end, and close, also when it fails."""
        try:
            async for chunk in stream:
                self._chunks.append(chunk)
                self._changed.set()
        finally:
            try:
                if isinstance(stream, AsyncGenerator):
                    await stream.aclose()
            finally:
                self._closed = True
                self._changed.set()

    async def take(self) -> list[Chunk]:
        """Wait for chunks and return all that are there; none means that it is closed."""
        while not self._chunks and not self._closed:
            self._changed.clear()
            await self._changed.wait()
        taken, self._chunks = self._chunks, []
        return taken
