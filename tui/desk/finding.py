"""Finding words: in all that the agent sees, and step by step in the open conversation."""

import asyncio
from collections.abc import Callable
from typing import Final

from textual.message import Message

from storage.kinds import TICKET
from storage.search.hit import Hit
from tui.desk.desk import Desk
from tui.desk.messages import Said, Turned
from tui.desk.page import Page
from tui.outline_rows import outline_rows

LISTED: Final = 50
"""Hits that are listed of the open ticket, and of all others."""

STEPPED_THROUGH: Final = 1_000
"""Hits of the open conversation that can be stepped through."""


class Finding:
    """Searches for one agent and goes to what was found; it touches no widget.

    Attributes:
        query: what was searched for last, whose matches are stepped through.
        typed: what stood in the line of the search last.
    """

    def __init__(self, desk: Desk, post: Callable[[Message], object]) -> None:
        self.query = self.typed = ""
        self._desk = desk
        self._post = post

    @property
    def ticket_id(self) -> str | None:
        """The open ticket."""
        return self._desk.sheet.page.ticket.id if self._desk.sheet else None

    def find(self, query: str, ticket_id: str | None) -> list[Hit]:
        """Return what matches, on this ticket first, each newest first; the query may still be being typed.

        It reads the record, so it is called in a thread.

        Raises:
            QueryError: the query asks for nothing, or for very much.
        """
        services = self._desk.services
        hits = services.store.search(services.agent, query, unfinished=True, limit=LISTED)
        if ticket_id is None:
            return hits
        here = services.store.search(services.agent, query, ticket_id=ticket_id, unfinished=True, limit=LISTED)
        return [*here, *(hit for hit in hits if hit.ticket_id != ticket_id)]

    async def open(self, hit: Hit) -> None:
        """Open the ticket of a hit and the branch through it."""
        sheet = self._desk.sheet
        if sheet is None or sheet.page.ticket.id != hit.ticket_id or _node_of(sheet.page, hit) is None:
            await self._desk.open(hit.ticket_id)
        sheet = self._desk.sheet
        node_id = _node_of(sheet.page, hit) if sheet and sheet.page.ticket.id == hit.ticket_id else None
        if node_id is not None:
            await self._look_at(node_id)

    async def step(self, by: int, from_id: int | None) -> None:
        """Go to the next (1) or previous (-1) message of the open conversation that matches, round its end."""
        sheet = self._desk.sheet
        if sheet is None:
            return
        page, services = sheet.page, self._desk.services
        hits = await asyncio.to_thread(
            lambda: services.store.search(
                services.agent, self.query, ticket_id=page.ticket.id, unfinished=True, limit=STEPPED_THROUGH
            )
        )
        matching = {_node_of(page, hit) for hit in hits}
        order = [row.id for row in outline_rows(page.nodes, page.path_ids, {}, {})]
        start = order.index(from_id) if from_id in order else 0
        round_trip = (
            [*order[start + 1 :], *order[: start + 1]] if by > 0 else [*order[:start][::-1], *order[start:][::-1]]
        )
        target = next((node_id for node_id in round_trip if node_id in matching), None)
        if target is None:
            self._post(Said(f"“{self.query}” is nowhere in this conversation."))
        elif self._desk.sheet is sheet:
            await self._look_at(target)

    async def _look_at(self, node_id: int) -> None:
        sheet = self._desk.sheet
        if sheet is not None:
            sheet.visited.visit(node_id)
            await self._desk.show(node_id)
            self._post(Turned(node_id))


def _node_of(page: Page, hit: Hit) -> int | None:
    """Where a hit stands in a conversation: its node, or for the ticket's own words the ticket as it is shown."""
    if hit.node_id is not None:
        return hit.node_id if page.find(hit.node_id) else None
    tickets = [node.id for node in page.nodes if node.kind == TICKET.name]
    return next((node_id for node_id in reversed(tickets) if node_id in page.path_ids), tickets[0])
