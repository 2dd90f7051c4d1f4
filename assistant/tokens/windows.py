"""The window of a model: how many tokens it takes, prompt and answer together, and how that is known."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from storage.measures import LearnedWindow

KNOWN_FILE: Final = Path(__file__).parent / "windows.toml"


class WindowSource(StrEnum):
    """How a window is known."""

    CONFIGURED = "configured"
    LEARNED = "learned"
    KNOWN = "known"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Window:
    """How many tokens a model takes.

    Attributes:
        tokens: prompt and answer together.
        reason: how that is known, to stand in brackets ("the server said so").
    """

    tokens: int
    source: WindowSource
    reason: str


@dataclass(frozen=True, slots=True)
class KnownServer:
    """A kind of server that takes little unless it is told otherwise, and cuts the rest without a word."""

    name: str
    port: int
    window: int


@dataclass(frozen=True, slots=True)
class _Known:
    as_of: str
    models: Mapping[str, int]
    servers: tuple[KnownServer, ...]


def window_of(model: str, base_url: str, *, configured: int | None, learned: Iterable[LearnedWindow]) -> Window | None:
    """Find the window of a model at a server; None where nothing is known of it.

    What the server refused wins, as long as the configuration is what it was then: whoever configures a larger window
    has given the server one. Then comes what is configured, then what is known of the kind of server and of the model.
    """
    taught = _taught(entry for entry in learned if entry.configured == configured)
    if taught is not None and (configured is None or taught.tokens < configured):
        return taught
    if configured is not None:
        return Window(configured, WindowSource.CONFIGURED, "configured")
    if (server := known_server(base_url)) is not None:
        reason = f"what {server.name} takes unless it is told otherwise; configure window where it takes more"
        return Window(server.window, WindowSource.SERVER, reason)
    return _known_model(model)


def known_server(base_url: str) -> KnownServer | None:
    """Tell a kind of server by its usual port."""
    try:
        port = urlsplit(base_url).port
    except ValueError:
        return None
    return next((server for server in _known().servers if server.port == port), None)


def _taught(lessons: Iterable[LearnedWindow]) -> Window | None:
    """The last size that the server named, or less where it has refused less than that since."""
    window: Window | None = None
    for lesson in lessons:
        if not lesson.is_bound:
            window = Window(lesson.tokens, WindowSource.LEARNED, "the server said so when it refused a request")
        else:
            # How much less it takes is not known; a quarter less each time comes to an end soon.
            tokens = max(1, lesson.tokens * 3 // 4)
            if window is None or tokens < window.tokens:
                reason = f"a guess: the server refused {lesson.tokens:,} tokens and named no limit"
                window = Window(tokens, WindowSource.LEARNED, reason)
    return window


def _known_model(model: str) -> Window | None:
    name = model.strip().lower().split("/")[-1].removeprefix("ft:")
    known = _known()
    beginning = max((each for each in known.models if name.startswith(each)), key=len, default=None)
    if beginning is None:
        return None
    return Window(known.models[beginning], WindowSource.KNOWN, f"as documented for {beginning} on {known.as_of}")


@cache
def _known() -> _Known:
    data = tomllib.loads(KNOWN_FILE.read_text(encoding="utf-8"))
    return _Known(
        as_of=data["as_of"],
        models={beginning: tokens for vendor in data["models"] for beginning, tokens in vendor["windows"]},
        servers=tuple(KnownServer(each["name"], each["port"], each["window"]) for each in data["servers"]),
    )
