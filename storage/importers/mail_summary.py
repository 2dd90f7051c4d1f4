"""What a mail's headers say: enough to join threads without holding the mail."""

import hashlib
import re
from dataclasses import dataclass, replace
from typing import Final, Self

from storage.importers.languages import language_code
from storage.importers.mail_headers import Headers, addresses, decode_words, message_ids, sender, split_message
from storage.importers.times import read_mail_date

_TAG: Final = re.compile(
    r"\[\s*(?:(?:ticket|case|request|issue|vorgang|anfrage|demande|dossier|caso|solicitud|richiesta|melding)"
    r"[\s:#-]*)?(?:id[\s:#-]*)?(?P<id>#?\s?\d{2,18}|[A-Z]{1,10}-\d{1,18})\s*\]",
    re.IGNORECASE,
)
_BARE_NUMBER: Final = re.compile(r"\[\s*\d+\s*\]")


@dataclass(frozen=True, slots=True)
class MailSummary:
    """One mail without its body.

    Attributes:
        id: "<Message-ID>"; where the mail has none or shares another mail's, "sha256:…" over its content.
        references: ids of earlier mails, oldest first.
        tag: the ticket that the subject names in brackets, or "".
        author, sender: the name and the address (lower case) of whoever wrote it.
        to, cc: addresses, lower case.
        sent_at: microseconds since 1970 UTC, or None.
        fingerprint: the same for the same body, whatever stations the mail passed.
        repairs: what was wrong with the headers.
    """

    id: str
    references: tuple[str, ...]
    subject: str
    tag: str
    author: str
    sender: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    sent_at: int | None
    language: str
    fingerprint: str
    repairs: tuple[str, ...] = ()

    def named_by_content(self) -> Self:
        """Return it with the id that its content gives."""
        return replace(self, id=f"sha256:{self.fingerprint}")

    @property
    def people(self) -> frozenset[str]:
        """Everyone it is from or to."""
        return frozenset((self.sender, *self.to, *self.cc)) - {""}


def summarise_mail(data: bytes) -> MailSummary:
    """Read a mail's headers."""
    headers, body_at = split_message(data)
    subject, repairs = decode_words(headers.raw("subject"))
    author, address = sender(headers.raw("from") or headers.raw("sender"))
    date = read_mail_date(headers.raw("date").decode("latin-1"))
    fingerprint = _fingerprint(headers, data[body_at:])
    ids = message_ids(headers.raw("message-id"))
    references = dict.fromkeys(message_ids(headers.raw("references")) + message_ids(headers.raw("in-reply-to")))
    own = ids[0] if ids else f"sha256:{fingerprint}"
    return MailSummary(
        id=own,
        references=tuple(name for name in references if name != own),
        subject=subject,
        tag=ticket_tag(subject),
        author=author,
        sender=address,
        to=addresses(headers.all_raw("to")),
        cc=addresses(headers.all_raw("cc")),
        sent_at=date.at,
        language=language_code(headers.text("content-language")),
        fingerprint=fingerprint,
        repairs=(*(f"subject: {repair}" for repair in repairs), *((date.repair,) if date.repair else ())),
    )


def ticket_tag(subject: str) -> str:
    """Return the ticket that a subject names: "[T-80005]" and "[Ticket#80005]" do, "[2024]" does not."""
    for found in _TAG.finditer(subject[:1_000]):
        if not _BARE_NUMBER.fullmatch(found[0]):
            return "".join(found["id"].split()).lstrip("#").upper()
    return ""


def _fingerprint(headers: Headers, body: bytes) -> str:
    digest = hashlib.sha256()
    for name in ("from", "date", "subject"):
        digest.update(b" ".join(headers.raw(name).split()) + b"\n")
    digest.update(b"\n".join(line.rstrip() for line in body.splitlines()).strip())
    return digest.hexdigest()[:32]
