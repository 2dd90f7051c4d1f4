"""Attaching files to conversations, and taking them out: read beside the app, whatever ticket is open meanwhile."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textual.message import Message

from assistant.turn.settling import finished, settled_call
from storage.attachments.attachment import Attachment, attachments_of
from storage.attachments.states import attached_already, withdraw
from storage.interactions import Conversation
from tui.attachment_text import outcome, repeated
from tui.desk.desk import Desk
from tui.desk.messages import Said
from tui.desk.page import Page
from tui.file_paths import path_of
from tui.step import Spawn


@dataclass(slots=True, eq=False)
class Reading:
    """One file that is being read.

    Attributes:
        name: of the file, as it was typed.
        ended: holds what became of it; cancelled where it was not taken.
    """

    conversation_id: int
    name: str
    ended: "asyncio.Future[Attachment]"
    stop: Callable[[], None] = lambda: None


class Files:
    """Attaches files for one agent; it touches no widget.

    Attributes:
        typed: what was typed as a path for each conversation and is not attached.
    """

    def __init__(self, desk: Desk, post: Callable[[Message], object], spawn: Spawn) -> None:
        self._desk = desk
        self._post = post
        self._spawn = spawn
        self._reading: list[Reading] = []
        self._announcing = asyncio.Lock()
        self.typed: dict[int, str] = {}

    def of(self, page: Page) -> tuple[Attachment, ...]:
        """What is attached to the branch that the draft follows."""
        return attachments_of(page.planned_on)

    def reading(self, conversation_id: int) -> Reading | None:
        """The file that is being read for this conversation, the newest of several."""
        return next((each for each in reversed(self._reading) if each.conversation_id == conversation_id), None)

    def begin(self, conversation: Conversation, node_id: int, typed: str) -> Reading:
        """Attach a file to a node."""
        path = path_of(typed)
        reading = Reading(conversation.id, path.name, asyncio.get_running_loop().create_future())
        self._reading.append(reading)
        self.typed[conversation.id] = typed
        self._spawn(self._attach(conversation, node_id, path, reading), group="file")
        return reading

    async def stop_all(self) -> None:
        """Stop reading, and wait until the record says so."""
        reading = list(self._reading)
        for each in reading:
            each.stop()
        if reading:
            await asyncio.wait([each.ended for each in reading])

    async def withdraw(self, conversation: Conversation, leaf_id: int, attachment: Attachment) -> None:
        """Send a file no more on the branches through this leaf."""
        await settled_call(withdraw, self._desk.services.store, conversation, leaf_id, attachment)
        await self._desk.look_around()

    async def _attach(self, conversation: Conversation, node_id: int, path: Path, reading: Reading) -> None:
        from storage.attachments.attaching import Attaching, open_file

        store = self._desk.services.store
        try:
            opened = await settled_call(open_file, path)
            async with self._announcing:
                known = await settled_call(attached_already, store, conversation, node_id, opened.file)
                if known is None:
                    attaching = await settled_call(Attaching, store, conversation, node_id, opened)
            if known is not None:
                self.typed.pop(conversation.id, None)
                reading.ended.set_result(known)
                self._post(Said(repeated(opened.file, known)))
                return
            reading.stop = attaching.cancel
            finishing = asyncio.get_running_loop().run_in_executor(None, attaching.finish)
            try:
                await self._desk.look_around()
                attachment = await asyncio.shield(finishing)
            except asyncio.CancelledError:
                attaching.cancel()
                await finished(finishing)
                raise
            await self._desk.look_around()
            if not attachment.reason:
                self.typed.pop(conversation.id, None)
            reading.ended.set_result(attachment)
            self._post(Said(outcome(attachment), is_error=bool(attachment.reason)))
        finally:
            self._reading.remove(reading)
            reading.ended.cancel()
