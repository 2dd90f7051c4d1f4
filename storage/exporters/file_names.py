"""File names of our own: no foreign text can lead a path anywhere."""

import hashlib
import re
from typing import Final

LONGEST_STEM: Final = 60

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_]+")


def file_name(ticket_id: str, suffix: str) -> str:
    """Return the name for an export of a ticket's conversation: "ticket-T-80005.md".

    It holds ASCII letters, digits, "-", "_" and the suffix only. Where that changes the ticket's id, a piece of its
    digest keeps two tickets apart.
    """
    slug = _UNSAFE.sub("-", ticket_id).strip("-")[:LONGEST_STEM].rstrip("-")
    parts = ["ticket", slug] if slug else ["ticket"]
    if slug != ticket_id:
        parts.append(hashlib.sha256(ticket_id.encode(errors="replace")).hexdigest()[:8])
    return "-".join(parts) + suffix
