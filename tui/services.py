"""What the app and the commands work with: the record, the assistant, and what the agent chose."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.counters import CounterKind, counter_for
from assistant.plan import PlanSettings
from assistant.provider import Provider
from assistant.providers import provider_for
from assistant.tasks import Tasks
from assistant.tokens import Counter
from storage.store import Store
from tui.price_reader import PriceReader
from tui.setup import Setup


@dataclass(frozen=True, slots=True)
class Services:
    """Everything one run needs, made once at its start.

    Attributes:
        agent: whose conversations are shown; no other agent's can be reached.
        provider: what answers; making it imports neither openai nor a vocabulary.
        tasks: what the assistant can be asked to do; a file is read when it is asked for.
        counter: counts tokens; its vocabulary is read at the first count, not before.
        defaults: settings of a conversation in which the agent has not chosen others.
        theme: name of the Textual theme, "" for the app's own.
        keys: action name → key, as the configuration file rebinds them.
        notices: sentences to show once at the start (configuration warnings, a file system that harms databases).
        prices: of models; the file is read when they are first asked for.
        is_demo: the sample desk in a throw-away database.
    """

    store: Store
    agent: str
    provider: Provider
    tasks: Tasks
    counter: Counter
    defaults: PlanSettings = field(default_factory=PlanSettings)
    theme: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    prices: PriceReader = field(default_factory=PriceReader)
    is_demo: bool = False


def build_services(
    store: Store,
    setup: Setup,
    *,
    counter_kind: CounterKind | None = None,
    at_once: bool = False,
    notices: tuple[str, ...] = (),
) -> Services:
    """Put together what a run on this agent's desk works with; nothing heavy is imported, nothing is sent.

    Args:
        store: the record.
        setup: what was chosen.
        counter_kind: wins over the configuration.
        at_once: nobody reads along, so no answer need come at a human pace.
        notices: sentences besides the configuration's warnings.

    Raises:
        RepliesError: a saved reply cannot be used.
    """
    config = setup.config
    provider = provider_for(setup.model_settings, replies_folder=setup.replies_folder, at_once=at_once)
    return Services(
        store=store,
        agent=setup.agent.value,
        provider=provider,
        tasks=Tasks(setup.task_folders),
        counter=counter_for(provider.model, kind=counter_kind or config.counter or "exact"),
        defaults=setup.settings,
        theme=config.theme or "",
        keys=config.keys,
        notices=(*config.warnings, *notices),
        prices=PriceReader(setup.prices_file),
    )
