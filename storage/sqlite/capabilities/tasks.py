"""The versions of tasks that answers were made with."""

from storage.sqlite import task_versions
from storage.sqlite.capabilities.part import Part
from storage.task_versions import TaskVersion


class Tasks(Part):
    """Keeping and reading versions of tasks."""

    def keep_task(self, task: TaskVersion) -> None:
        """Keep a version of a task, once; one that is there already costs no write."""
        if self.task_version(task.name, task.version) is None:
            self._write(lambda db, now: task_versions.keep(db, task, now))

    def task_version(self, name: str, version: str) -> TaskVersion | None:
        """Return a version of a task; None where no answer was made with it."""
        return self._read(lambda db: task_versions.find(db, name, version))
