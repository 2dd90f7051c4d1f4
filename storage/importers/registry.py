"""The formats that can be imported: a new one is a module with an `IMPORTER`, and one line here."""

import re
from typing import Final

from storage.importers import csv_tickets, eml, json_tickets, jsonl_tickets, mbox
from storage.importers.chats import archives, files, own_export
from storage.importers.findings import Importer, Source

IMPORTERS: Final[tuple[Importer, ...]] = (
    own_export.IMPORTER,
    archives.IMPORTER,
    jsonl_tickets.IMPORTER,
    files.IMPORTER,
    json_tickets.IMPORTER,
    mbox.IMPORTER,
    eml.IMPORTER,
    csv_tickets.IMPORTER,
)
"""In the order in which they are asked; the first that recognises a file reads it."""

_KNOWN_OTHERS: Final = (
    (b"\x1f\x8b", "a gzip archive; unpack it and import what is inside"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive; unpack it and import what is inside"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Outlook message (.msg) or old Office document; save the mail as .eml"),
    (b"!BDN", "an Outlook data file (.pst); export its mails as .eml or mbox"),
    (b"SQLite format 3\0", "a database"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"GIF8", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"// <!-- <mdb:mork", "Thunderbird's index of a folder; the mails are in the file of the same name without .msf"),
)


def recognise(source: Source) -> Importer | None:
    """Return the importer for a file, by its content alone."""
    return next((importer for importer in IMPORTERS if importer.recognise(source)), None)


def may_be_companion(importer: Importer | None) -> bool:
    """Whether a file that this importer reads may be one that a chat program delivers beside its chats."""
    return importer in (None, json_tickets.IMPORTER, jsonl_tickets.IMPORTER)


def why_not(source: Source) -> str:
    """Say what a file that no importer recognises is."""
    for begin, what in _KNOWN_OTHERS:
        if source.head.startswith(begin):
            return f"it is {what}"
    if b"\0" in source.head and not re.match(rb"\xff\xfe|\xfe\xff", source.head):
        return "it is a binary file of a format that is not recognised"
    names = ", ".join(importer.name for importer in IMPORTERS)
    return f"its content is not recognised as any of {names}"
