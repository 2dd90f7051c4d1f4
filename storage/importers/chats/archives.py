"""Zip archives with files of chats: read member by member, unpacked in memory only, and no more than is bearable."""

import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final

from storage.importers.chats.companions import companions
from storage.importers.chats.files import holds_chats, read_chats
from storage.importers.findings import Finding, Importer, Skipped, Source
from storage.importers.limits import (
    HEAD_BYTES,
    MAX_UNPACKED_BYTES,
    MAX_UNPACKING_RATIO,
    SMALL_UNPACKED_BYTES,
    mebibytes,
)
from storage.text import storable

NO_CHATS: Final = "it is a zip archive (or an Office document) without chats; unpack it and import what is inside"

_IS_ENCRYPTED: Final = 0x1
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, ValueError)


def recognise(source: Source) -> bool:
    """Whether the file begins as an archive with at least one member does."""
    return source.head.startswith(b"PK\x03\x04")


def read(source: Source) -> Iterator[Finding]:
    """Read every member that holds chats; names of members are shown and never used as paths."""
    try:
        with zipfile.ZipFile(source.path) as archive:
            yield from _read(source, archive)
    except _BROKEN as error:
        yield Skipped(source.name, f"its list of files cannot be read: {error}")


IMPORTER: Final = Importer("zip", recognise, read)


def _read(source: Source, archive: zipfile.ZipFile) -> Iterator[Finding]:
    members = sorted((info for info in archive.infolist() if not info.is_dir()), key=lambda info: info.filename)
    room = MAX_UNPACKED_BYTES
    others: list[str] = []
    found_chats = refused = False
    for info in members:
        shown = storable(info.filename)
        name = f"{source.name}#{shown}"
        if reason := _refusal(info, room):
            refused = True
            yield Skipped(name, reason)
            continue
        member = _Member(archive, info)
        try:
            if holds_chats(member.head(), member.open):
                found_chats = True
                room -= info.file_size
                yield from read_chats(name, member.open)
            else:
                others.append(shown)
        except OSError as error:
            yield Skipped(name, f"it cannot be unpacked: {error}")
    if found_chats and others:
        yield companions(source.name, others)
    elif not found_chats and not refused:
        yield Skipped(source.name, NO_CHATS)


def _refusal(info: zipfile.ZipInfo, room: int) -> str:
    """Say why a member is not unpacked, "" where nothing is against it."""
    if info.flag_bits & _IS_ENCRYPTED:
        return "it is encrypted; unpack it with its password and import what is inside"
    if info.file_size > SMALL_UNPACKED_BYTES and info.file_size > MAX_UNPACKING_RATIO * info.compress_size:
        size, ratio = mebibytes(info.file_size), info.file_size // max(1, info.compress_size)
        return f"it would become {size}, {ratio:,} times what it is packed, as only a trap does; it was not unpacked"
    if info.file_size > room:
        return f"with it more than {mebibytes(MAX_UNPACKED_BYTES)} would be unpacked; import it by itself"
    return ""


class _Member:
    """One file of an archive."""

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        self._archive = archive
        self._info = info

    def head(self) -> bytes:
        """Return its beginning."""
        with self.open() as file:
            return file.read(HEAD_BYTES)

    @contextmanager
    def open(self) -> Iterator["_Unpacking"]:
        """Open it; whatever is wrong with it is an OSError."""
        try:
            packed = self._archive.open(self._info)
        except _BROKEN as error:
            raise OSError(str(error)) from error
        with packed:
            yield _Unpacking(packed)


class _Unpacking:
    """A member while it is unpacked; it gives no more than the size that the archive names for it."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed

    def read(self, size: int, /) -> bytes:
        """Return up to so many bytes more."""
        try:
            return self._packed.read(size)
        except _BROKEN as error:
            raise OSError(str(error)) from error
