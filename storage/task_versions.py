"""The versions of tasks that answers were made with, kept so that they can be compared when files have changed."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class TaskVersion:
    """One version of a task: the team's own words, none of a customer's, so no erasure takes them.

    Attributes:
        name, version: as the answers and requests name them.
        system: the system message as it was sent.
        text: the whole file that it was read from.
    """

    name: str
    version: str
    system: str
    text: str


class TaskVersions(Protocol):
    """The part of a store that keeps them."""

    def keep_task(self, task: TaskVersion) -> None:
        """Keep a version of a task, once; called before it is used."""

    def task_version(self, name: str, version: str) -> TaskVersion | None:
        """Return a version of a task; None where no answer was made with it."""
