"""The chat programs whose exports can be read: one more is a module with a `PROGRAM`, and one line here."""

from collections.abc import Mapping
from typing import Final

from storage.importers.chats import chatgpt, claude, librechat, open_webui
from storage.importers.chats.program import ChatProgram
from storage.values import Json

PROGRAMS: Final[tuple[ChatProgram, ...]] = (
    chatgpt.PROGRAM,
    claude.PROGRAM,
    open_webui.PROGRAM,
    librechat.PROGRAM,
)

SIGNS: Final = ('"mapping"', '"chat_messages"', '"history"', '"chat"', '"conversationId"', '"messagesTree"')
"""One of these names stands near the beginning of every export with chats."""


_UNMISTAKABLE: Final = frozenset({"mapping", "chat_messages", "messagesTree", "conversationId", "current_node"})


def resembles_chat(value: Json) -> bool:
    """Whether a JSON value has a name that only chats have, though it may be too damaged to be read as one."""
    return isinstance(value, Mapping) and not _UNMISTAKABLE.isdisjoint(value)


def program_of(value: Json) -> ChatProgram | None:
    """Return the program that a JSON value was exported from, None where it is no chat of a known one."""
    if not isinstance(value, Mapping):
        return None
    return next((program for program in PROGRAMS if program.recognise(value)), None)
