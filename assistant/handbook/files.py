"""The files of a handbook: which are read, and why the others are not."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from assistant.errors import HandbookError
from storage.text import storable

READABLE: Final = frozenset({".md", ".markdown", ".txt"})
"""What the names of a handbook's files end in."""

MOST_BYTES: Final = 5 * 1024 * 1024
"""A larger file is no page of a handbook."""

_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True, slots=True)
class HandbookFile:
    """A file that is to be read.

    Attributes:
        name: below the folder, with slashes; as it is cited.
        modified_ns: nanoseconds since 1970, by the file system.
    """

    name: str
    path: Path
    size_bytes: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is not read.

    Attributes:
        reason: the rest of a sentence about it: "is larger than 5 MiB".
    """

    name: str
    reason: str


def find_files(folder: Path) -> Iterator[HandbookFile | Skipped]:
    """Go through a folder and those in it, by name; what is hidden, and what is no text by its name, is passed over.

    Links are never followed: what they lead to in the folder is read there, and what lies outside is none of it.

    Raises:
        HandbookError: there is no such folder, or it cannot be read.
    """
    if not folder.is_dir():
        raise HandbookError(f"There is no handbook folder {folder}; name it with --handbook or in the configuration.")

    def failed(error: OSError) -> None:
        if Path(error.filename) == folder:
            raise HandbookError(f"The handbook folder {folder} cannot be read: {error.strerror}.") from error
        unreadable.append(Skipped(_name(folder, Path(error.filename)), f"cannot be read: {error.strerror}"))

    unreadable: list[Skipped] = []
    inside = folder.resolve()
    for place, folders, names in os.walk(folder, onerror=failed):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if Path(place, name).is_symlink()]
        for name in [*links, *sorted(names)]:
            path = Path(place, name)
            if not name.startswith(".") and (name in links or path.suffix.lower() in READABLE):
                yield from _looked_at(folder, inside, path)
    yield from unreadable


def read_text(file: HandbookFile) -> str | Skipped:
    """Return the text of a file, or why it has none."""
    try:
        with file.path.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        return Skipped(file.name, f"cannot be read: {error.strerror}")
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    if encoding != "utf-16" and b"\0" in data:
        return Skipped(file.name, "is binary, no text")
    try:
        return data.decode(encoding)
    except UnicodeError:
        return Skipped(file.name, "is not UTF-8 text; save it as UTF-8")


def _looked_at(folder: Path, inside: Path, path: Path) -> Iterator[HandbookFile | Skipped]:
    name = _name(folder, path)
    try:
        about = path.lstat()
        if stat.S_ISLNK(about.st_mode):
            if not path.exists():
                yield Skipped(name, "is a link to nothing")
            elif not path.resolve().is_relative_to(inside):
                yield Skipped(name, "is a link that leads out of the folder")
        elif not stat.S_ISREG(about.st_mode):
            yield Skipped(name, "is no ordinary file")
        elif about.st_size > MOST_BYTES:
            yield Skipped(name, f"is larger than {MOST_BYTES // 1024**2} MiB")
        else:
            yield HandbookFile(name, path, about.st_size, about.st_mtime_ns)
    except OSError as error:
        yield Skipped(name, f"cannot be read: {error.strerror}")


def _name(folder: Path, path: Path) -> str:
    """The name below the folder; what is no Unicode in it becomes U+FFFD."""
    return storable(path.relative_to(folder).as_posix())
