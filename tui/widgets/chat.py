"""The chat: the messages of the shown path, with the marks of the plan; only a window of them is laid out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.timer import Timer
from textual.visual import Visual

from assistant.plan.plan import Fate
from tui.chat_items import ChatItem, marked
from tui.display import local_now
from tui.message_lines import divider
from tui.message_view import MessageView

WINDOW: Final = 60
"""Messages that are laid out at most."""

_REFRESH_S: Final = 0.1
"""A growing answer is painted at most this often, however fast it comes."""


class Chat(ScrollView, can_focus=True):
    """Shows a path of any length; follows its end unless the agent has scrolled up."""

    DEFAULT_CSS = """
    Chat {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        padding: 0 1;
        text-wrap: nowrap;
    }
    """

    def __init__(
        self,
        *,
        now: Callable[[], datetime] = local_now,
        notes_key: str = "",
        id: str | None = None,  # noqa: A002 - Textual's name
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._now = now
        self._notes_key = notes_key
        self._views: list[MessageView] = []
        self._first = 0
        self._last = 0
        self._lines: list[Content] = []
        self._starts: list[int] = []
        self._strips: dict[int, Strip] = {}
        self._timer: Timer | None = None
        self._height = 0

    # what is shown

    def show(self, items: Sequence[ChatItem]) -> None:
        """Show these messages. What stays the same is not laid out again; another path starts at its end."""
        following = self.at_end
        known = {view.item.id: view for view in self._views}
        same_path = bool(items and self._views) and items[0].id == self._views[0].item.id
        top = self._top() if same_path and not following else None
        self._views = [_view_of(item, known.get(item.id)) for item in items]
        if top is None or not self._put_top(*top):
            self._show_end()

    def grow(self, node_id: int, text: str) -> None:
        """Add a piece to an answer that is being written; painted within a tenth of a second."""
        if (view := self._view(node_id)) is None:
            return
        view.grow(text)
        if self._timer is None:
            self._timer = self.set_timer(_REFRESH_S, self.flush)

    def flush(self) -> None:
        """Paint what has grown, now."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self._relaid()

    def mark(
        self,
        fates: Mapping[int, Fate],
        tokens: Mapping[int, int] | None = None,
        of_notes: Mapping[int, str] | None = None,
    ) -> None:
        """Show what a new plan does with the same messages and with the files that are attached to them."""
        changed = False
        for view in self._views:
            item = view.item
            counted = item.tokens if tokens is None else tokens.get(item.id)
            notes = marked(item.notes, of_notes)
            if (item.fate, item.tokens, item.notes) != (fates.get(item.id), counted, notes):
                view.update(replace(item, fate=fates.get(item.id), tokens=counted, notes=notes))
                changed = True
        if changed:
            self._relaid()

    def note(self, node_id: int, text: str) -> None:
        """Say below a running answer what it waits for; its next piece takes the note away."""
        if (view := self._view(node_id)) is not None:
            view.note = text
            self._relaid()

    def toggle_notes(self, node_id: int) -> None:
        """Open or fold the notes below a message; they are in view then, and its header where there is room for it."""
        if (view := self._view(node_id)) is not None:
            view.toggle_notes()
            self._relaid()
            self.reveal(node_id, notes=True)

    @property
    def items(self) -> tuple[ChatItem, ...]:
        """The messages of the path, also those that are not laid out."""
        return tuple(view.item for view in self._views)

    @property
    def laid_out(self) -> range:
        """Which of the messages are laid out now, by their place in the path."""
        return range(self._first, self._last)

    # where it is scrolled to

    @property
    def at_end(self) -> bool:
        """The end of the path is in view, so that what comes will be followed."""
        return self._last == len(self._views) and self.scroll_y >= self.max_scroll_y

    def reveal(self, node_id: int, *, notes: bool = False) -> None:
        """Scroll all of a message into view, or its header; with `notes`, of a long one, what stands below it."""
        at = self._place(node_id)
        if at is None or (not self._first <= at < self._last and not self._put_top(node_id, 0)):
            return
        start = self._starts[at - self._first]
        end = self._starts[at - self._first + 1] if at + 1 < self._last else len(self._lines)
        height = self.scrollable_content_region.height
        if notes and end - start > height:
            start += self._views[at].words
        if start < self.scroll_y or end > self.scroll_y + height:
            self.scroll_to(y=start, animate=False, force=True)

    def follow(self) -> None:
        """Go to the end of the path and follow what comes."""
        self._show_end()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Lay out older or newer messages where the scrolling comes near the edge of those that are."""
        super().watch_scroll_y(old_value, new_value)
        margin = self.scrollable_content_region.height
        if new_value < old_value and new_value < margin and self._first > 0:
            self.call_later(self._load_older)
        elif new_value > old_value and new_value > self.max_scroll_y - margin and self._last < len(self._views):
            self.call_later(self._load_newer)

    def on_resize(self, event: events.Resize) -> None:
        """Lay out for the new width, the same message at the top, or the end where that was in view."""
        was_at_end = self._last == len(self._views) and self.scroll_y + self._height >= len(self._lines)
        self._height = self.scrollable_content_region.height
        top = None if was_at_end or self.at_end else self._top()
        if top is None or not self._put_top(*top):
            self._show_end()

    # painting

    def render_line(self, y: int) -> Strip:
        """Paint one line of the view."""
        width, at = self.scrollable_content_region.width, self.scroll_offset.y + y
        if at >= len(self._lines):
            return Strip.blank(width, self.visual_style.rich_style)
        if (strip := self._strips.get(at)) is None:
            line = self._lines[at]
            if self.text_selection is not None and (span := self.text_selection.get_span(at)) is not None:
                start, end = span
                style = Style.from_styles(self.screen.get_component_styles("screen--selection"))
                line = line.stylize(style, start, len(line) if end == -1 else end)
            strip = Visual.to_strips(self, line, width, 1, self.visual_style, apply_selection=False, pad=True)[0]
            strip = self._strips[at] = strip.apply_offsets(0, at)
        return strip

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text that the agent selected with the mouse."""
        return selection.extract("\n".join(line.plain for line in self._lines)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Paint the selection."""
        self._strips.clear()
        self.refresh()

    def notify_style_update(self) -> None:
        """Forget what was painted in the old style or theme."""
        self._strips.clear()
        super().notify_style_update()

    # the window

    def _view(self, node_id: int) -> MessageView | None:
        return None if (at := self._place(node_id)) is None else self._views[at]

    def _place(self, node_id: int) -> int | None:
        return next((at for at in reversed(range(len(self._views))) if self._views[at].item.id == node_id), None)

    def _top(self) -> tuple[int, int] | None:
        """The message at the top of the view, and how many of its lines are above."""
        y = int(self.scroll_y)
        for at in reversed(range(len(self._starts))):
            if self._starts[at] <= y:
                return self._views[self._first + at].item.id, y - self._starts[at]
        return None

    def _put_top(self, node_id: int, above: int) -> bool:
        """Lay out around a message and put it at the top of the view; False when it is not on the path."""
        at = self._place(node_id)
        if at is None or not self._has_room:
            return False
        self._first = max(0, at - WINDOW // 2)
        self._last = min(len(self._views), self._first + WINDOW)
        self._lay_out()
        self.scroll_to(y=self._starts[at - self._first] + above, animate=False, force=True)
        return True

    def _show_end(self) -> None:
        """Lay out the end: enough messages to fill the view twice, but no more than the window."""
        self._last = self._first = len(self._views)
        if not self._has_room:
            return
        width, height, lines = self.scrollable_content_region.width, self.scrollable_content_region.height, 0
        while self._first > 0 and self._last - self._first < WINDOW and lines <= 2 * height:
            self._first -= 1
            lines += len(self._views[self._first].lines(width, self._now(), self._notes_key))
        self._lay_out()
        self.scroll_to(y=self.max_scroll_y, animate=False, force=True)

    def _load_older(self) -> None:
        self._move_window(max(0, self._first - WINDOW // 3))

    def _load_newer(self) -> None:
        self._move_window(min(self._last + WINDOW // 3, len(self._views)) - WINDOW)

    def _move_window(self, first: int) -> None:
        """Lay out from another message on; what is in view stays where it is, also while it is moving."""
        top, rest = self._top(), self.scroll_target_y - self.scroll_y
        if top is None:
            return
        self._first = max(0, first)
        self._last = min(len(self._views), self._first + WINDOW)
        self._lay_out()
        at = next(at for at, view in enumerate(self._views) if view.item.id == top[0]) - self._first
        self.scroll_to(y=self._starts[at] + top[1], animate=False, force=True)
        if rest:
            self.scroll_to(y=self.scroll_y + rest, force=True)

    def _relaid(self) -> None:
        """Lay out the same messages again, following the end where it was in view."""
        following = self.at_end
        self._lay_out()
        if following:
            self.scroll_to(y=self.max_scroll_y, animate=False, force=True)

    @property
    def _has_room(self) -> bool:
        """The widget has been given a size, so there is a width to lay out for."""
        return self.scrollable_content_region.area > 0

    def _lay_out(self) -> None:
        width, now = self.scrollable_content_region.width, self._now()
        self._lines, self._starts = [], []
        self._strips.clear()
        for at in range(self._first, self._last):
            if self._divided_before(at):
                self._lines.extend(divider(width))
            self._starts.append(len(self._lines))
            self._lines.extend(self._views[at].lines(width, now, self._notes_key))
        if self._last == len(self._views) and self._divided_before(self._last):
            self._lines.extend(divider(width))
        self.virtual_size = Size(width, len(self._lines))
        self.refresh()

    def _divided_before(self, at: int) -> bool:
        """What is sent starts here: the message before is left out, and this one (or only the question) is not."""
        if at == 0 or self._views[at - 1].item.fate not in (Fate.CUT, Fate.SUMMARISED):
            return False
        return at == len(self._views) or self._views[at].item.fate is Fate.SENT


def _view_of(item: ChatItem, known: MessageView | None) -> MessageView:
    if known is None:
        return MessageView(item)
    known.update(item)
    return known
