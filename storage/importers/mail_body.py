"""What a mail says: its text, the files it came with, and what its reader does not see."""

from dataclasses import dataclass, field
from typing import Final

from storage.importers.html_text import html_to_text
from storage.importers.mail_flowed import unflow
from storage.importers.mail_headers import split_message
from storage.importers.mail_parts import Part, PartReader, safe_file_name
from storage.importers.texts import decode_text, html_charset, unified_lines
from storage.text import storable
from storage.tickets import TicketAttachment

_SIGNATURES: Final = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"}
)
_ENVELOPES: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})


@dataclass(frozen=True, slots=True)
class MailBody:
    """A mail's content, decoded for display."""

    text: str
    attachments: tuple[TicketAttachment, ...]
    hidden_count: int
    repairs: tuple[str, ...]


@dataclass(slots=True)
class _Found:
    """What was found in one part and those inside it, while a mail is read."""

    texts: list[str] = field(default_factory=list)
    is_plain: bool = False
    hidden_count: int = 0
    attachments: list[TicketAttachment] = field(default_factory=list)
    mails: list[Part] = field(default_factory=list)

    @property
    def says_something(self) -> bool:
        return any(text.strip() for text in self.texts)

    def add(self, other: "_Found") -> None:
        self.texts += other.texts
        self.is_plain = self.is_plain or other.is_plain
        self.hidden_count += other.hidden_count
        self.attachments += other.attachments
        self.mails += other.mails


def read_body(data: bytes) -> MailBody:
    """Read a whole mail."""
    reader = PartReader()
    repairs: list[str] = []
    found = _read(reader.read(data), repairs)
    if not found.says_something and found.mails:
        inner = PartReader()
        inside = _read(inner.read(found.mails[0].content()), repairs)
        found.texts, found.hidden_count = inside.texts, inside.hidden_count
        found.attachments += inside.attachments
        repairs += [*inner.repairs, "it has no text of its own; the text is that of the mail attached to it"]
    text = "\n\n".join(text.strip("\n") for text in found.texts if text.strip())
    if "-----BEGIN PGP MESSAGE-----" in text:
        repairs.append("it is encrypted (PGP); open it in a mail program to read it")
    return MailBody(
        storable(text),
        tuple(found.attachments),
        found.hidden_count,
        tuple(dict.fromkeys(repair for repair in (*reader.repairs, *repairs) if repair)),
    )


def _read(part: Part, repairs: list[str]) -> _Found:
    kind = part.kind
    if kind == "multipart/alternative":
        return _choose([_read(inside, repairs) for inside in part.parts])
    if kind == "multipart/encrypted":
        repairs.append("the part 'multipart/encrypted' cannot be read; open the mail in a mail program")
    if part.parts:
        found = _Found()
        for inside in part.parts:
            found.add(_read(inside, repairs))
        return found
    if kind in ("text/plain", "text/html") and part.disposition != "attachment" and not part.file_name:
        return _read_text(part, repairs)
    found = _Found(attachments=[_attachment(part)])
    if kind == "message/rfc822":
        found.mails.append(part)
    elif kind in _ENVELOPES:
        what = "signed and wrapped" if "signed" in part.parameters.get("smime-type", "") else "encrypted"
        repairs.append(f"the part {_shown(part)!r} is {what} (S/MIME) and cannot be read; open it in a mail program")
    elif kind in ("application/ms-tnef", "application/vnd.ms-tnef"):
        repairs.append(f"the part {_shown(part)!r} is Outlook's own format; what is inside is not listed")
    return found


def _choose(found: list[_Found]) -> _Found:
    """Take one text of several alternatives, plain before HTML, and the files of all."""
    saying = [alternative for alternative in found if alternative.says_something]
    best = next((alternative for alternative in saying if alternative.is_plain), saying[0] if saying else _Found())
    for other in found:
        if other is not best:
            best.attachments += other.attachments
            best.mails += other.mails
    return best


def _read_text(part: Part, repairs: list[str]) -> _Found:
    content = part.content()
    charset = part.parameters.get("charset", "")
    if part.kind == "text/html":
        decoded = decode_text(content, charset or html_charset(content))
        html = html_to_text(decoded.text)
        if html.is_cut:
            repairs.append("its HTML is very long; only the beginning was read")
        repairs.append(decoded.repair)
        return _Found([html.text], hidden_count=html.hidden_count)
    decoded = decode_text(content, charset)
    repairs.append(decoded.repair)
    text = unified_lines(decoded.text)
    if part.parameters.get("format", "").lower() == "flowed":
        text = unflow(text, delete_space=part.parameters.get("delsp", "").lower() == "yes")
    return _Found([text], is_plain=True)


def _attachment(part: Part) -> TicketAttachment:
    return TicketAttachment(_shown(part), part.kind[:200], len(part.content()))


def _shown(part: Part) -> str:
    if part.file_name:
        return part.file_name
    if part.kind == "message/rfc822":
        headers, _ = split_message(part.content())
        return safe_file_name(headers.text("subject")) or "attached mail"
    if part.kind in _SIGNATURES:
        return "signature"
    return part.kind.partition("/")[2] or "unnamed"
