"""Where files live; the only place that knows directories."""

from pathlib import Path

import platformdirs

_APP = "ticketree"


def config_file() -> Path:
    """The configuration file that is read when no other is named; it need not exist."""
    return platformdirs.user_config_path(_APP, appauthor=False) / "config.toml"


def database_file() -> Path:
    """The database that is used when no other is named."""
    return platformdirs.user_data_path(_APP, appauthor=False) / "desk.db"


def replies_folder() -> Path:
    """Where a team's own saved replies are looked for when no folder is configured; it need not exist."""
    return platformdirs.user_config_path(_APP, appauthor=False) / "replies"


def tasks_folder() -> Path:
    """Where a team's own task files are looked for when no folder is configured; it need not exist."""
    return platformdirs.user_config_path(_APP, appauthor=False) / "tasks"


def handbook_indexes() -> Path:
    """Where the indexes of handbooks are kept; they can be made anew from the handbooks at any time."""
    return platformdirs.user_cache_path(_APP, appauthor=False) / "handbooks"


def copies_folder() -> Path:
    """Where a copied text is written when no clipboard can be reached."""
    return platformdirs.user_state_path(_APP, appauthor=False) / "copies"
