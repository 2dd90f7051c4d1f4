"""What a chat program exports beside the chats: pictures, the account, a page to read them in."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from storage.importers.findings import Skip, Skipped
from storage.importers.walking import shown_name

_CHATS: Final = re.compile(r"conversations([-_]?\d+)?\.json", re.IGNORECASE)
_NAMED: Final = 3
_DEPTH: Final = 2
"""An export has folders, with no folders in them."""


def is_named_as_chats(name: str) -> bool:
    """Whether a file has the name under which chat programs deliver the chats."""
    return bool(_CHATS.fullmatch(name))


def companions(name: str, others: Sequence[str]) -> Skipped:
    """Say of all other files of an export together that they hold no chats; that is no failure."""
    named = ", ".join(others[:_NAMED]) + (f" and {len(others) - _NAMED:,} more" if len(others) > _NAMED else "")
    verb = "holds" if len(others) == 1 else "hold"
    return Skipped(name, f"{named} beside the chats {verb} none", Skip.NOTHING)


class ExportFolders:
    """Tells which folders are unpacked exports of a chat program, and gathers what lies in them beside the chats."""

    def __init__(self) -> None:
        self._is_export: dict[Path, bool] = {}
        self._beside: dict[Path, list[str]] = {}

    def folder_of(self, path: Path) -> Path | None:
        """Return the export that a file belongs to, None where it belongs to none or is its file of chats."""
        if is_named_as_chats(path.name):
            return None
        return next((folder for folder in list(path.parents)[:_DEPTH] if self._holds_chats(folder)), None)

    def add(self, folder: Path, path: Path) -> None:
        """Note a file of an export that holds no chats."""
        self._beside.setdefault(folder, []).append(shown_name(path.relative_to(folder)))

    def told(self) -> Iterator[Skipped]:
        """Say for each export what lies in it beside the chats."""
        for folder, others in self._beside.items():
            yield companions(shown_name(folder), others)

    def _holds_chats(self, folder: Path) -> bool:
        if folder not in self._is_export:
            try:
                self._is_export[folder] = any(is_named_as_chats(entry.name) for entry in folder.iterdir())
            except OSError:
                self._is_export[folder] = False
        return self._is_export[folder]
