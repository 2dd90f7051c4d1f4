"""What a search found, as it is shown: safe, on one line, in pieces that match or stand around a match."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from storage.search.hit import Hit
from tui.display import display_safe, local_time

_BLANKS: Final = re.compile(r"\s+")


def pieces(hit: Hit) -> Iterator[tuple[str, bool]]:
    """Yield the snippet in its order, each piece with whether it is a match."""
    at = 0
    for start, end in hit.matches:
        yield _shown(hit.snippet[at:start]), False
        yield _shown(hit.snippet[start:end]), True
        at = end
    yield _shown(hit.snippet[at:]), False


def place(hit: Hit) -> str:
    """Return where it stands: "node 12", "label of node 12", "message 2 of the ticket", or "ticket"."""
    if hit.node_id is not None:
        return f"label of node {hit.node_id}" if hit.is_label else f"node {hit.node_id}"
    return "ticket" if hit.position is None else f"message {hit.position} of the ticket"


def when(hit: Hit, now: datetime) -> str:
    """Return the time as people write it, "" where the source names none."""
    return "" if hit.created_at is None else local_time(hit.created_at, now)


def _shown(text: str) -> str:
    return _BLANKS.sub(" ", display_safe(text, newlines=False))
