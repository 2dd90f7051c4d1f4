"""The files that given paths stand for: a file itself, or all files of a folder and its folders, by name."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from storage.importers.findings import Skip, Skipped

_NOISE: Final = frozenset({".ds_store", "thumbs.db", "desktop.ini"})
_MAIL_FOLDERS: Final = frozenset({"cur", "new"})


def shown_name(path: Path) -> str:
    """Return a path as text that any database and screen can hold."""
    return os.fsencode(path).decode("utf-8", "replace")


def walk(paths: Iterable[Path]) -> Iterator[Path | Skipped]:
    """Yield regular files, and why other things are not read; each file once, links to folders are not followed."""
    seen: set[tuple[int, int]] = set()
    for path in paths:
        waiting: list[tuple[Path, bool]] = [(path, True)]
        while waiting:
            current, is_given = waiting.pop()
            try:
                info = current.stat()
            except FileNotFoundError:
                link = current.is_symlink()
                yield Skipped(shown_name(current), "it is a link to nothing" if link else "there is no such file")
                continue
            except (OSError, ValueError) as error:
                yield Skipped(shown_name(current), _reason(error))
                continue
            if stat.S_ISDIR(info.st_mode):
                yield from _enter(current, waiting, is_given=is_given)
            elif not stat.S_ISREG(info.st_mode):
                yield Skipped(shown_name(current), "it is no file but a device, pipe or socket")
            elif (info.st_dev, info.st_ino) not in seen:
                seen.add((info.st_dev, info.st_ino))
                yield current


def _enter(folder: Path, waiting: list[tuple[Path, bool]], *, is_given: bool) -> Iterator[Skipped]:
    """Put a folder's entries in front of what waits, in the order of their names."""
    if not is_given and folder.is_symlink():
        yield Skipped(shown_name(folder), "it is a link to a folder; name that folder to import it")
        return
    try:
        entries = sorted(folder.iterdir(), key=os.fsencode, reverse=True)
    except OSError as error:
        yield Skipped(shown_name(folder), _reason(error))
        return
    names = {entry.name for entry in entries}
    is_maildir = names >= _MAIL_FOLDERS
    wanted = [entry for entry in entries if not _is_noise(entry, is_maildir=is_maildir)]
    if not wanted:
        yield Skipped(shown_name(folder), "the folder is empty", Skip.NOTHING)
    waiting += [(entry, False) for entry in wanted]


def _is_noise(entry: Path, *, is_maildir: bool) -> bool:
    """Whether an entry is of no interest: file managers' droppings, unfinished deliveries, hidden folders."""
    if entry.name.lower() in _NOISE or (is_maildir and entry.name == "tmp"):
        return True
    if is_maildir and entry.name not in _MAIL_FOLDERS and not entry.is_dir():
        return True
    return entry.name.startswith(".") and entry.is_dir() and not (entry / "cur").is_dir()


def _reason(error: OSError | ValueError) -> str:
    match error:
        case PermissionError():
            return "you may not read it"
        case OSError(strerror=str(what)):
            return f"it cannot be read: {what.lower()}"
        case _:
            return "it is no path that can exist"


def unreadable(path: Path, error: OSError) -> Skipped:
    """Return why a file is not read."""
    return Skipped(shown_name(path), _reason(error))
