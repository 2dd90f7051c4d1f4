"""Zip archives with files of chats: read member by member, unpacked in memory only, and no more than is bearable."""

import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final

from storage.importers.chats.companions import companions, is_named_as_chats
from storage.importers.chats.files import Content, content_of, read_chats
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
_ARCHIVES: Final = (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07")
_NAME_AT: Final = 30
"""Where the name of a zip archive's first member begins."""
_FIRST_IN_DOCUMENTS: Final = (b"[Content_Types]", b"mimetype", b"_rels/", b"docProps/", b"word/", b"xl/", b"ppt/")
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
    found_chats = told = False
    for info in members:
        shown = storable(info.filename)
        name = f"{source.name}#{shown}"
        member = _Member(archive, info)
        try:
            if reason := _refusal(info, room) or _unread(info, member.head()):
                told = True
                yield Skipped(name, reason)
            elif _holds_chats(info, member):
                found_chats = True
                room -= info.file_size
                yield from read_chats(name, member.open)
            else:
                others.append(shown)
        except OSError as error:
            told = True
            yield Skipped(name, f"it cannot be unpacked: {error}")
    if found_chats and others:
        yield companions(source.name, others)
    elif not found_chats and not told:
        yield Skipped(source.name, NO_CHATS)


def _holds_chats(info: zipfile.ZipInfo, member: "_Member") -> bool:
    """Whether a member is to be read for chats: by its name or its content, also where it turns out to be damaged."""
    return is_named_as_chats(_last_name(info)) or content_of(member.head(), member.open) is not Content.OTHER


def _last_name(info: zipfile.ZipInfo) -> str:
    return info.filename.replace("\\", "/").rpartition("/")[2]


def _unread(info: zipfile.ZipInfo, head: bytes) -> str:
    """Say why a member that can be unpacked is not read, "" where nothing is against it."""
    if head.startswith(_ARCHIVES) and not _is_document(head):
        return "it is an archive inside of this one and was not looked into; unpack it and import what is inside"
    return "it is empty, and should hold chats" if is_named_as_chats(_last_name(info)) and not head.strip() else ""


def _is_document(head: bytes) -> bool:
    """Whether a zip archive is one that holds a document, by the name of its first member."""
    return head[_NAME_AT:].startswith(_FIRST_IN_DOCUMENTS)


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
