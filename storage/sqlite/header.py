"""What the first bytes of a file say, however damaged the rest of it is."""

from pathlib import Path
from typing import Final

APPLICATION_ID: Final = 0x54726565
"""Marks the file as ours in its header: "Tree"."""

_AT: Final = 68
"""Where SQLite keeps the mark, in four bytes, the highest first (sqlite.org/fileformat.html)."""


def is_record(path: Path) -> bool:
    """Tell whether a file has our mark; False where it cannot be read."""
    try:
        with path.open("rb") as file:
            file.seek(_AT)
            return file.read(4) == APPLICATION_ID.to_bytes(4, "big")
    except OSError:
        return False
