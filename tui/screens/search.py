"""Searching: a line to type in, and what it finds while it is typed."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Input, Static

from storage.errors import StorageError
from storage.search.hit import Hit
from tui.display import display_safe
from tui.matches import place, when
from tui.step import Spawn
from tui.tones import MUTED
from tui.widgets.hit_list import HitList, marked
from tui.widgets.line_input import LineInput

_PAUSE_S: Final = 0.12
"""Typing that pauses so long is searched for."""

_HINT: Final = (
    "All words must occur, on any branch of your conversations or in a ticket; accents and case do not count."
)

Find = Callable[[str], Sequence[Hit]]


class SearchScreen(ModalScreen[tuple[str, Hit | None]]):
    """Returns the query, with the hit that was chosen; Esc leaves without one.

    Args:
        find: searches the record; called in a thread, and may raise `StorageError`.
        spawn: runs a step beside the screen.
        query: what stands in the line at first.
        opened: the open ticket, whose hits are marked.

    Attributes:
        searched: the query whose hits are shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back", show=False),
        Binding("down,ctrl+n", "move(1)", "Down", show=False),
        Binding("up,ctrl+p", "move(-1)", "Up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
    ]

    def __init__(
        self, find: Find, *, spawn: Spawn, query: str, opened: str | None, now: Callable[[], datetime]
    ) -> None:
        super().__init__()
        self._find = find
        self._spawn = spawn
        self._now = now
        self.searched = ""
        self._asked = ""
        self._entered: str | None = None
        self._timer: Timer | None = None
        self.box = Vertical(id="search")
        self.box.border_title = Content("Search")
        self.line = LineInput(query, placeholder="Find words", compact=True, id="query")
        self.hits = HitList(opened, now, id="hits")
        self.context = Static(id="context", markup=False)

    def compose(self) -> ComposeResult:
        """The line, the hits, and more of the one under the cursor."""
        with self.box:
            yield self.line
            yield self.hits
            yield self.context

    def on_mount(self) -> None:
        """Let words be typed at once; those of the search before are found again, and replaced by the first key."""
        self.hits.can_focus = False
        self.line.focus()
        self.line.select_all()
        self._show((), _HINT)
        if self.line.value:
            self._search()

    def action_leave(self) -> None:
        """Go back; what was typed stands in the line the next time."""
        self.dismiss((self.line.value, None))

    def action_move(self, rows: int) -> None:
        """Move the cursor of the hits."""
        self.hits.move(rows)

    def action_page(self, pages: int) -> None:
        """Move it by a page."""
        self.hits.move(pages * self.hits.page)

    def on_input_changed(self) -> None:
        """Search when the typing pauses."""
        if self._entered is not None or self.line.value == self._asked:
            return
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(_PAUSE_S, self._search)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Open the hit under the cursor; where the line was searched for not yet, its first one.

        What is typed behind it, before something was found, does not count unless nothing is.
        """
        if self._entered is not None:
            return
        if message.value == self.searched:
            self._choose()
        else:
            self._entered = message.value
            self._search()

    def on_hit_list_highlighted(self, message: HitList.Highlighted) -> None:
        """Show more of it."""
        self._show_context(message.hit)

    def on_hit_list_chosen(self, message: HitList.Chosen) -> None:
        """Open what was clicked."""
        self.dismiss((self.searched, message.hit))

    def _search(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self._asked = self._wanted
        if self._asked.strip():
            self._say_that_it_searches()
        self._spawn(self._look_up(self._asked))

    async def _look_up(self, query: str) -> None:
        hits: Sequence[Hit] = ()
        trouble = _HINT
        try:
            if query.strip():
                trouble = f"Nothing was found for {display_safe(query, newlines=False)}."
                hits = await asyncio.to_thread(self._find, query)
        except StorageError as error:
            trouble = str(error)
        if query != self._wanted:
            return
        entered, self._entered = self._entered, None
        if not self.is_current:
            return
        self.searched = query
        self._show(hits, trouble)
        if entered is not None:
            self._choose()
        if not hits:
            self.on_input_changed()

    @property
    def _wanted(self) -> str:
        """The query whose hits are to be shown next."""
        return self.line.value if self._entered is None else self._entered

    def _say_that_it_searches(self) -> None:
        """What was found before stays meanwhile."""
        self.box.border_subtitle = Content("searching … · Esc goes back")
        if self.hits.cursor_hit is None:
            self.context.update(Content.styled("Searching …", MUTED))

    def _choose(self) -> None:
        if (hit := self.hits.cursor_hit) is not None:
            self.dismiss((self.searched, hit))

    def _show(self, hits: Sequence[Hit], trouble: str) -> None:
        self.hits.show(hits)
        found = f"{len(hits)} listed · Enter opens" if hits else "Enter opens"
        self.box.border_subtitle = Content(f"{found} · Esc goes back")
        if hits:
            self._show_context(hits[0])
        else:
            self.context.update(Content.styled(display_safe(trouble), MUTED))

    def _show_context(self, hit: Hit) -> None:
        facts = (hit.ticket_id, place(hit), hit.author, when(hit, self._now()))
        line = " · ".join(display_safe(fact, newlines=False) for fact in facts if fact)
        self.context.update(Content.assemble((f"{line}\n", MUTED), marked(hit)))
