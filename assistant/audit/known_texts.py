"""The texts that belong to nobody: the tasks, saved replies and handbook that are here."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from assistant.audit.tracing import SystemOf
from assistant.builtin.saved_replies import load_replies
from assistant.errors import TaskError
from assistant.handbook.handbook import Handbook
from assistant.tasks.file import read_task
from assistant.tasks.registry import SHIPPED_FOLDER
from assistant.tasks.task import Task
from storage.task_versions import TaskVersions


def tasks_here(folders: Sequence[Path] = ()) -> list[Task]:
    """Read every task, one's own and the shipped ones; a file that cannot be used is none."""
    found = []
    for place in (SHIPPED_FOLDER, *folders):
        for file in sorted(place.glob("*.md")):
            try:
                found.append(read_task(file, source=str(file)))
            except TaskError:
                continue
    return found


def system_messages(tasks: Iterable[Task], kept: TaskVersions | None = None) -> SystemOf:
    """Return what looks up the system message of a task in one version.

    Args:
        tasks: those whose files are here.
        kept: the record, which keeps the versions that answers were made with.
    """
    known = {(task.name, task.version): task.system for task in tasks}

    def system_of(name: str, version: str) -> str | None:
        if (name, version) not in known and kept is not None and (found := kept.task_version(name, version)):
            known[name, version] = found.system
        return known.get((name, version))

    return system_of


def nobodys_texts(
    tasks: Iterable[Task], replies_folder: Path | None = None, handbook: Handbook | None = None
) -> Iterator[str]:
    """Yield the system messages, every variant and phrase of the saved replies, and the passages of the handbook.

    Raises:
        RepliesError: a saved reply cannot be used.
        HandbookError: the handbook cannot be read.
    """
    if handbook is not None:
        yield from handbook.texts()
    yield from (task.system for task in tasks)
    replies = load_replies(replies_folder)
    for reply in replies.by_key.values():
        yield from reply.texts.values()
    for phrases in replies.phrases.values():
        yield from phrases.values()
