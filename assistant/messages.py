"""The messages that a plan renders to."""

from typing import Literal, NamedTuple, TypeAlias

from storage.values import JsonObject

MessageRole: TypeAlias = Literal["system", "user", "assistant"]


class Message(NamedTuple):
    """One entry of the chain, as it stands in the request; a tuple, because a long path makes thousands of them."""

    role: MessageRole
    content: str
    name: str | None = None

    def as_json(self) -> JsonObject:
        """The message as it stands in the body of a request."""
        return {"role": self.role, "content": self.content} | ({"name": self.name} if self.name else {})
