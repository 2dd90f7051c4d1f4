"""The counters: exact by a model's own vocabulary, or the estimate that needs none."""

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from operator import itemgetter
from threading import Lock
from typing import Final, Literal, TypeAlias

from assistant.plan.messages import Message
from assistant.tokens import encodings
from assistant.tokens.counter import Counter
from assistant.tokens.encodings import Accuracy, EncodingName, encoding_for

CounterKind: TypeAlias = Literal["exact", "estimate"]

MESSAGE_OVERHEAD: Final = 4
"""Tokens that OpenAI's chat format puts around a message, its role among them."""

REPLY_OVERHEAD: Final = 3
"""Tokens that open the answer, once a request."""

_NAME_TOKENS: Final = 1

_PIECE_CHARACTERS: Final = 32_768
_REMEMBERED_BYTES: Final = 16 * 1024 * 1024
_CONTENT: Final = itemgetter(Message._fields.index("content"))
_NAME: Final = itemgetter(Message._fields.index("name"))
_WORD_GAP: Final = re.compile(r"(?<=\S)[^\S\r\n\x1c-\x1f]")


def counter_for(model: str, *, kind: CounterKind = "exact") -> Counter:
    """Return the counter for a model's requests; the same one, with what it has counted, each time."""
    if kind == "estimate":
        return EstimateCounter()
    return _tiktoken_counter(*encoding_for(model))


@cache
def _tiktoken_counter(encoding: EncodingName, accuracy: Accuracy) -> "TiktokenCounter":
    return TiktokenCounter(encoding, accuracy)


class EstimateCounter:
    """Counts a token for every four characters, and nothing for a message besides its text."""

    name = "estimate"
    accuracy = "estimate"
    reply_overhead = 0

    def text(self, text: str) -> int:
        """Estimate a text: at least one token when there is any."""
        return max(1, len(text) // 4) if text else 0

    def message(self, message: Message) -> int:
        """Estimate a message by its text alone."""
        return self.text(message.content)

    def each(self, messages: Sequence[Message]) -> Sequence[int]:
        """Estimate each message."""
        return [self.text(message.content) for message in messages]

    def chain(self, messages: Sequence[Message]) -> int:
        """Estimate a request by its texts alone."""
        return sum(self.message(message) for message in messages)


class TiktokenCounter:
    """Counts as OpenAI's chat models do, and remembers what it has counted; may be used from any thread.

    The vocabulary is read at the first text: `VocabularyError` when this installation's file is damaged.
    """

    reply_overhead = REPLY_OVERHEAD

    def __init__(self, encoding: EncodingName, accuracy: Accuracy = "exact") -> None:
        self.name: str = encoding
        self.accuracy: str = accuracy
        self._encoding: EncodingName = encoding
        self._counts = _Counts(_REMEMBERED_BYTES)

    def text(self, text: str) -> int:
        """Count a text; what looks like a special token is ordinary text."""
        known = self._counts.get(text)
        if known is not None:
            return known
        encode = encodings.load(self._encoding).encode_ordinary
        count = sum(len(encode(piece)) for piece in pieces(text))
        self._counts.put(text, count)
        return count

    def message(self, message: Message) -> int:
        """Count a message: its text, role and name, and what the chat format puts around them."""
        count = MESSAGE_OVERHEAD + self.text(message.content)
        if message.name is not None:
            count += _NAME_TOKENS + self.text(message.name)
        return count

    def each(self, messages: Sequence[Message]) -> Sequence[int]:
        """Count each message; those that are known at once."""
        known = list(map(self._counts.get, map(_CONTENT, messages)))
        if None in known or any(map(_NAME, messages)):
            return [self.message(message) for message in messages]
        return [MESSAGE_OVERHEAD + tokens for tokens in known if tokens is not None]

    def chain(self, messages: Sequence[Message]) -> int:
        """Count a request, with the tokens that open the answer."""
        return self.reply_overhead + sum(self.message(message) for message in messages)


class _Counts:
    """What was counted before, by text; the oldest is forgotten beyond so many bytes of texts."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._bytes = 0
        self._by_text: dict[str, int] = {}
        self._writing = Lock()
        self.get = self._by_text.get

    def put(self, text: str, count: int) -> None:
        with self._writing:
            if text in self._by_text:
                return
            self._by_text[text] = count
            self._bytes += sys.getsizeof(text)
            while self._bytes > self._limit_bytes:
                oldest = next(iter(self._by_text))
                del self._by_text[oldest]
                self._bytes -= sys.getsizeof(oldest)


def pieces(text: str, limit: int = _PIECE_CHARACTERS) -> Iterator[str]:
    """Cut a text into pieces of at most so many characters, whose tokens add up to the text's.

    A run of a million spaces makes tiktoken panic, so no piece is long. Cuts lie between a word and the space after
    it, which no token spans; only in a stretch of more than half the limit without such a place may a cut part a token.
    """
    start = 0
    while len(text) - start > limit:
        gap = _WORD_GAP.search(text, start + limit // 2, start + limit)
        end = gap.start() if gap else start + limit
        yield text[start:end]
        start = end
    yield text[start:]
