"""The tasks that can be chosen: the team's own files and the shipped ones, read when they are asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from assistant.errors import TaskError
from assistant.tasks.file import NAME, read_task
from assistant.tasks.task import Task

DRAFT_REPLY: Final = "draft-reply"
"""The task of a conversation that was given no other."""

SHIPPED: Final = "shipped"
"""The source of a task that came with the program."""

SHIPPED_FOLDER: Final = Path(__file__).parent / "shipped"

_FIRST: Final = (
    DRAFT_REPLY,
    "draft-reply-structured",
    "shorten",
    "change-tone",
    "translate-for-colleague",
    "summarise-ticket",
    "find-in-handbook",
    "free-question",
)
"""The order of a chooser; what is not here follows, by name."""


@dataclass(frozen=True, slots=True)
class BrokenTask:
    """A file that cannot be used; `why` is a sentence that names it and says what to do."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class _Seen:
    """A file as it was read last: when it was changed, its size, and what it held."""

    mark: tuple[int, int]
    task: Task


class Tasks:
    """Finds tasks by name: a file of the first folder that has it, else the shipped one.

    A file that was changed is read anew when it is asked for; what was read stays with who has it. May be used from
    any thread.

    Args:
        folders: where the team's own files may lie, the one that wins first; they need not exist.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self.folders = tuple(folders)
        self._seen: dict[Path, _Seen] = {}

    def get(self, name: str = DRAFT_REPLY) -> Task:
        """Return a task.

        Raises:
            TaskError: no task has this name, or its file cannot be used.
        """
        if not NAME.fullmatch(name):
            raise TaskError(f"{name!r} cannot be a task's name: use small letters, digits and single hyphens.")
        for folder in self.folders:
            if (own := folder / f"{name}.md").exists():
                return self._read(own, str(own))
        if not (shipped := SHIPPED_FOLDER / f"{name}.md").exists():
            where = f"in {' or '.join(map(str, self.folders))} or " if self.folders else ""
            raise TaskError(
                f"There is no task {name!r} {where}among the shipped ones; `ticketree tasks` lists them, and a file "
                f"{name}.md in your folder of tasks adds one."
            )
        return self._read(shipped, SHIPPED)

    def shipped(self, name: str = DRAFT_REPLY) -> Task:
        """Return a task as it came with the program."""
        return self._read(SHIPPED_FOLDER / f"{name}.md", SHIPPED)

    def usable(self, name: str) -> tuple[Task, str]:
        """Return the task of a conversation, or where it cannot be used the shipped one for replies and why."""
        try:
            return self.get(name), ""
        except TaskError as error:
            return self.shipped(), str(error)

    def all(self) -> list[Task | BrokenTask]:
        """All tasks in the order of a chooser, those that cannot be used with the reason."""
        found: list[Task | BrokenTask] = []
        for name in sorted(
            self._names(), key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)
        ):
            try:
                found.append(self.get(name))
            except TaskError as error:
                found.append(BrokenTask(name, str(error)))
        return found

    def for_agent(self, agent: str) -> list[Task | BrokenTask]:
        """The tasks that this agent may choose, and those that cannot be used with the reason."""
        return [task for task in self.all() if not isinstance(task, Task) or task.may_choose(agent)]

    def observers(self, agent: str, names: Sequence[str] = ()) -> list[Task]:
        """The tasks that observe for this agent: those of these names, or all where none is named.

        Raises:
            TaskError: a named one cannot be used, or observes nothing.
        """
        if not names:
            return [
                task for task in self.all() if isinstance(task, Task) and task.is_observer and task.is_visible_to(agent)
            ]
        tasks = [self.get(name) for name in names]
        for task in tasks:
            if not task.is_observer:
                raise TaskError(f"The task {task.name!r} observes nothing; its file would say audience: observer.")
        return [task for task in tasks if task.is_visible_to(agent)]

    def chosen_by(self, agent: str, name: str) -> Task:
        """Return a task that this agent chooses.

        Raises:
            TaskError: there is no such task for this agent.
        """
        task = self.get(name)
        if task.is_observer:
            raise TaskError(f"The task {name!r} observes answers and cannot be chosen; `observers` switches it on.")
        if not task.may_choose(agent):
            names = ", ".join(task.visible_to or ()) or "nobody"
            raise TaskError(f"The task {name!r} is not for {agent}: its file says visible_to {names}.")
        return task

    def _names(self) -> set[str]:
        return {file.stem for folder in (SHIPPED_FOLDER, *self.folders) for file in _files(folder)}

    def _read(self, file: Path, source: str) -> Task:
        try:
            status = file.stat()
        except OSError as error:
            raise TaskError(f"The task file {file} cannot be read: {error.strerror or error}.") from error
        mark = (status.st_mtime_ns, status.st_size)
        seen = self._seen.get(file)
        if seen is None or seen.mark != mark:
            task = read_task(file, source=source)
            _check_names(task, file)
            seen = self._seen[file] = _Seen(mark, task)
        return seen.task


def _check_names(task: Task, file: Path) -> None:
    """Refuse a task whose rules or tools are not there, so that nobody relies on a check that is never made.

    The rules take a while to import, so that is left to a task that names some.
    """
    unknown: list[str] = []
    if task.rules:
        from assistant.gates.registry import RULES

        unknown += [f"rule {rule.name!r}" for rule in task.rules if rule.name not in RULES]
    if task.tools:
        from assistant.tools.specs import SPECS

        unknown += [f"tool {name!r}" for name in task.tools if name not in SPECS]
    if unknown:
        raise TaskError(
            f"The task file {file} cannot be used: there is no {' and no '.join(unknown)}. "
            "`ticketree tasks check` on it tells the line, and which there are."
        )


def _files(folder: Path) -> Iterator[Path]:
    """The task files of a folder, none where it cannot be read; a README beside them is none."""
    try:
        yield from (file for file in folder.glob("*.md") if NAME.fullmatch(file.stem))
    except OSError:
        return
