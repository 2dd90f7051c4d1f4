"""Importing: every file under the given paths, each ticket saved once, and an honest report."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from storage.errors import RefusedError
from storage.importers.chat_saving import ChatSaver
from storage.importers.chats.companions import ExportFolders, is_named_as_chats
from storage.importers.chats.files import are_chats_cut_off
from storage.importers.csv_tickets import COLUMNS
from storage.importers.findings import (
    Finding,
    FoundChat,
    FoundExport,
    FoundMail,
    FoundTicket,
    Repaired,
    Skip,
    Skipped,
    Source,
    open_source,
)
from storage.importers.mail_tickets import MailTickets, only_one_fits
from storage.importers.people import is_another_customers
from storage.importers.registry import may_be_companion, recognise, why_not
from storage.importers.report import ImportReport, Tally
from storage.importers.shelf import Shelf
from storage.importers.walking import shown_name, unreadable, walk
from storage.store import Store

Progress: TypeAlias = Callable[[str, int], None]
"""Called with the name of the file that is being read, or of what is being saved, and how much was found so far."""


def import_paths(
    store: Store,
    paths: Iterable[Path],
    *,
    check: bool = False,
    mapping: Mapping[str, str] | None = None,
    ticket_id: str | None = None,
    agent: str | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Read all tickets and chats under some paths and save them.

    Every ticket, and every chat, is a transaction of its own: whatever stops an import, what was saved stays, and doing
    it again adds the rest. What cannot be read is in the report, with the reason; it does not stop the others.

    Args:
        store: the record.
        paths: files, and folders with all that is in them.
        check: write nothing, but report what would be done.
        mapping: for CSV and JSON, `{"their column": "our column"}`.
        ticket_id: the id to give to the one ticket that is found, and the ticket to whose conversation chats are added.
        agent: whose conversations chats are added to; without one they are skipped.
        progress: told about every file, every ticket and every chat.

    Raises:
        RefusedError: the mapping names a column of ours that does not exist, or the ticket id is empty.
        StorageError: the record cannot be read or written.
    """
    mapping = mapping or {}
    _refuse_wrong_use(mapping, ticket_id)
    with Shelf(store, check=check) as shelf:
        tally = Tally()
        chats = ChatSaver(store, shelf, tally, agent=agent, ticket_id=ticket_id, check=check)
        return _Import(store, shelf, tally, chats, ticket_id, progress or (lambda name, found: None)).run(
            paths, mapping
        )


def holds_anything(
    paths: Iterable[Path], *, mapping: Mapping[str, str] | None = None, ticket_id: str | None = None
) -> bool:
    """Tell whether an import of some paths finds anything to save; reads no further than to the first of it.

    Raises:
        RefusedError: as `import_paths`.
    """
    mapping = mapping or {}
    _refuse_wrong_use(mapping, ticket_id)
    for finding in _findings(paths, mapping, lambda name: None):
        match finding:
            case FoundMail() | FoundChat() | FoundExport():
                return True
            case FoundTicket(ticket=ticket) if ticket_id or ticket.id:
                return True
    return False


def _refuse_wrong_use(mapping: Mapping[str, str], ticket_id: str | None) -> None:
    if unknown := [ours for ours in mapping.values() if ours not in COLUMNS]:
        raise RefusedError(f"There is no column {unknown[0]!r} to map to; there are {', '.join(COLUMNS)}.")
    if ticket_id is not None and not ticket_id.strip():
        raise RefusedError("The ticket id is empty; name a ticket, or leave the option out.")


class _Import:
    """One import while it runs."""

    def __init__(
        self, store: Store, shelf: Shelf, tally: Tally, chats: ChatSaver, ticket_id: str | None, progress: Progress
    ) -> None:
        self._store = store
        self._shelf = shelf
        self._tally = tally
        self._chats = chats
        self._ticket_id = ticket_id
        self._progress = progress

    def run(self, paths: Iterable[Path], mapping: Mapping[str, str]) -> ImportReport:
        mails: list[FoundMail] = []
        alone: list[FoundTicket] = []
        for finding in _findings(paths, mapping, lambda name: self._progress(name, self._tally.found)):
            match finding:
                case FoundMail():
                    mails.append(finding)
                case FoundTicket() if self._ticket_id:
                    alone.append(finding)
                case _:
                    self._take(finding)
        if len(alone) + bool(mails) > 1 and self._ticket_id:
            names = [*(found.name for found in alone), *(found.name for found in mails)]
            for skipped in only_one_fits(self._ticket_id, names):
                self._take(skipped)
        else:
            for found in alone:
                self._take(found)
            for made in MailTickets(self._store, self._shelf, self._ticket_id).make(mails):
                self._take(made)
        return self._tally.report()

    def _take(self, finding: Finding) -> None:
        match finding:
            case FoundChat() | FoundExport():
                self._progress(finding.name, self._tally.found)
                self._chats.save(finding)
            case Skipped():
                self._tally.skip(finding)
            case Repaired():
                self._tally.repair(finding)
            case FoundTicket():
                self._save(finding)

    def _save(self, found: FoundTicket) -> None:
        ticket = replace(found.ticket, id=self._ticket_id or found.ticket.id)
        if not found.names_status:
            ticket = replace(ticket, status="")
        self._progress(found.name, self._tally.found)
        if not ticket.id:
            self._tally.skip(Skipped(found.name, "it has no id; give it one with --ticket", Skip.TICKET))
            return
        stored = self._shelf.known(ticket.id)
        if stored and not self._ticket_id and is_another_customers(ticket, stored):
            reason = (
                f"ticket {ticket.id} is in the record already, of another customer ({stored.customer}); "
                "import this one alone and give it another id with --ticket"
            )
            self._tally.skip(Skipped(found.name, reason, Skip.TICKET))
            return
        try:
            outcome = self._shelf.save(ticket)
        except RefusedError as error:
            self._tally.skip(Skipped(found.name, str(error), Skip.TICKET))
            return
        self._tally.save(outcome)


def _findings(paths: Iterable[Path], mapping: Mapping[str, str], opens: Callable[[str], None]) -> Iterator[Finding]:
    exports = ExportFolders()
    for path in walk(paths):
        if isinstance(path, Skipped):
            yield path
            continue
        name = shown_name(path)
        opens(name)
        try:
            yield from _of_file(open_source(path, name, mapping), exports)
        except OSError as error:
            yield unreadable(path, error)
    yield from exports.told()


def _of_file(source: Source, exports: ExportFolders) -> Iterator[Finding]:
    """Yield what is in a file; one that a chat program delivered beside its chats is told together with its like."""
    if not source.head.strip():
        what = "it is empty" if source.head_is_all else "it begins with nothing but blanks"
        if is_named_as_chats(source.path.name):
            yield Skipped(source.name, f"{what}, and should hold chats")
        else:
            yield Skipped(source.name, what, Skip.NOTHING)
        return
    importer = recognise(source)
    if may_be_companion(importer) and (folder := exports.folder_of(source.path)):
        found = list(importer.read(source)) if importer else []
        if any(isinstance(each, FoundTicket | FoundChat) for each in found) or (found and are_chats_cut_off(source)):
            yield from found
        else:
            exports.add(folder, source.path)
    elif importer:
        yield from importer.read(source)
    else:
        yield Skipped(source.name, why_not(source))
