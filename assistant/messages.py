"""The messages that a plan renders to."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

MessageRole: TypeAlias = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of the chain, as it stands in the request."""

    role: MessageRole
    content: str
    name: str | None = None
