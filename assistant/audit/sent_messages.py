"""The messages of a request that was sent, read from its exact bytes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from assistant.plan.messages import Message
from storage.values import Json

_PLAIN: Final = frozenset({"role", "content", "name"})
_COUNTED_APART: Final = ("tools", "functions", "response_format")
"""Parts of a body that servers count as well, in ways of their own."""


@dataclass(frozen=True, slots=True)
class SentMessages:
    """What can be counted of a body.

    Attributes:
        messages: their texts, in order.
        is_all: there is nothing else in the body that a server counts.
    """

    messages: tuple[Message, ...]
    is_all: bool

    @property
    def characters(self) -> int:
        """Of all texts together."""
        return sum(len(message.content) for message in self.messages)


def sent_messages(body: bytes) -> SentMessages | None:
    """Read a body; None for one that is no request for a chat completion."""
    try:
        document: Json = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, Mapping) or not isinstance(entries := document.get("messages"), list):
        return None
    read = [_message(entry) for entry in entries]
    is_all = all(whole for _, whole in read) and not any(document.get(name) for name in _COUNTED_APART)
    return SentMessages(tuple(message for message, _ in read), is_all)


def _message(entry: Json) -> tuple[Message, bool]:
    """A message, and whether there is no more to it."""
    if not isinstance(entry, Mapping):
        return Message("user", ""), False
    content, name = entry.get("content"), entry.get("name")
    whole = isinstance(content, str) and all(key in _PLAIN or not value for key, value in entry.items())
    text = content if isinstance(content, str) else ""
    # The role plays no part in counting.
    return Message("user", text, name if isinstance(name, str) else None), whole
