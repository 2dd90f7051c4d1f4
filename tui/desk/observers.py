"""Who observes the answers of a conversation: nobody, unless the configuration or the agent says so."""

from typing import Final

from assistant.tasks.task import Task
from storage.values import Json
from tui.services import Services

SETTING: Final = "observers"
"""The conversation's own choice: true or false."""


def are_on(services: Services, chosen: Json) -> bool:
    """Answers are observed: as was chosen for the conversation, else as configured."""
    return chosen if isinstance(chosen, bool) else bool(services.observers)


def observers_of(services: Services) -> list[Task]:
    """Who observes where it is switched on: the configured tasks, or all that there are where none is configured.

    Raises:
        TaskError: a configured one cannot be used, or observes nothing.
    """
    return services.tasks.observers(services.agent, services.observers)
