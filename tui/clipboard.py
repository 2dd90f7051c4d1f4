"""Copying out of the terminal, by the first route that works here; the result says which one it was."""

import os
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

from tui.errors import TuiError

LONGEST_OSC52: Final = 74_994
"""Bytes of base64 that terminals are known to take in one sequence (xterm's limit of 100,000 with room to spare)."""


class Route(StrEnum):
    """How a text was copied."""

    CLIPBOARD = "clipboard"
    TERMINAL = "terminal"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class CopyRoute:
    """Where a copied text went.

    Attributes:
        words: one sentence for the agent.
        path: the file, when that was the route.
    """

    route: Route
    words: str
    path: Path | None = None


class CopyError(TuiError):
    """The text could not be put anywhere."""


def copy_text(
    text: str, *, environ: Mapping[str, str], write_terminal: Callable[[str], None], folder: Path
) -> CopyRoute:
    """Copy a text: the desktop's clipboard where there is one, else through the terminal, else into a file.

    Args:
        text: goes out exactly as it is.
        environ: the process's environment; tells a local desktop from a session over ssh, and tmux.
        write_terminal: writes a control sequence to the terminal.
        folder: where the file goes; made when it is missing.

    Raises:
        CopyError: not even the file could be written.
    """
    if _has_desktop(environ) and _to_clipboard(text):
        return CopyRoute(Route.CLIPBOARD, "Copied to the clipboard.")
    sequence = _osc52(text, environ)
    if len(sequence) <= LONGEST_OSC52 and _takes_osc52(environ):
        write_terminal(sequence)
        return CopyRoute(Route.TERMINAL, _terminal_words(environ))
    path = _to_file(text, folder)
    return CopyRoute(Route.FILE, f"No clipboard is within reach; the text is in {path}.", path)


def first_route(environ: Mapping[str, str]) -> Route:
    """Return the route that is tried first here; whether it works only copying shows."""
    if _has_desktop(environ):
        return Route.CLIPBOARD
    return Route.TERMINAL if _takes_osc52(environ) else Route.FILE


def _has_desktop(environ: Mapping[str, str]) -> bool:
    """This process runs where the person sits: no ssh, and a display (macOS and Windows always have one)."""
    if any(environ.get(name) for name in ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")):
        return False
    return os.name == "nt" or _is_mac() or any(environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _is_mac() -> bool:
    return os.name == "posix" and os.uname().sysname == "Darwin"


def _to_clipboard(text: str) -> bool:
    import pyperclip

    try:
        pyperclip.copy(text)
    except (pyperclip.PyperclipException, OSError):
        return False
    return True


def _takes_osc52(environ: Mapping[str, str]) -> bool:
    return environ.get("TERM", "") not in ("", "dumb", "linux")


def _osc52(text: str, environ: Mapping[str, str]) -> str:
    payload = b64encode(text.encode("utf-8", "replace")).decode("ascii")
    sequence = f"\x1b]52;c;{payload}\x07"
    if environ.get("STY") and not environ.get("TMUX"):
        return f"\x1bP{sequence}\x1b\\"
    return sequence


def _terminal_words(environ: Mapping[str, str]) -> str:
    if environ.get("TMUX"):
        return "Sent to tmux, which passes it to your clipboard if its set-clipboard option is on."
    return "Sent to your terminal, which puts it on the clipboard if its settings allow that."


def _to_file(text: str, folder: Path) -> Path:
    """Write a new file that only this user can read."""
    stem = f"copied-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, 1_000):
            path = folder / (f"{stem}.txt" if number == 1 else f"{stem}-{number}.txt")
            try:
                descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            except FileExistsError:
                continue
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="") as file:
                file.write(text)
            return path
    except OSError as error:
        raise CopyError(f"The text could not be copied: {folder} cannot be written ({error.strerror}).") from error
    raise CopyError(f"The text could not be copied: {folder} is full of copies; remove some.")
