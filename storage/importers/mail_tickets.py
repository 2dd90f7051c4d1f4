"""Mail threads as tickets: which ticket a thread belongs to, and what it says."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from storage.errors import NotFoundError
from storage.importers import eml, mbox
from storage.importers.findings import FoundMail, FoundTicket, Repaired, Skip, Skipped
from storage.importers.languages import guess_language
from storage.importers.mail_body import MailBody, read_body
from storage.importers.mail_summary import summarise_mail
from storage.importers.mail_thread import Thread, derived_id, join_threads, ordered
from storage.importers.people import Cast, cast_of, words_of
from storage.importers.shelf import Shelf
from storage.store import Store
from storage.tickets import IncomingTicket, RawSource, Role, Ticket, TicketMessage

_MESSAGE_OF: Final = {eml.IMPORTER.name: eml.message_of, mbox.IMPORTER.name: mbox.message_of}
_MOST_IDS: Final = 200


class MailTickets:
    """Makes tickets of all mails of an import, joined with those that the record holds already."""

    def __init__(self, store: Store, shelf: Shelf, forced_id: str | None) -> None:
        self._store = store
        self._shelf = shelf
        self._forced_id = forced_id
        self._ticket_of: dict[str, str] = {}

    def make(self, mails: Sequence[FoundMail]) -> Iterator[FoundTicket | Skipped | Repaired]:
        """Yield a ticket for each thread, with what had to be repaired for it."""
        if not mails:
            return
        single, repairs = _each_once(mails)
        yield from repairs
        threads = join_threads(single)
        if self._forced_id and len(threads) > 1:
            yield from only_one_fits(self._forced_id, [thread.mails[0].name for thread in threads])
            return
        self._ticket_of = self._stored_ids()
        assigned: dict[str, Thread] = {}
        for thread in threads:
            ticket_id, note = self._ticket_id(thread, assigned)
            earlier = assigned.get(ticket_id)
            assigned[ticket_id] = ordered((*earlier.mails, *thread.mails)) if earlier else thread
            if note:
                yield Repaired(thread.mails[0].name, note)
        for ticket_id, thread in assigned.items():
            yield from self._ticket(ticket_id, thread)

    def _stored_ids(self) -> dict[str, str]:
        """Index the mails in the record: Message-ID to ticket."""
        found = {}
        for summary in self._store.tickets(""):
            for message in self._store.ticket(summary.id).messages:
                if message.source_id:
                    found[message.source_id] = summary.id
        return found

    def _ticket_id(self, thread: Thread, assigned: Mapping[str, Thread]) -> tuple[str, str]:
        """Return the ticket that a thread belongs to, and a note where that needs one."""
        if self._forced_id:
            return self._forced_id, ""
        if stored := self._ticket_that_holds(thread):
            return stored, ""
        tag = thread.tag
        if tag and self._may_join(thread, tag, assigned):
            return tag, ""

        def is_free(name: str) -> bool:
            return name not in assigned and self._shelf.known(name) is None

        note = f"its subject names ticket {tag}, which is of other people; kept apart (--ticket {tag} joins it)"
        return derived_id(thread.root_id, is_free), note if tag else ""

    def _ticket_that_holds(self, thread: Thread) -> str:
        """Return the stored ticket that a mail of the thread is in, answers, or is answered in; "" for none."""
        for found in thread.mails:
            for name in (found.mail.id, *reversed(found.mail.references)):
                if name in self._ticket_of:
                    return self._ticket_of[name]
        for name in list(thread.named_ids)[:_MOST_IDS]:
            candidate = derived_id(name, lambda _: True)
            if self._shelf.known(candidate) and any(
                name in found.mail.references for found in self._stored_mails(candidate)
            ):
                return candidate
        return ""

    def _may_join(self, thread: Thread, tag: str, assigned: Mapping[str, Thread]) -> bool:
        """Whether a thread belongs to the ticket that its subject names.

        Anyone can write a number in a subject, so someone of that ticket must have a part in the thread.
        """
        mails = [*assigned[tag].mails] if tag in assigned else []
        stored = self._shelf.known(tag)
        if stored:
            mails += self._stored_mails(tag)
        if mails:
            theirs = ordered(mails)
            if theirs.first.sender in thread.people or thread.first.sender in theirs.people:
                return True
        if told := _told_elsewhere(stored):
            names = [stored.customer if stored else "", *(message.author for message in told)]
            return any(words_of(name) & words_of(found.mail.author) for found in thread.mails for name in names)
        return not mails

    def _stored_mails(self, ticket_id: str) -> list[FoundMail]:
        """Read again the mails that a stored ticket was made of, each with the id under which it is stored."""
        try:
            sources = self._store.sources(ticket_id)
            ids = {message.source_id for message in self._store.ticket(ticket_id).messages}
        except NotFoundError:
            return []
        mails = []
        for name, kind, data in sources:
            if kind in _MESSAGE_OF:
                mail = summarise_mail(_MESSAGE_OF[kind](data))
                by_content = mail.named_by_content()
                mail = by_content if by_content.id in ids else mail
                mails.append(FoundMail(name, mail, partial(bytes, data), kind, is_stored=True))
        return mails

    def _ticket(self, ticket_id: str, thread: Thread) -> Iterator[FoundTicket | Skipped | Repaired]:
        """Make the ticket of a thread and the mails that are stored for it."""
        name = thread.mails[0].name
        stored = self._shelf.known(ticket_id)
        mails, repairs = _each_once((*(self._stored_mails(ticket_id) if stored else ()), *thread.mails))
        yield from repairs
        whole = ordered(mails)
        cast = cast_of(whole.first)
        messages = []
        for found in whole.mails:
            try:
                data = found.load()
            except OSError as error:
                yield Skipped(name, f"{found.name} could not be read again: {error.strerror}", Skip.TICKET)
                return
            body = read_body(_MESSAGE_OF[found.format](data))
            if not found.is_stored:
                for repair in (*found.mail.repairs, *body.repairs):
                    yield Repaired(found.name, repair)
            messages.append(_message(found, body, cast, stored))
        sources = tuple(
            RawSource(found.name, found.format, found.load()) for found in whole.mails if not found.is_stored
        )
        yield FoundTicket(name, _incoming(ticket_id, whole, tuple(messages), sources, stored))


def only_one_fits(ticket_id: str, names: Sequence[str]) -> Iterator[Skipped]:
    """Refuse to make one ticket of several."""
    for name in names:
        yield Skipped(
            name, f"--ticket {ticket_id} names one ticket, but {len(names)} were found; import it alone", Skip.TICKET
        )


def _each_once(mails: Iterable[FoundMail]) -> tuple[list[FoundMail], list[Repaired]]:
    """Leave out what is the same mail again; of different mails with one Message-ID, name the later by its content."""
    seen: dict[str, FoundMail] = {}
    contents: set[str] = set()
    repairs = []
    for found in mails:
        if found.mail.id.endswith(found.mail.fingerprint) and found.mail.fingerprint in contents:
            continue
        contents.add(found.mail.fingerprint)
        earlier = seen.get(found.mail.id)
        if earlier and earlier.mail.fingerprint != found.mail.fingerprint:
            mail = found.mail.named_by_content()
            if mail.id not in seen:
                what = f"it has the same Message-ID as {earlier.name} but says something else; both were kept"
                repairs.append(Repaired(found.name, what))
                seen[mail.id] = replace(found, mail=mail)
        elif earlier is None:
            seen[found.mail.id] = found
    return list(seen.values()), repairs


def _message(found: FoundMail, body: MailBody, cast: Cast, stored: Ticket | None) -> TicketMessage:
    mail = found.mail
    role = cast.role(mail.sender)
    if told := _told_elsewhere(stored):
        ours = {message.author for message in told if message.role is Role.AGENT}
        role = Role.AGENT if any(words_of(name) & words_of(mail.author) for name in ours) else Role.CUSTOMER
    return TicketMessage(
        author=mail.author,
        role=role,
        text=body.text,
        created_at=mail.sent_at,
        internal=role is Role.AGENT and cast.is_internal(mail),
        attachments=body.attachments,
        hidden_count=body.hidden_count,
        source_id=mail.id,
    )


def _told_elsewhere(stored: Ticket | None) -> list[TicketMessage]:
    """Return the messages of a ticket that came from no mail; they say by name who is who."""
    return [message for message in stored.messages if not message.source_id] if stored else []


def _incoming(
    ticket_id: str,
    thread: Thread,
    messages: tuple[TicketMessage, ...],
    sources: tuple[RawSource, ...],
    stored: Ticket | None,
) -> IncomingTicket:
    if stored:
        return IncomingTicket(
            id=ticket_id,
            subject=stored.subject,
            customer=stored.customer,
            messages=messages,
            language=stored.language,
            created_at=stored.created_at,
            sources=sources,
        )
    written = [message for message in messages if message.role is Role.CUSTOMER] or list(messages)
    named = next((found.mail.language for found in thread.mails if found.mail.language), "")
    return IncomingTicket(
        id=ticket_id,
        subject=thread.first.subject,
        customer=thread.first.author,
        messages=messages,
        language=named or guess_language(written[0].text),
        created_at=next((message.created_at for message in messages if message.created_at is not None), None),
        sources=sources,
        extra={"customer_address": thread.first.sender} if thread.first.sender else {},
    )
