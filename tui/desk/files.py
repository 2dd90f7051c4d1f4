"""Attaching files to conversations, and taking them out: read beside the app, whatever ticket is open meanwhile."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from textual.message import Message

from assistant.settling import finished, settled_call
from storage.attachments.attachment import Attachment, attachments_of
from storage.attachments.states import withdraw
from storage.interactions import Conversation
from tui.attachment_text import outcome
from tui.desk.desk import Desk
from tui.desk.messages import Said
from tui.desk.page import Page
from tui.desk.pages import Spawn
from tui.file_paths import path_of


class Files:
    """Attaches files for one agent; it touches no widget."""

    def __init__(self, desk: Desk, post: Callable[[Message], object], spawn: Spawn) -> None:
        self._desk = desk
        self._post = post
        self._spawn = spawn
        self._stops: dict[asyncio.Future[Attachment], Callable[[], None]] = {}

    def of(self, page: Page) -> tuple[Attachment, ...]:
        """What is attached to the branch that the draft follows."""
        return attachments_of(page.planned_on)

    def begin(self, conversation: Conversation, node_id: int, typed: str) -> "asyncio.Future[Attachment]":
        """Attach a file to a node; the future holds what became of it, and is cancelled where it was not taken."""
        ended: asyncio.Future[Attachment] = asyncio.get_running_loop().create_future()
        self._stops[ended] = lambda: None
        self._spawn(self._attach(conversation, node_id, path_of(typed), ended), group="file")
        return ended

    def stop(self, ended: "asyncio.Future[Attachment]") -> None:
        """Stop reading a file."""
        if ended in self._stops:
            self._stops[ended]()

    async def stop_all(self) -> None:
        """Stop reading, and wait until the record says so."""
        reading = list(self._stops)
        for ended in reading:
            self.stop(ended)
        if reading:
            await asyncio.wait(reading)

    async def withdraw(self, conversation: Conversation, leaf_id: int, attachment: Attachment) -> None:
        """Send a file no more on the branches through this leaf."""
        await settled_call(withdraw, self._desk.services.store, conversation, leaf_id, attachment)
        await self._desk.look_around()

    async def _attach(
        self, conversation: Conversation, node_id: int, path: Path, ended: "asyncio.Future[Attachment]"
    ) -> None:
        from storage.attachments.attaching import Attaching, open_file

        store = self._desk.services.store
        try:
            opened = await settled_call(open_file, path)
            attaching = await settled_call(Attaching, store, conversation, node_id, opened)
            self._stops[ended] = attaching.cancel
            reading = asyncio.get_running_loop().run_in_executor(None, attaching.finish)
            try:
                await self._desk.look_around()
                attachment = await asyncio.shield(reading)
            except asyncio.CancelledError:
                attaching.cancel()
                await finished(reading)
                raise
            await self._desk.look_around()
            ended.set_result(attachment)
            self._post(Said(outcome(attachment), is_error=bool(attachment.reason)))
        finally:
            del self._stops[ended]
            ended.cancel()
