"""The built-in assistant: answers from saved replies where no model is configured. It is no language model."""

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from assistant.builtin.saved_replies import Replies, load_replies
from assistant.plan.messages import Message, ToolCall
from assistant.provider.provider import Chunk, Ended, Exchange, ExchangeLog, Prompt, Sleep, TextChunk, ToolCalls
from storage.values import JsonObject

if TYPE_CHECKING:
    from assistant.builtin.drafting import Answer

PACE_S: Final = 0.03
"""Seconds a word: about 30 words a second, quick to read along with."""

NO_REPLY: Final = "no_reply"
"""How an answer ends that is a word to the agent ("no saved reply fits") and no reply to a customer."""

_WORDS = re.compile(r"\s*\S+(?:\s+\Z)?")


class BuiltinAssistant:
    """A provider that hands out saved replies, word by word at a human pace; the same chain gives the same answer.

    Args:
        replies_folder: the team's own saved replies, used beside the starter set.
        pace_s: seconds between two words; 0 answers at once.
        sleep: waits between two words.

    Raises:
        RepliesError: a saved reply cannot be used.
    """

    name: str = "built-in"
    base_url: str = ""
    model: str = "saved-replies"
    author: str = "built-in assistant"
    is_model: bool = False

    def __init__(
        self, replies_folder: Path | None = None, *, pace_s: float = PACE_S, sleep: Sleep = asyncio.sleep
    ) -> None:
        self._replies = load_replies(replies_folder)
        self._pace_s = pace_s
        self._sleep = sleep

    def params(self) -> JsonObject:
        """There are none."""
        return {}

    async def stream(self, prompt: Prompt, log: ExchangeLog) -> AsyncGenerator[Chunk, None]:
        """Answer a prompt; what was handed over and what was answered is recorded as for a model."""
        given = await asyncio.to_thread(_answer, prompt, self._replies)
        await log.sending(1, request_body(prompt.chain, self.model))
        started = time.monotonic()
        if isinstance(given, ToolCall):
            await log.received(1, Exchange(_call_response(given), None, {}, 0))
            yield ToolCalls((given,))
            yield Ended("tool_calls")
            return
        done: list[str] = []
        try:
            for words in _WORDS.findall(given.text):
                if self._pace_s and done and not given.at_once:
                    await self._sleep(self._pace_s)
                done.append(words)
                yield TextChunk(words)
        finally:
            text = "".join(done)
            await log.received(
                1,
                Exchange(
                    response=_response(given, text),
                    status_code=None,
                    usage={},
                    latency_ms=round((time.monotonic() - started) * 1000),
                    error="" if text == given.text else "The answer was stopped.",
                ),
            )
        yield Ended("stop" if given.reply_id else NO_REPLY)

    def foretell(self, prompt: Prompt) -> str:
        """Say what it would answer; "" where it would use a tool first."""
        given = _answer(prompt, self._replies)
        return "" if isinstance(given, ToolCall) else given.text

    async def aclose(self) -> None:
        """There is no connection to close."""


def request_body(chain: Sequence[Message], model: str) -> bytes:
    """What the built-in assistant is handed, in the form in which a model's server would get it."""
    messages = [message.as_json() for message in chain]
    return json.dumps({"model": model, "messages": messages}, ensure_ascii=False, separators=(",", ":")).encode()


def _answer(prompt: Prompt, replies: Replies) -> "Answer | ToolCall":
    """Find the answer; what that needs is imported at the first one, not before the first paint."""
    from assistant.builtin.lookup import FIND_IN_HANDBOOK, look_up
    from assistant.builtin.tasks import answer_task

    if prompt.task is not None and prompt.task.name == FIND_IN_HANDBOOK:
        return look_up(prompt.chain, prompt.tools)
    return answer_task(prompt.chain, prompt.task, replies)


def _call_response(call: ToolCall) -> bytes:
    return json.dumps({"tool_calls": [call.as_json()]}, ensure_ascii=False, separators=(",", ":")).encode()


def _response(given: "Answer", text: str) -> bytes:
    document = {
        "saved_reply": given.reply_id or None,
        "language": given.language or None,
        "variant": (given.variant or "standard") if given.reply_id else None,
        "text": text,
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
