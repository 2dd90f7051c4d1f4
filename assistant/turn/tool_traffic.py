"""Calls of tools and their results as the record keeps them, and as the messages of the requests that follow.

They hang on the answer that they were made for and are part of its own requests only: later requests of the branch
carry the answer and none of its tool traffic. So calls and results are never parted, a passage of the handbook never
pushes the ticket out of a later request, and a server without tools can go on with the conversation.
"""

import json
from collections.abc import Sequence

from assistant.plan.messages import Message, ToolCall
from storage.interactions import Interaction
from storage.kinds import TOOL_CALL, TOOL_RESULT
from storage.values import Json, JsonObject


def named(calls: Sequence[ToolCall], step: int) -> tuple[ToolCall, ...]:
    """Give each call an id of its own, and arguments that are an object; servers refuse others when they come back."""
    taken: set[str] = set()
    made = []
    for number, call in enumerate(calls, 1):
        call_id = call.id if call.id and call.id not in taken else f"call_{step}_{number}"
        taken.add(call_id)
        arguments = call.arguments if call.arguments.strip() and arguments_of(call) is not None else "{}"
        made.append(ToolCall(call_id, call.name, arguments))
    return tuple(made)


def arguments_of(call: ToolCall) -> JsonObject | None:
    """The arguments of a call; None where they are no JSON object."""
    if not call.arguments.strip():
        return {}
    try:
        document = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def call_text(said: str, calls: Sequence[ToolCall]) -> str:
    """What is kept of the calls of one step: what was said before them, and the calls."""
    kept: list[Json] = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in calls]
    return json.dumps({"said": said, "calls": kept}, ensure_ascii=False)


def traffic_message(interaction: Interaction) -> Message | None:
    """The message of a call or a result that was kept; None for what is neither, or was kept in another way."""
    match interaction.kind:
        case TOOL_CALL.name:
            return _call_message(interaction.content)
        case TOOL_RESULT.name if isinstance(call_id := interaction.node.meta.get("call_id"), str):
            return Message("tool", interaction.content, tool_call_id=call_id)
        case _:
            return None


def counted(message: Message) -> Message:
    """The message as it is counted: what it calls is text to a tokenizer."""
    if not message.tool_calls:
        return message
    calls = "".join(f"{call.name}{call.arguments}" for call in message.tool_calls)
    return Message(message.role, f"{message.content}{calls}")


def _call_message(content: str) -> Message | None:
    try:
        match json.loads(content):
            case {"said": str(said), "calls": [_, *_] as entries}:
                calls = [_call(entry) for entry in entries]
            case _:
                return None
    except (ValueError, RecursionError):
        return None
    return Message("assistant", said, tool_calls=tuple(call for call in calls if call is not None))


def _call(entry: object) -> ToolCall | None:
    match entry:
        case {"id": str(call_id), "name": str(name), "arguments": str(arguments)}:
            return ToolCall(call_id, name, arguments)
        case _:
            return None
