"""A task: what the assistant is asked to do, kept in a file that a team edits without touching code."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Task:
    """One task, as read from its file.

    Attributes:
        name: "draft-reply".
        title: what people read ("Draft reply").
        version: first 12 hex digits of the file's SHA-256, so that a changed file is a new version by itself.
        system: the system message.
        source: where it came from, for `doctor`: "shipped" or the file's path.
    """

    name: str
    title: str
    version: str
    system: str
    source: str
