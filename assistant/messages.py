"""The messages that a plan renders to."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from storage.values import JsonObject

MessageRole: TypeAlias = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of the chain, as it stands in the request."""

    role: MessageRole
    content: str
    name: str | None = None

    def as_json(self) -> JsonObject:
        """The message as it stands in the body of a request."""
        return {"role": self.role, "content": self.content} | ({"name": self.name} if self.name else {})
