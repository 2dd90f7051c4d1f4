"""Reads tasks from their files: Markdown with a small front matter, the system message as the body."""

import hashlib
import re
from pathlib import Path
from typing import Final

from assistant.errors import TaskError
from assistant.task import Task

DRAFT_REPLY: Final = "draft-reply"
"""The task of a conversation that was given no other."""

SHIPPED_FOLDER: Final = Path(__file__).parent / "tasks"

_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FENCE: Final = "---"
_KEYS: Final = ("name", "title")


def load_task(name: str = DRAFT_REPLY, folder: Path | None = None) -> Task:
    """Load a task by name: the team's own file where its folder holds one, else the shipped one.

    Raises:
        TaskError: no task has this name, or its file cannot be used.
    """
    if not _NAME.fullmatch(name):
        raise TaskError(f"{name!r} cannot be a task's name: use small letters, digits and single hyphens.")
    if folder is not None and (own := folder / f"{name}.md").exists():
        return read_task(own, source=str(own))
    shipped = SHIPPED_FOLDER / f"{name}.md"
    if not shipped.exists():
        places = f"in {folder} or among the shipped ones" if folder else "among the shipped ones"
        raise TaskError(f"There is no task {name!r} {places}; add a file {name}.md to your folder of tasks.")
    return read_task(shipped, source="shipped")


def read_task(file: Path, *, source: str) -> Task:
    """Read one task file; its name in the front matter is that of the file.

    Raises:
        TaskError: the file cannot be read, or does not look like a task.
    """
    try:
        data = file.read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise TaskError(f"The task file {file} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise TaskError(f"The task file {file} is not UTF-8 text; save it as UTF-8.") from error
    fields, system = _parse(text, file)
    if fields["name"] != file.stem:
        raise TaskError(f"The task file {file} calls itself {fields['name']!r}; name the file {fields['name']}.md.")
    return Task(
        name=fields["name"],
        title=fields["title"],
        version=hashlib.sha256(data).hexdigest()[:12],
        system=system,
        source=source,
    )


def _parse(text: str, file: Path) -> tuple[dict[str, str], str]:
    """Split a file into the fields of its front matter and its body."""
    first, *lines = text.replace("\r\n", "\n").split("\n")
    if first.rstrip() != _FENCE or _FENCE not in (stripped := [line.rstrip() for line in lines]):
        raise TaskError(f"The task file {file} must begin with its name and title between two lines of {_FENCE}.")
    end = stripped.index(_FENCE)
    fields: dict[str, str] = {}
    for line in filter(None, stripped[:end]):
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or key not in _KEYS or key in fields:
            raise TaskError(
                f"The task file {file} has a line {line!r} that means nothing there: each of {', '.join(_KEYS)} "
                "stands once, as 'key: value'."
            )
        fields[key] = value
    for key in _KEYS:
        if not fields.get(key):
            raise TaskError(f"The task file {file} lacks its {key} between the two lines of {_FENCE}.")
    system = "\n".join(lines[end + 1 :]).strip()
    if not system:
        raise TaskError(f"The task file {file} holds no system message below its front matter; write one.")
    return fields, system
