"""What this run uses and where each choice came from: option, environment, configuration file or default."""

import getpass
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from assistant.plan.plan import PlanSettings
from assistant.provider.model_settings import DEFAULT_MODEL, OPENAI_URL, ModelSettings, Timeouts
from assistant.tokens.sizing import Limits
from assistant.turn.loop import MOST_STEPS
from assistant.turn.loop import Limits as TurnLimits
from tui import locations
from tui.config import Config, load_config
from tui.errors import SetupError
from tui.options import DEFAULT, Options

MAX_AGENT_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Chosen:
    """A value with the place it came from ("--agent", "TICKETREE_AGENT", the configuration file, "default")."""

    value: str
    source: str


@dataclass(frozen=True, slots=True)
class Setup:
    """What this run uses.

    Attributes:
        model, base_url, window, handbook: an empty value where none is configured.
        api_key: never shown and never part of a repr.
        settings: the defaults of a conversation in which the agent has not chosen others.
    """

    config: Config
    agent: Chosen
    database: Chosen
    model: Chosen
    base_url: Chosen
    api_key: str = field(repr=False)
    settings: PlanSettings
    window: Chosen
    handbook: Chosen

    @property
    def limits(self) -> Limits:
        """What is configured of the model's window and the length of answers."""
        window = int(self.window.value) if self.window.value else None
        return Limits(window=window, max_output_tokens=self.config.max_output_tokens)

    @property
    def database_file(self) -> Path:
        """The database as a path."""
        return Path(self.database.value)

    @property
    def task_folders(self) -> tuple[Path, ...]:
        """Where the team's own task files may lie: the configured folder wins over the one beside the database."""
        configured = self.config.tasks_folder or locations.tasks_folder()
        return (configured, self.database_file.parent / "tasks")

    @property
    def config_file(self) -> Path:
        """The configuration file; it need not exist."""
        return self.config.path or locations.config_file()

    @property
    def prices_file(self) -> Path:
        """A person's own prices of models, beside the configuration file; it need not exist."""
        return self.config_file.with_name("prices.toml")

    @property
    def replies_folder(self) -> Path | None:
        """Where the team's own saved replies lie; None where no folder is configured and the usual one is not there."""
        usual = locations.replies_folder()
        return self.config.replies_folder or (usual if usual.is_dir() else None)

    @property
    def handbook_folder(self) -> Path | None:
        """The team's handbook; None where none is configured."""
        return Path(self.handbook.value).expanduser() if self.handbook.value else None

    @property
    def turn_limits(self) -> TurnLimits:
        """When a turn halts that does not come to its end by itself."""
        return TurnLimits(steps=self.config.step_limit or MOST_STEPS, tokens=self.config.turn_tokens)

    @property
    def model_settings(self) -> ModelSettings:
        """Which model to ask, where and how; one that is named is asked at OpenAI where no server is.

        So a model that was named is never replaced by the built-in assistant, not even where its key is missing.
        """
        config, usual = self.config, Timeouts()
        return ModelSettings(
            model=self.model.value or DEFAULT_MODEL,
            base_url=self.base_url.value or (OPENAI_URL if self.model.value else ""),
            api_key=self.api_key,
            temperature=config.temperature,
            max_output_tokens=config.max_output_tokens,
            timeouts=Timeouts(
                connect_s=config.connect_timeout_s or usual.connect_s,
                first_byte_s=config.first_byte_timeout_s or usual.first_byte_s,
                between_chunks_s=config.between_chunks_timeout_s or usual.between_chunks_s,
            ),
        )


def resolve(options: Options, environ: Mapping[str, str]) -> Setup:
    """Decide what this run uses.

    Raises:
        SetupError: an option, a variable or the configuration file holds something that cannot be used.
    """
    config = load_config(options.config or locations.config_file(), must_exist=options.config is not None)
    return resolve_with(config, options, environ)


def resolve_with(config: Config, options: Options, environ: Mapping[str, str]) -> Setup:
    """Decide what this run uses, with a configuration that was read already."""
    database = _first(
        ("--db", _path(options.db)),
        ("TICKETREE_DB", environ.get("TICKETREE_DB")),
        (str(config.path), _path(config.db)),
    ) or Chosen(str(locations.database_file()), DEFAULT)
    return Setup(
        config=config,
        agent=_agent(config, options, environ),
        database=replace(database, value=str(Path(database.value).expanduser())),
        model=_first(("--model", options.model), (str(config.path), config.model)) or _NOTHING,
        base_url=_base_url(config, options, environ),
        api_key=environ.get("OPENAI_API_KEY", "").strip(),
        settings=_settings(config),
        window=_first(("--window", _number(options.window)), (str(config.path), _number(config.window))) or _NOTHING,
        handbook=_first(("--handbook", _path(options.handbook)), (str(config.path), _path(config.handbook)))
        or _NOTHING,
    )


_NOTHING = Chosen("", "not configured")


def _first(*candidates: tuple[str, str | None]) -> Chosen | None:
    return next((Chosen(value.strip(), source) for source, value in candidates if value and value.strip()), None)


def _path(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _number(number: int | None) -> str | None:
    return None if number is None else str(number)


def _agent(config: Config, options: Options, environ: Mapping[str, str]) -> Chosen:
    if options.agent is not None and not options.agent.strip():
        raise SetupError("--agent needs a name, and this one is empty.")
    named = _first(
        ("--agent", options.agent),
        ("TICKETREE_AGENT", environ.get("TICKETREE_AGENT")),
        (str(config.path), config.agent),
    )
    agent = named or _os_user()
    if len(agent.value) > MAX_AGENT_CHARACTERS:
        raise SetupError(f"The agent's name (from {agent.source}) is longer than {MAX_AGENT_CHARACTERS} characters.")
    if any(unicodedata.category(character).startswith("C") for character in agent.value):
        raise SetupError(
            f"The agent's name (from {agent.source}) holds a control or invisible character; type it anew."
        )
    return agent


def _os_user() -> Chosen:
    try:
        return Chosen(getpass.getuser(), "the name you are logged in with")
    except (OSError, KeyError, ImportError):
        raise SetupError("Your name is not known here; say who you are with --agent NAME or TICKETREE_AGENT.") from None


def _base_url(config: Config, options: Options, environ: Mapping[str, str]) -> Chosen:
    chosen = _first(
        ("--base-url", options.base_url),
        ("OPENAI_BASE_URL", environ.get("OPENAI_BASE_URL")),
        (str(config.path), config.base_url),
    )
    if chosen is None:
        return _NOTHING
    scheme, separator, rest = chosen.value.partition("://")
    if scheme.lower() not in ("http", "https") or not separator or not rest.strip("/"):
        raise SetupError(
            f"The base URL {chosen.value!r} (from {chosen.source}) must look like http://localhost:11434/v1."
        )
    return chosen


def _settings(config: Config) -> PlanSettings:
    chosen = PlanSettings()
    if config.budget is not None:
        chosen = replace(chosen, budget=config.budget)
    if config.strategy is not None:
        chosen = replace(chosen, strategy=config.strategy)
    if config.window_turns is not None:
        chosen = replace(chosen, window_turns=config.window_turns)
    if config.sticky is not None:
        chosen = replace(chosen, sticky=config.sticky)
    return chosen
