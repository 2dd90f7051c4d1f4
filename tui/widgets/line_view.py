"""A long text to scroll through; its lines are broken once for a width, and only those in view are painted."""

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

_TAB_CELLS = 4


class LineView(ScrollView, can_focus=True):
    """Shows one `Content` of any length."""

    DEFAULT_CSS = """
    LineView { overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1; }
    """
    ALLOW_SELECT = False

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll_down", "Down", show=False),
        Binding("k", "scroll_up", "Up", show=False),
        Binding("space", "page_down", "Page down", show=False),
        Binding("g", "scroll_home", "Top", show=False),
        Binding("G", "scroll_end", "Bottom", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._text = Content("")
        self._lines: list[Content] = []
        self._width = 0

    def show(self, text: Content) -> None:
        """Show a text from its beginning; what it holds is safe to show."""
        self._text = text.expand_tabs(_TAB_CELLS)
        self._break()
        self.scroll_to(y=0, animate=False, force=True)

    def on_resize(self, event: events.Resize) -> None:
        """Break the lines anew where the width is another."""
        del event
        if self.scrollable_content_region.width != self._width:
            self._break()

    def render_line(self, y: int) -> Strip:
        """Paint one line of the view."""
        width, index = self.scrollable_content_region.width, self.scroll_offset.y + y
        if index >= len(self._lines):
            return Strip.blank(width, self.visual_style.rich_style)
        return Visual.to_strips(self, self._lines[index], width, 1, self.visual_style, pad=True)[0]

    def _break(self) -> None:
        self._width = self.scrollable_content_region.width
        self._lines = self._text.wrap(self._width) if self._width > 0 else []
        self.virtual_size = Size(self._width, len(self._lines))
        self.refresh()
