"""The configuration file: TOML, every key optional, checked with sentences that name the file and the key."""

import difflib
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar, get_args

from assistant.plan.plan import StrategyName
from assistant.tokens.context_limits import LARGEST, SMALLEST
from assistant.tokens.counters import CounterKind
from storage.closed_means import UNCONFIGURED, ClosedMeans
from storage.retention import RetentionRules
from tui.errors import SetupError

T = TypeVar("T")

_MOST_DAYS: Final = 36_500
_MOST_STEPS: Final = 50


@dataclass(frozen=True, slots=True)
class Config:
    """What the configuration file says; None where it says nothing.

    Attributes:
        path: the file that was read, None when there is none.
        keys: action name → key, as `[keys]` rebinds them.
        retention: how long words are kept, as `[retention]` says it.
        closed_means: which statuses of sources mean that a ticket is closed, from the same table.
        warnings: one sentence for each key that is not known.
    """

    path: Path | None = None
    agent: str | None = None
    db: Path | None = None
    model: str | None = None
    base_url: str | None = None
    window: int | None = None
    budget: int | None = None
    strategy: StrategyName | None = None
    window_turns: int | None = None
    sticky: bool | None = None
    counter: CounterKind | None = None
    temperature: float | None = None
    max_output_tokens: int | None = None
    connect_timeout_s: float | None = None
    first_byte_timeout_s: float | None = None
    between_chunks_timeout_s: float | None = None
    replies_folder: Path | None = None
    tasks_folder: Path | None = None
    handbook: Path | None = None
    step_limit: int | None = None
    turn_tokens: int | None = None
    self_check: bool | None = None
    observers: tuple[str, ...] | None = None
    theme: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    retention: RetentionRules | None = None
    closed_means: ClosedMeans = UNCONFIGURED
    warnings: tuple[str, ...] = ()


