"""What the app and the commands work with: the record, the assistant, and what the agent chose."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.plan import PlanSettings
from assistant.provider import Provider
from assistant.task import Task
from assistant.tokens import Counter
from storage.store import Store


@dataclass(frozen=True, slots=True)
class Services:
    """Everything one run needs, made once at its start.

    Attributes:
        agent: whose conversations are shown; no other agent's can be reached.
        provider: what answers; making it imports neither openai nor a vocabulary.
        counter: counts tokens; its vocabulary is read at the first count, not before.
        defaults: settings of a conversation in which the agent has not chosen others.
        theme: name of the Textual theme, "" for the app's own.
        keys: action name → key, as the configuration file rebinds them.
        notices: sentences to show once at the start (configuration warnings, a file system that harms databases).
        is_demo: the sample desk in a throw-away database.
    """

    store: Store
    agent: str
    provider: Provider
    task: Task
    counter: Counter
    defaults: PlanSettings = PlanSettings()
    theme: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    is_demo: bool = False
