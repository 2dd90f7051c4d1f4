"""Paths of files as people type them, drop them into a terminal, or let them be completed."""

import os
import shlex
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from tui.display import display_safe

_LOOKED_AT: Final = 5_000


def path_of(typed: str) -> Path:
    """Return the path that was typed; one that a terminal has quoted, or given as a file: address, is understood."""
    text = typed.strip()
    if text.startswith("file://"):
        text = unquote(urlsplit(text).path)
    path = Path(text).expanduser() if _has_home(text) else Path(text)
    if os.path.lexists(os.fspath(path).replace("\0", "")):
        return path
    try:
        words = shlex.split(text)
    except ValueError:
        return path
    return Path(words[0]).expanduser() if len(words) == 1 and _has_home(words[0]) else path


def completed(typed: str) -> str | None:
    """Return what was typed, completed to the first file or folder that begins so; None where there is none."""
    folder, _, begin = typed.rpartition("/")
    place = Path(f"{folder}/" if "/" in typed else ".")
    if not _has_home(typed):
        return None
    try:
        with os.scandir(place.expanduser()) as entries:
            found = [
                f"{entry.name}/" if entry.is_dir() else entry.name
                for entry, _ in zip(entries, range(_LOOKED_AT), strict=False)
                if entry.name.startswith(begin) and (begin or not entry.name.startswith("."))
            ]
    except (OSError, ValueError):
        return None
    plain = sorted(name for name in found if display_safe(name) == name and name.rstrip("/") != begin)
    if not plain:
        return None
    return typed[: len(typed) - len(begin)] + plain[0]


def _has_home(text: str) -> bool:
    """Whether "~" at its beginning, if there is one, stands for a folder."""
    try:
        Path(text.replace("\0", "")).expanduser()
    except RuntimeError:
        return False
    return True
