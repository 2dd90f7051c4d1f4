"""The global options of the command line, before anything is made of them."""

from pathlib import Path
from typing import Final, NamedTuple

DEFAULT: Final = "default"
"""Where a value comes from that was chosen nowhere."""


class Options(NamedTuple):
    """What stood before the command; None where an option was not given."""

    db: Path | None = None
    agent: str | None = None
    config: Path | None = None
    model: str | None = None
    base_url: str | None = None
    window: int | None = None
    handbook: Path | None = None
