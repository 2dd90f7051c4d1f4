"""The theme of the first paint, read before anything else of the configuration is."""

import tomllib
from pathlib import Path

from tui import locations


def first_theme(config: Path | None) -> str:
    """Return the theme that a configuration file names, "" where there is none.

    A file that cannot be read is reported when the whole of it is.
    """
    try:
        text = (config or locations.config_file()).read_text(encoding="utf-8")
        theme = tomllib.loads(text).get("theme")
    except (OSError, ValueError):
        return ""
    return theme if isinstance(theme, str) else ""
