"""Who wrote a message, by whatever name its program has for the role, and what to make of a message of nobody's."""

from typing import Final

from storage.importers.chats.fields import escaped
from storage.importers.chats.source import SourceMessage
from storage.kinds import AGENT_MESSAGE, ASSISTANT_RESPONSE, OBSERVATION, TOOL_RESULT, InteractionKind
from storage.values import Json

_KINDS: Final = {
    **dict.fromkeys(("user", "human"), AGENT_MESSAGE),
    **dict.fromkeys(("assistant", "model", "ai", "bot"), ASSISTANT_RESPONSE),
    **dict.fromkeys(("tool", "function"), TOOL_RESULT),
    **dict.fromkeys(("system", "developer"), OBSERVATION),
}


def kind_of_role(role: str) -> InteractionKind | None:
    """Return what a message of this role is, None where the name does not tell."""
    return _KINDS.get(role.strip().casefold())


def loose_message(value: Json) -> SourceMessage | None:
    """Return the message that something else than an object makes: a text is kept, whoever wrote it; else None."""
    if isinstance(value, str) and value.strip():
        return SourceMessage(OBSERVATION, escaped(value), is_unknown=True)
    return None
