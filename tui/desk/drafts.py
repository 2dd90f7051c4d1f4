"""Drafts are kept as they are typed: soon after the last key, and at the latest when the app ends."""

import asyncio
from collections.abc import Callable
from functools import partial

from storage.interactions import Draft

CALM_SECONDS = 0.4
"""How long nothing is typed before a draft is written."""


def written_since(text: str, sent: str) -> str:
    """Return what a composer holds beside what was sent; all of it where that is not found any more."""
    if text.startswith(sent):
        return text[len(sent) :].lstrip("\n")
    return "" if sent.startswith(text) else text


class DraftKeeper:
    """Holds the drafts that are not yet in the record, one a ticket."""

    def __init__(self, save: Callable[[str, Draft], None], submit: Callable[[Callable[[], None]], object]) -> None:
        self._save = save
        self._submit = submit
        self._waiting: dict[str, Draft] = {}
        self._timer: asyncio.TimerHandle | None = None

    def keep(self, ticket_id: str, draft: Draft) -> None:
        """Write this draft once nothing has been typed for a moment."""
        self._waiting[ticket_id] = draft
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(CALM_SECONDS, self.write_soon)

    def drop(self, ticket_id: str) -> None:
        """Forget what waits for a ticket that is erased."""
        self._waiting.pop(ticket_id, None)

    def write_soon(self) -> None:
        """Queue what waits, away from the event loop."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiting, self._waiting = self._waiting, {}
        for ticket_id, draft in waiting.items():
            self._submit(partial(self._save, ticket_id, draft))

    def write_now(self) -> None:
        """Write what waits before returning; for the end of the app."""
        if self._timer is not None:
            self._timer.cancel()
        for ticket_id, draft in self._waiting.items():
            self._save(ticket_id, draft)
        self._waiting = {}
