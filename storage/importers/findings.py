"""What an importer finds in a file, and the file it finds it in."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from storage.chats import IncomingChat
from storage.importers.limits import HEAD_BYTES
from storage.importers.mail_summary import MailSummary
from storage.tickets import IncomingTicket


class Skip(StrEnum):
    """What kind of thing was skipped."""

    TICKET = "ticket"
    FILE = "file"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that is not taken, with the reason.

    Attributes:
        name: the file, or "file#entry".
        reason: a clause that says what is wrong and, where there is something, what to do.
        kind: TICKET counts as a ticket that was found; NOTHING is no failure, there was just nothing to read.
    """

    name: str
    reason: str
    kind: Skip = Skip.FILE


@dataclass(frozen=True, slots=True)
class Repaired:
    """Something that is taken with a correction."""

    name: str
    what: str


@dataclass(frozen=True, slots=True)
class FoundTicket:
    """A ticket that stands complete in a file.

    Attributes:
        names_status: the source says which status the ticket has; otherwise the record's stays.
    """

    name: str
    ticket: IncomingTicket
    names_status: bool = False


@dataclass(frozen=True, slots=True)
class FoundMail:
    """A mail, which becomes a ticket together with the others of its thread.

    Attributes:
        load: gives its bytes as they stand in the source; raises OSError where that is gone.
        format: the importer that found it.
        is_stored: it comes from the record, not from a file.
    """

    name: str
    mail: MailSummary
    load: Callable[[], bytes]
    format: str
    is_stored: bool = False


@dataclass(frozen=True, slots=True)
class FoundChat:
    """A chat with a model, exported from the program in which it was held.

    Attributes:
        roots: how many first messages it has.
    """

    name: str
    chat: IncomingChat
    roots: int


@dataclass(frozen=True, slots=True)
class FoundExport:
    """A conversation that Ticketree exported."""

    name: str
    text: bytes


Finding: TypeAlias = FoundTicket | FoundMail | FoundChat | FoundExport | Skipped | Repaired


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read.

    Attributes:
        name: the path as it is shown; never opened.
        head: its first bytes, from which the format is recognised.
        mapping: foreign column names to ours, as the person gave them.
    """

    path: Path
    name: str
    size: int
    head: bytes
    mapping: Mapping[str, str] = field(default_factory=dict)

    @property
    def head_is_all(self) -> bool:
        """Whether `head` is the whole file."""
        return self.size <= len(self.head)

    def read(self) -> bytes:
        """Return the whole file."""
        return self.path.read_bytes()

    def read_at(self, start: int, length: int) -> bytes:
        """Return a part of the file."""
        with self.path.open("rb") as file:
            file.seek(start)
            return file.read(length)


@dataclass(frozen=True, slots=True)
class Importer:
    """One format.

    Attributes:
        name: as it stands in `RawSource.format`.
        recognise: whether a file's content is of this format.
        read: what is in it; raises OSError where the file cannot be read, and nothing else.
    """

    name: str
    recognise: Callable[[Source], bool]
    read: Callable[[Source], Iterator[Finding]]


def open_source(path: Path, name: str, mapping: Mapping[str, str]) -> Source:
    """Read a file's beginning.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    return Source(path, name, path.stat().st_size, head, mapping)
