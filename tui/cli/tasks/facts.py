"""What the commands tell about a task."""

from assistant.tasks.task import Task
from storage.values import JsonObject


def task_json(task: Task) -> JsonObject:
    """A task as `ticketree tasks --json` prints it; `visible_to` is null where every agent may choose it."""
    return {
        "name": task.name,
        "title": task.title,
        "about": task.about,
        "version": task.version,
        "label": task.label,
        "source": task.source,
        "audience": task.audience.value,
        "visible_to": None if task.visible_to is None else list(task.visible_to),
        "contract": task.contract,
        "reply_field": task.reply_field,
        "rules": [{"name": rule.name, "parameters": rule.parameters} for rule in task.rules],
        "tools": list(task.tools),
        "model": task.model,
    }


def visible_to(task: Task) -> str:
    """Who may choose it, in words."""
    if task.visible_to is None:
        return "everybody"
    return ", ".join(task.visible_to) or "nobody"
