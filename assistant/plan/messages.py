"""The messages that a plan renders to."""

from typing import Literal, NamedTuple, TypeAlias

from storage.values import JsonObject

MessageRole: TypeAlias = Literal["system", "user", "assistant", "tool"]


class ToolCall(NamedTuple):
    """One call of a tool, as a model asks for it.

    Attributes:
        id: what its result names.
        arguments: JSON, which may be broken.
    """

    id: str
    name: str
    arguments: str

    def as_json(self) -> JsonObject:
        """The call as it stands in a message."""
        function = {"name": self.name, "arguments": self.arguments}
        return {"id": self.id, "type": "function", "function": function}


class Message(NamedTuple):
    """One entry of the chain, as it stands in the request; a tuple, because a long path makes thousands of them.

    Attributes:
        tool_calls: what the assistant asks for, beside what it says.
        tool_call_id: whose result the content is; "" but for the role "tool".
    """

    role: MessageRole
    content: str
    name: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""

    def as_json(self) -> JsonObject:
        """The message as it stands in the body of a request."""
        if self.tool_calls:
            calls = [call.as_json() for call in self.tool_calls]
            return {"role": self.role, "content": self.content or None, "tool_calls": calls}
        if self.tool_call_id:
            return {"role": self.role, "tool_call_id": self.tool_call_id, "content": self.content}
        return {"role": self.role, "content": self.content} | ({"name": self.name} if self.name else {})
