"""What the app and the commands work with: the record, the assistant, and what the agent chose."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from assistant.handbook.handbook import Handbook
from assistant.plan.plan import PlanSettings
from assistant.plan.settings import with_sizing
from assistant.provider.provider import Provider
from assistant.provider.providers import provider_for
from assistant.tasks.registry import Tasks
from assistant.tokens.counter import Counter
from assistant.tokens.counters import CounterKind, counter_for
from assistant.tokens.sizing import UNLIMITED, Limits, read_sizing
from assistant.turn.loop import Limits as TurnLimits
from storage.store import Store
from tui import locations
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
        limits: what is configured of the model's window and the length of answers.
        theme: name of the Textual theme, "" for the app's own.
        keys: action name → key, as the configuration file rebinds them.
        notices: sentences to show once at the start (configuration warnings, a file system that harms databases).
        prices: of models; the file is read when they are first asked for.
        handbook: what the assistant may look things up in, None for nothing; no file is read before it is searched.
        turn_limits: when a turn halts that does not come to its end by itself.
        self_check: a model's answers are checked by a second call.
        observers: the tasks that observe answers, in conversations where nobody chose otherwise; () for none.
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
    limits: Limits = UNLIMITED
    handbook: Handbook | None = None
    turn_limits: TurnLimits = field(default_factory=TurnLimits)
    self_check: bool = False
    observers: tuple[str, ...] = ()

    def sized_defaults(self) -> PlanSettings:
        """The defaults with what the record knows of the model now; a plan is made, sent and ended with one of these.

        Reads the record.
        """
        provider = self.provider
        sizing = read_sizing(self.store, provider.base_url, provider.model, self.counter, self.limits)
        return with_sizing(self.defaults, sizing)


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
        defaults=setup.settings if config.sticky is not None else replace(setup.settings, sticky=provider.is_model),
        limits=setup.limits,
        handbook=handbook_of(setup),
        turn_limits=setup.turn_limits,
        self_check=bool(config.self_check),
        observers=config.observers or (),
        theme=config.theme or "",
        keys=config.keys,
        notices=(*config.warnings, *notices),
        prices=PriceReader(setup.prices_file),
    )


def handbook_of(setup: Setup) -> Handbook | None:
    """The configured handbook, whose index is kept in the cache; None where none is."""
    folder = setup.handbook_folder
    return None if folder is None else Handbook(folder, locations.handbook_indexes())
