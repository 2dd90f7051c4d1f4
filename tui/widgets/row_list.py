"""A list of any length that paints only the rows in view; what a row says is up to the list that is built on it."""

from abc import abstractmethod
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from tui.tones import LEAD


class RowList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of one line with a cursor.

    The cursor's row is told apart by its background and by a bar at its left, so that it shows without colour.
    """

    DEFAULT_CSS = """
    RowList {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        text-wrap: nowrap;
        text-overflow: clip;
        & > .row-list--cursor {
            background: $block-cursor-blurred-background;
            color: $block-cursor-blurred-foreground;
        }
        &:focus > .row-list--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
        }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"row-list--cursor"}
    ALLOW_SELECT = False

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("enter", "choose", "Choose", show=False),
    ]

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002 - Textual's name
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._cursor = 0
        self._strips: dict[tuple[int, int, bool, bool], Strip] = {}

    @abstractmethod
    def row_count(self) -> int:
        """How many rows there are."""

    @abstractmethod
    def row_content(self, index: int, width: int) -> Content:
        """What a row says, at most `width` cells; safe to show."""

    @abstractmethod
    def highlighted(self, index: int) -> None:
        """The cursor came to this row."""

    @abstractmethod
    def chosen(self, index: int) -> None:
        """The agent chose this row by Enter or a click."""

    @property
    def cursor(self) -> int:
        """The row that the cursor is on; 0 in an empty list."""
        return self._cursor

    @property
    def page(self) -> int:
        """How many rows are in view."""
        return max(1, self.scrollable_content_region.height)

    def move(self, delta: int) -> None:
        """Move the cursor by so many rows, no further than the first or last."""
        self.put_cursor(self._cursor + delta)

    def put_cursor(self, index: int) -> None:
        """Put the cursor on a row (the nearest there is) and bring it into view; says so when it is another row."""
        if not self.row_count():
            return
        index = max(0, min(index, self.row_count() - 1))
        moved = index != self._cursor
        self._cursor = index
        self._show_cursor()
        self.refresh()
        if moved:
            self.highlighted(index)

    def rows_changed(self, cursor: int) -> None:
        """Paint anew after the rows have changed, the cursor on this one, without saying so."""
        self._strips.clear()
        self._cursor = max(0, min(cursor, self.row_count() - 1))
        self.virtual_size = Size(0, self.row_count())
        self._show_cursor()
        self.refresh()

    def action_move(self, delta: int) -> None:
        """Move the cursor."""
        self.move(delta)

    def action_choose(self) -> None:
        """Choose the row under the cursor."""
        if self.row_count():
            self.chosen(self._cursor)

    def on_click(self, event: events.Click) -> None:
        """Choose the row under the pointer."""
        offset = event.get_content_offset(self)
        row = offset.y + self.scroll_offset.y if offset is not None else self.row_count()
        if row < self.row_count():
            self.put_cursor(row)
            self.chosen(row)

    def on_resize(self, event: events.Resize) -> None:
        """Keep the cursor in view."""
        self._show_cursor()

    def notify_style_update(self) -> None:
        """Forget what was painted in the old style or theme."""
        self._strips.clear()
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        """Paint one line of the view."""
        width, index = self.scrollable_content_region.width, self.scroll_offset.y + y
        if index >= self.row_count():
            return Strip.blank(width, self.visual_style.rich_style)
        under_cursor = index == self._cursor
        key = (index, width, under_cursor, self.has_focus)
        if (strip := self._strips.get(key)) is None:
            style = self.get_visual_style("row-list--cursor") if under_cursor else self.visual_style
            bar = Content.styled("▌" if under_cursor else " ", LEAD)
            content = Content.assemble(bar, self.row_content(index, width - 1))
            if under_cursor and self.has_focus:
                content = content.without_spans
            strip = Visual.to_strips(self, content, width, 1, style, pad=True)[0]
            self._strips[key] = strip
        return strip

    def _show_cursor(self) -> None:
        height, top = self.scrollable_content_region.height, self.scroll_offset.y
        if height <= 0:
            return
        if self._cursor < top:
            self.scroll_to(y=self._cursor, animate=False, force=True)
        elif self._cursor >= top + height:
            self.scroll_to(y=self._cursor - height + 1, animate=False, force=True)
