"""The texts that belong to nobody: the tasks and saved replies that are here."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from assistant.errors import TaskError
from assistant.saved_replies import load_replies
from assistant.task import Task
from assistant.tasks import SHIPPED_FOLDER, read_task
from assistant.tracing import SystemOf


def tasks_here(folder: Path | None = None) -> list[Task]:
    """Read every task, one's own and the shipped ones; a file that cannot be used is none."""
    found = []
    for place in (SHIPPED_FOLDER, folder):
        for file in sorted(place.glob("*.md")) if place is not None else []:
            try:
                found.append(read_task(file, source=str(file)))
            except TaskError:
                continue
    return found


def system_messages(tasks: Iterable[Task]) -> SystemOf:
    """Return what looks up the system message of a task in one version."""
    known = {(task.name, task.version): task.system for task in tasks}
    return lambda name, version: known.get((name, version))


def nobodys_texts(tasks: Iterable[Task], replies_folder: Path | None = None) -> Iterator[str]:
    """Yield the system messages, and every variant and phrase of the saved replies.

    Raises:
        RepliesError: a saved reply cannot be used.
    """
    yield from (task.system for task in tasks)
    replies = load_replies(replies_folder)
    for reply in replies.by_key.values():
        yield from reply.texts.values()
    for phrases in replies.phrases.values():
        yield from phrases.values()
