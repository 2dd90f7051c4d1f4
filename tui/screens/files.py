"""The files of a branch: attaching one by its path, and taking one out of further requests."""

import asyncio
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.suggester import Suggester
from textual.widgets import Input, Static

from storage.attachments.attachment import Attachment
from tui.chat_items import plan_notes
from tui.desk.files import Files, Reading
from tui.desk.sheet import Sheet
from tui.display import display_safe
from tui.file_paths import completed
from tui.step import Spawn
from tui.tones import MUTED
from tui.widgets.file_list import FileList
from tui.widgets.line_input import LineInput

_HINT = "Text, Markdown, HTML, CSV, PDF, mails (.eml), Word (.docx). The text is kept, the file itself is not."
_TYPING = "Enter attaches · Tab completes · ↓ to the files · Esc leaves"
_LISTING = "w sends it no more · ↑ to the path · Esc leaves"
_READING = "Esc stops it · Enter goes on working meanwhile"

_PATIENCE_S: Final = 2.0


class PathSuggester(Suggester):
    """Completes a path from what is in its folder."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        """The first file or folder that begins as what is typed."""
        return await asyncio.to_thread(completed, value) if value else None


class PathLine(LineInput):
    """A line for a path: Tab completes what stands in it, and the keys behind Tab come after that."""

    def __init__(self, path: str) -> None:
        super().__init__(path, placeholder="Path of a file", compact=True, id="path", suggester=PathSuggester())

    async def on_key(self, event: events.Key) -> None:
        """Complete."""
        if event.key == "tab":
            event.stop()
            event.prevent_default()
            await self._complete()

    async def _complete(self) -> None:
        """Let the next key wait, but not for a folder that does not answer."""
        try:
            async with asyncio.timeout(_PATIENCE_S):
                found = await asyncio.to_thread(completed, self.value) if self.value else None
        except TimeoutError:
            return
        if found is not None:
            self.value = found
        self.cursor_position = len(self.value)


class FilesScreen(ModalScreen[None]):
    """Attaches to the node that the draft follows; closes once a file is read, stays where it could not be.

    Args:
        files: what attaches.
        spawn: runs a step beside the screen.
        sheet: the open ticket.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave it", show=False),
        Binding("down", "to_list", "To the files", show=False),
        Binding("w", "withdraw", "Send it no more", show=False),
    ]

    def __init__(self, files: Files, spawn: Spawn, sheet: Sheet) -> None:
        super().__init__()
        self._files = files
        self._spawn = spawn
        self._sheet = sheet
        self._reading: Reading | None = None
        self._box = Vertical(id="files")
        self.line = PathLine(files.typed.get(sheet.page.id, ""))
        self.list = FileList(id="attached")
        self.about = Static(id="files-about", markup=False)

    def compose(self) -> ComposeResult:
        """The line, what is attached already, and what can be."""
        with self._box:
            self._box.border_title = Content("Files of this branch")
            yield self.line
            yield self.list
            yield self.about

    def on_mount(self) -> None:
        """Let a path be typed at once, or a file that is still being read be stopped."""
        self.line.focus()
        if (reading := self._files.reading(self._sheet.page.id)) is not None:
            self._follow(reading)
        self.show()

    def show(self) -> None:
        """Show what is attached now, and which keys do what."""
        attached = self._files.of(self._sheet.page)
        self.list.display = bool(attached)
        self.list.show(attached, plan_notes(self._sheet.plan) or {})
        self.line.disabled = self._reading is not None
        listing = self.list.has_focus
        keys = _READING if self._reading is not None else _LISTING if listing else _TYPING
        self._box.border_subtitle = Content(keys)
        text = _HINT
        if self._reading is not None:
            text = f"Reading {display_safe(self._reading.name, newlines=False)} …"
        self.about.update(Content.styled(text, MUTED if self._reading is None else "bold"))

    def on_descendant_focus(self) -> None:
        """Other keys matter now."""
        self.show()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Attach the file, once however often Enter was pressed."""
        if message.value.strip() and self._reading is None:
            page = self._sheet.page
            self._follow(self._files.begin(page.conversation, page.last.id, message.value))
            self.show()

    def _follow(self, reading: Reading) -> None:
        self._reading = reading
        self.run_worker(self._await(reading.ended))

    async def _await(self, ended: "asyncio.Future[Attachment]") -> None:
        """Close once the file is read; where it was not, let the path be changed."""
        await asyncio.wait({ended})
        if not ended.cancelled() and not ended.result().reason:
            self.dismiss()
            return
        self._reading = None
        self.show()
        self.line.focus()

    def on_key(self, event: events.Key) -> None:
        """Go on working while a file is read, and come back from the list to the path."""
        if event.key == "enter" and self._reading is not None:
            event.stop()
            self.dismiss()
        elif event.key == "up" and self.list.has_focus and self.list.cursor == 0:
            event.stop()
            self.line.focus()

    def action_leave(self) -> None:
        """Stop reading, else leave."""
        if self._reading is not None:
            self._reading.stop()
        else:
            self._files.typed[self._sheet.page.id] = self.line.value
            self.dismiss()

    def action_to_list(self) -> None:
        """Go to the files that are attached."""
        if self.list.display:
            self.list.focus()

    def action_withdraw(self) -> None:
        """Take the file under the cursor out of further requests."""
        attachment = self.list.chosen_file
        if self.list.has_focus and attachment is not None:
            self._spawn(self._withdraw(attachment))

    async def _withdraw(self, attachment: Attachment) -> None:
        page = self._sheet.page
        await self._files.withdraw(page.conversation, page.last.id, attachment)
        if self.is_attached:
            self.show()
