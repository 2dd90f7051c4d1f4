"""Keeping and reading the versions of tasks."""

from sqlite_utils import Database

from storage.task_versions import TaskVersion
from storage.text import storable


def keep(db: Database, task: TaskVersion, now: int) -> None:
    """Keep a version of a task, once."""
    if find(db, task.name, task.version) is None:
        db.execute(
            "INSERT INTO task_version (name, version, system, text, kept_at) VALUES (?, ?, ?, ?, ?)",
            (*map(storable, (task.name, task.version, task.system, task.text)), now),
        )


def find(db: Database, name: str, version: str) -> TaskVersion | None:
    """A version of a task; None where no answer was made with it."""
    found = db.execute(
        "SELECT name, version, system, text FROM task_version WHERE name = ? AND version = ?",
        (storable(name), storable(version)),
    ).fetchone()
    return TaskVersion(*found) if found is not None else None