def load_config(path: Path, *, must_exist: bool) -> Config:
    """Read a configuration file; a missing one is an empty one unless it was asked for by name.

    Raises:
        SetupError: the file cannot be read, is no TOML, or a value cannot be used.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if must_exist:
            raise SetupError(f"There is no configuration file {path}.") from None
        return Config()
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"{path} is not valid TOML: {error}.") from None
    except UnicodeDecodeError:
        raise SetupError(f"{path} is not UTF-8 text; save it as UTF-8.") from None
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}.") from None
    return _read(_Table(path, data))


def _read(table: "_Table") -> Config:
    return Config(
        path=table.path,
        agent=table.text("agent"),
        db=table.file("db"),
        model=table.text("model"),
        base_url=table.text("base_url"),
        window=table.whole("window", least=SMALLEST, most=LARGEST),
        budget=table.whole("budget", least=1),
        strategy=table.strategy("strategy"),
        window_turns=table.whole("window_turns", least=1),
        sticky=table.flag("sticky"),
        counter=table.counter("counter"),
        temperature=table.number("temperature", least=0, most=2),
        max_output_tokens=table.whole("max_output_tokens", least=1),
        connect_timeout_s=table.number("connect_timeout_s", least=0.1, most=3_600),
        first_byte_timeout_s=table.number("first_byte_timeout_s", least=0.1, most=3_600),
        between_chunks_timeout_s=table.number("between_chunks_timeout_s", least=0.1, most=3_600),
        replies_folder=table.file("replies_folder"),
        tasks_folder=table.file("tasks_folder"),
        handbook=table.file("handbook"),
        step_limit=table.whole("step_limit", least=1, most=_MOST_STEPS),
        turn_tokens=table.whole("turn_tokens", least=1),
        self_check=table.flag("self_check"),
        observers=table.names("observers"),
        theme=table.text("theme"),
        keys=table.texts("keys"),
        retention=_retention(ending := table.table("retention", "days_after_closing = 365")),
        closed_means=ClosedMeans(ending.lists("closed_means") if ending else {}),
        warnings=table.warnings(),
    )


def _retention(table: "_Table | None") -> RetentionRules | None:
    if table is None:
        return None
    days = table.whole("days_after_closing", least=0, most=_MOST_DAYS)
    if days is None:
        raise SetupError(f"{table.path}: [retention] must say days_after_closing, such as days_after_closing = 365.")
    return RetentionRules(
        days_after_closing=days,
        grace_days_for_reopening=table.whole("grace_days_for_reopening", least=0, most=_MOST_DAYS) or 0,
    )


class _Table:
    """A TOML table that checks values as they are asked for and remembers which keys exist."""

    def __init__(self, path: Path, data: Mapping[str, object], prefix: str = "") -> None:
        self.path = path
        self._data = data
        self._prefix = prefix
        self._known: list[str] = []
        self._tables: list[_Table] = []

    def text(self, key: str) -> str | None:
        return self._get(key, "a text in quotes that is not empty", _as_text)

    def file(self, key: str) -> Path | None:
        """A path; a relative one starts at the folder of the configuration file."""
        text = self._get(key, "a path in quotes", _as_text)
        return None if text is None else self.path.parent / Path(text).expanduser()

    def whole(self, key: str, *, least: int, most: int | None = None) -> int | None:
        def check(value: object) -> int | None:
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                return None
            return None if most is not None and value > most else value

        wanted = f"of at least {least}" if most is None else f"from {least} to {most:,}"
        return self._get(key, f"a whole number {wanted}", check)

    def number(self, key: str, *, least: float, most: float) -> float | None:
        def check(value: object) -> float | None:
            good = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
            return float(value) if good and isinstance(value, int | float) else None

        return self._get(key, f"a number from {least:g} to {most:g}", check)

    def flag(self, key: str) -> bool | None:
        return self._get(key, "true or false", lambda value: value if isinstance(value, bool) else None)

    def choice(self, key: str, names: Iterable[str]) -> str | None:
        allowed = list(names)
        wanted = "one of " + ", ".join(f'"{name}"' for name in allowed)
        return self._get(key, wanted, lambda value: value if isinstance(value, str) and value in allowed else None)

    def strategy(self, key: str) -> StrategyName | None:
        name = self.choice(key, [each.value for each in StrategyName])
        return None if name is None else StrategyName(name)

    def counter(self, key: str) -> CounterKind | None:
        match self.choice(key, get_args(CounterKind)):
            case "estimate":
                return "estimate"
            case None:
                return None
            case _:
                return "exact"

    def texts(self, key: str) -> Mapping[str, str]:
        def check(value: object) -> dict[str, str] | None:
            if not isinstance(value, dict) or not all(_as_text(item) for item in value.values()):
                return None
            return {str(name): str(item) for name, item in value.items()}

        return self._get(key, 'a table of texts, such as [keys] with follow_up = "f"', check) or {}

    def names(self, key: str) -> tuple[str, ...] | None:
        def check(value: object) -> tuple[str, ...] | None:
            if not isinstance(value, list) or not all(map(_as_text, value)):
                return None
            return tuple(str(item).strip() for item in value)

        return self._get(key, 'a list of names, such as ["tone"]', check)

    def lists(self, key: str) -> Mapping[str, frozenset[str]]:
        def check(value: object) -> dict[str, frozenset[str]] | None:
            if not isinstance(value, dict):
                return None
            if not all(isinstance(items, list) and items and all(map(_as_text, items)) for items in value.values()):
                return None
            return {str(name): frozenset(str(item).strip().lower() for item in items) for name, items in value.items()}

        return self._get(key, 'a table of lists of texts, such as { csv = ["done", "closed"] }', check) or {}

    def table(self, key: str, example: str) -> "_Table | None":
        data = self._get(key, f"a table, such as [{key}] with {example}", _as_table)
        if data is None:
            return None
        inner = _Table(self.path, data, f"{key}.")
        self._tables.append(inner)
        return inner

    def warnings(self) -> tuple[str, ...]:
        """One sentence for each key that nothing has asked for."""
        ours = tuple(self._unknown(key) for key in self._data if key not in self._known)
        return ours + tuple(warning for table in self._tables for warning in table.warnings())

    def _get(self, key: str, wanted: str, check: Callable[[object], T | None]) -> T | None:
        self._known.append(key)
        if key not in self._data:
            return None
        value = check(self._data[key])
        if value is None:
            raise SetupError(f"{self.path}: {self._prefix}{key} must be {wanted}, not {self._data[key]!r}.")
        return value

    def _unknown(self, key: str) -> str:
        near = difflib.get_close_matches(key, self._known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known keys are {', '.join(self._known)}."
        return f"{self.path}: the key {self._prefix}{key} is not known and does nothing; {hint}"


def _as_table(value: object) -> dict[str, object] | None:
    return {str(name): item for name, item in value.items()} if isinstance(value, dict) else None


def _as_text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None
