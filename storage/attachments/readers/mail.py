"""A mail: who wrote what to whom, and the names of the files that came with it."""

from datetime import UTC, datetime, timedelta
from typing import Final

from storage.attachments.readers.read_text import ReadText
from storage.importers.eml import message_of
from storage.importers.mail_body import read_body
from storage.importers.mail_summary import summarise_mail

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def read_mail(data: bytes) -> ReadText:
    """Read a mail as mail programs save it."""
    raw = message_of(data)
    mail, body = summarise_mail(raw), read_body(raw)
    sender = f"{mail.author} <{mail.sender}>" if mail.sender and mail.sender != mail.author else mail.author
    fields = {
        "From": sender,
        "To": ", ".join(mail.to),
        "Cc": ", ".join(mail.cc),
        "Date": _date(mail.sent_at),
        "Subject": mail.subject,
    }
    head = "\n".join(f"{name}: {value}" for name, value in fields.items() if value)
    files = "\n".join(f"* {file.name} ({file.media_type}, {file.size_bytes:,} bytes)" for file in body.attachments)
    parts = [head, body.text, f"Files that came with it, not read:\n{files}" if files else ""]
    hidden = f"hidden elements left out: {body.hidden_count}" if body.hidden_count else ""
    return ReadText("\n\n".join(filter(None, parts)), tuple(filter(None, (*mail.repairs, *body.repairs, hidden))))


def _date(microseconds: int | None) -> str:
    """Write a time to the minute, empty where there is none or it lies outside the years that have a date."""
    try:
        return f"{_EPOCH + timedelta(microseconds=microseconds):%Y-%m-%d %H:%M} UTC" if microseconds is not None else ""
    except OverflowError:
        return ""
