"""Reads one task file: Markdown with front matter, the system message as its body."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from assistant.errors import TaskError
from assistant.tasks.contracts import contract_words
from assistant.tasks.fields import TaskFields
from assistant.tasks.front_matter import FENCE, FrontMatter, Problem, UnreadableFrontMatter, read_front_matter
from assistant.tasks.task import Audience, Task
from storage.values import Json

NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""What a task may be called."""

_PLACEHOLDER: Final = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_MOST_BYTES: Final = 1_000_000
_OTHER_TYPES: Final = ("object", "array", "number", "integer", "boolean", "null")


def read_task(file: Path, *, source: str) -> Task:
    """Read one task file; its name in the front matter is that of the file.

    Raises:
        TaskError: the file cannot be read, or does not look like a task.
    """
    task, problems = examine(file, source=source)
    if task is None or problems:
        first, *others = problems
        more = f" It has {len(others)} more such lines: `ticketree tasks check` lists them." if others else ""
        raise TaskError(f"The task file {file} cannot be used. Line {first.line}: {first.what}{more}")
    return task


def examine(file: Path, *, source: str) -> tuple[Task | None, list[Problem]]:
    """Read one task file, with everything that is the matter with it, by line; no task where it has no front matter.

    Raises:
        TaskError: the file cannot be read, or is no text.
    """
    data = _bytes_of(file)
    try:
        text = data.decode("utf-8-sig")
        front = read_front_matter(text)
    except UnicodeDecodeError as error:
        raise TaskError(f"The task file {file} is not UTF-8 text; save it as UTF-8.") from error
    except UnreadableFrontMatter as error:
        return None, [error.problem]
    fields = TaskFields(front)
    task = Task(
        name=fields.text("name", required=True),
        title=fields.text("title", required=True),
        version=hashlib.sha256(data).hexdigest()[:12],
        system=_system(front, fields),
        source=source,
        about=fields.text("about"),
        label=fields.text("version"),
        audience=fields.choice("audience", Audience.CUSTOMER),
        contract=fields.mapping("contract"),
        reply_field=fields.text("reply_field"),
        rules=fields.rules("rules"),
        tools=fields.names("tools"),
        model=fields.text("model"),
        visible_to=fields.names("visible_to") if "visible_to" in front.values else None,
        text=text,
    )
    problems = sorted([*fields.problems, *_contradictions(task, file, fields)], key=lambda problem: problem.line)
    return task, problems


def _bytes_of(file: Path) -> bytes:
    if file.exists() and not file.is_file():
        raise TaskError(f"The task file {file} cannot be read: it is no ordinary file.")
    try:
        with file.open("rb") as opened:
            data = opened.read(_MOST_BYTES + 1)
    except OSError as error:
        raise TaskError(f"The task file {file} cannot be read: {error.strerror or error}.") from error
    if len(data) > _MOST_BYTES:
        raise TaskError(f"The task file {file} is larger than a megabyte; no model would take it.")
    return data


def _system(front: FrontMatter, fields: TaskFields) -> str:
    """The system message: the body with its placeholders filled in, and below it what the contract wants."""
    body = _filled(front, fields, fields.texts("placeholders")).strip()
    if not front.body.strip():
        fields.problems.append(
            Problem(front.body_line, f"It holds no system message below the second {FENCE}; write one.")
        )
    contract = front.values.get("contract")
    return f"{body}\n\n{contract_words(contract)}" if isinstance(contract, Mapping) else body


def _filled(front: FrontMatter, fields: TaskFields, values: Mapping[str, str]) -> str:
    used: set[str] = set()

    def fill(found: re.Match[str]) -> str:
        name = found[1].strip()
        used.add(name)
        if name not in values:
            line = front.body_line + front.body.count("\n", 0, found.start())
            what = f"The placeholder {{{{{name}}}}} stands for nothing; add it to placeholders in the front matter."
            fields.problems.append(Problem(line, " ".join(what.split())))
        return values.get(name, "")

    filled = _PLACEHOLDER.sub(fill, front.body)
    for name in values.keys() - used:
        what = f"The placeholder {name} is used nowhere; write {{{{{name}}}}} where it belongs, or leave it out."
        fields.problems.append(Problem(fields.line("placeholders", name), what))
    return filled


def _contradictions(task: Task, file: Path, fields: TaskFields) -> list[Problem]:
    """What each field alone does not tell."""
    found = []
    if task.name and not NAME.fullmatch(task.name):
        found.append(Problem(fields.line("name"), "Its name has small letters, digits and single hyphens only."))
    elif task.name and task.name != file.stem:
        found.append(
            Problem(fields.line("name"), f"It calls itself {task.name!r}; name the file {task.name}.md, or change it.")
        )
    properties = task.contract.get("properties") if task.contract is not None else None
    if task.contract is not None and not (task.contract.get("type") == "object" and isinstance(properties, Mapping)):
        found.append(
            Problem(fields.line("contract"), "A contract describes an object: 'type: object' and its properties.")
        )
    elif task.reply_field and not (isinstance(properties, Mapping) and task.reply_field in properties):
        found.append(
            Problem(fields.line("reply_field"), f"reply_field names {task.reply_field!r}, no field of the contract.")
        )
    elif task.reply_field and isinstance(properties, Mapping) and not _may_be_text(properties[task.reply_field]):
        what = f"reply_field names {task.reply_field!r}, which is no text; a reply is 'type: string'."
        found.append(Problem(fields.line("reply_field"), what))
    return found


def _may_be_text(schema: Json) -> bool:
    """A field of this schema can hold a text: not all the types that it names are others."""
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    kinds = kind if isinstance(kind, list) else [kind]
    return not all(kind in _OTHER_TYPES for kind in kinds)
