"""What each module on a chat program offers."""

from collections.abc import Callable
from dataclasses import dataclass

from storage.importers.chats.source import SourceChat
from storage.values import JsonObject


@dataclass(frozen=True, slots=True)
class ChatProgram:
    """A program whose exports can be read.

    Attributes:
        name: as people know it.
        format: as it stands in `RawSource.format`.
        recognise: whether an object is a chat of this program.
        read: what the chat holds; it raises nothing, whatever stands in the object.
    """

    name: str
    format: str
    recognise: Callable[[JsonObject], bool]
    read: Callable[[JsonObject], SourceChat]
