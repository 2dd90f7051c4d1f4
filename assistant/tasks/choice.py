"""Which task a branch has: choosing one is an internal interaction on the node where it was chosen."""

from collections.abc import Sequence

from assistant.tasks.registry import DRAFT_REPLY
from assistant.tasks.task import Task
from storage.interactions import Interaction
from storage.kinds import TASK
from storage.store import Store


def task_of(branch: Sequence[Interaction]) -> str:
    """The name of the task that was chosen last on a branch; that of a reply where none was.

    Args:
        branch: from the root to a leaf, each node followed by the internal interactions on it.
    """
    for interaction in reversed(branch):
        if interaction.kind == TASK.name and isinstance(name := interaction.node.meta.get("task"), str):
            return name
    return DRAFT_REPLY


def choose_task(store: Store, conversation_id: int, node_id: int, agent: str, task: Task) -> int:
    """Let all branches through a node have this task from there on; returns the id of the choice."""
    meta = {"task": task.name, "task_title": task.title, "task_version": task.version}
    return store.add_internal(conversation_id, node_id, TASK, agent, text="", meta=meta)
