"""Writing a result into a file that the person names: whole or not at all, and never over another by accident."""

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from tui.errors import OutputError


def write_new(path: Path, chunks: Iterable[str]) -> None:
    """Write a file that does not exist yet, readable for its owner alone; what was begun is removed when it fails.

    Raises:
        OutputError: it exists, or cannot be written.
    """
    with _told(path), _created(path) as file:
        _write(file, chunks)


def write_over(path: Path, chunks: Iterable[str]) -> None:
    """Write a file, in the place of one that may exist: until the new one is whole, the old one stays.

    Raises:
        OutputError: it cannot be written.
    """
    if path.exists() and not path.is_file():
        raise OutputError(f"{path} is no ordinary file and is not replaced; name another file with -o.")
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
    with _told(path), _created(beside) as file:
        _write(file, chunks)
        beside.replace(path)


def _write(file: BinaryIO, chunks: Iterable[str]) -> None:
    for chunk in chunks:
        file.write(chunk.encode("utf-8", "replace"))
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _created(path: Path) -> Iterator[BinaryIO]:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except FileExistsError:
        raise OutputError(f"{path} exists already; name another file, or replace it with --force.") from None
    except OSError as error:
        raise OutputError(f"{path} cannot be written ({error.strerror}); name another file with -o.") from error
