"""Tasks that a test gives itself, beside the shipped ones."""

from assistant.tasks.registry import Tasks
from assistant.tasks.task import Task

DRAFT = Task(
    "draft-reply", "Draft reply", "0123456789ab", "Draft a reply to the ticket.", "shipped", about="Writes a reply."
)


class FixedTasks(Tasks):
    """The shipped tasks, of which some are others; "draft-reply" is one whose system message is short."""

    def __init__(self, *tasks: Task) -> None:
        super().__init__()
        self._fixed = {task.name: task for task in (DRAFT, *tasks)}

    def get(self, name: str = DRAFT.name) -> Task:
        return self._fixed[name] if name in self._fixed else super().get(name)

    def _names(self) -> set[str]:
        return super()._names() | set(self._fixed)
