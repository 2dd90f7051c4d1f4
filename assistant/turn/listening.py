"""Writing down what a provider says while it says it."""

import asyncio
from collections.abc import AsyncIterator

from assistant.plan.messages import ToolCall
from assistant.provider.provider import Chunk, Ended, TextChunk, ToolCalls, Waiting
from assistant.turn.answer_writer import AnswerWriter
from assistant.turn.inbox import Inbox
from assistant.turn.settling import finished, settled_call


async def listen(
    stream: AsyncIterator[Chunk], writer: AnswerWriter, batch_s: float
) -> tuple[str, tuple[ToolCall, ...], Ended]:
    """Write what is said until it ends; returns what was said, the tools that were called, and how it ended.

    Args:
        stream: of one call; closed whatever happens.
        writer: of the answer; what an earlier call has said stands in a paragraph of its own.
        batch_s: pieces that come within this time are written together.
    """
    inbox = Inbox()
    source = asyncio.create_task(inbox.fill(stream))
    said, ended = "", Ended("")
    calls: tuple[ToolCall, ...] = ()
    between = writer.paragraph
    try:
        while chunks := await inbox.take():
            text = ""
            for chunk in chunks:
                match chunk:
                    case TextChunk():
                        text += chunk.text
                    case ToolCalls():
                        calls = chunk.calls
                    case Waiting():
                        writer.wait(chunk)
                    case Ended():
                        ended = chunk
            if text:
                said += text
                await settled_call(writer.write, between + text)
                between = ""
                await asyncio.wait({source}, timeout=batch_s)
        await source
    finally:
        source.cancel()
        await finished(source)
    return said, calls, ended
