"""What was sent for an answer: the bytes, where each part came from, and what came back."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from assistant.audit.origins import Evidence
from assistant.money.prices import PriceList
from tui.sent_text import SentPage, sent_pages, tabs
from tui.tones import MUTED
from tui.widgets.line_view import LineView

_PAGES = tuple(SentPage)


class SentScreen(ModalScreen[None]):
    """Shows the requests of one answer, the last attempt first; Esc or `q` close it."""

    DEFAULT_CSS = """
    SentScreen {
        align: center middle;
        background: $background 70%;
        #sent {
            width: 94%;
            max-width: 130;
            height: 92%;
            padding: 1 2;
            background: $surface;
            border: round $border;
            border-title-color: $text-primary;
            border-subtitle-color: $text-muted;
        }
        #sent-tabs { height: 2; }
        #sent-text { height: 1fr; background: $surface; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Close", show=False),
        *(Binding(str(number), f"page({number})", "Page", show=False) for number in range(1, len(_PAGES) + 1)),
        Binding("right,l,tab", "turn(1)", "Next page", show=False),
        Binding("left,h,shift+tab", "turn(-1)", "Previous page", show=False),
        Binding("J,right_square_bracket", "attempt(1)", "Next attempt", show=False),
        Binding("K,left_square_bracket", "attempt(-1)", "Previous attempt", show=False),
    ]

    def __init__(self, node_id: int, attempts: Sequence[Evidence], prices: PriceList | None = None) -> None:
        super().__init__()
        self._node_id = node_id
        self._attempts = attempts
        self._prices = prices
        self._at = len(attempts) - 1
        self._page = SentPage.SUMMARY
        self._box = Vertical(id="sent")
        self._tabs = Static(tabs(self._page), id="sent-tabs", markup=False)
        self._text = LineView(id="sent-text")

    def compose(self) -> ComposeResult:
        """Tabs over a page."""
        with self._box:
            yield self._tabs
            yield self._text

    def on_mount(self) -> None:
        """Read at once."""
        self._text.focus()
        self._text.show(Content.styled("The request is being laid out …", MUTED))
        self.call_after_refresh(self._show)

    def action_page(self, number: int) -> None:
        """Show the page with this number."""
        self._page = _PAGES[number - 1]
        self._show()

    def action_turn(self, by: int) -> None:
        """Show the next page, or the one before; after the last comes the first."""
        self._page = _PAGES[(_PAGES.index(self._page) + by) % len(_PAGES)]
        self._show()

    def action_attempt(self, by: int) -> None:
        """Show the next attempt, or the one before."""
        self._at = max(0, min(self._at + by, len(self._attempts) - 1))
        self._show()

    def _show(self) -> None:
        evidence, several = self._attempts[self._at], len(self._attempts) > 1
        attempt = f" · attempt {self._at + 1} of {len(self._attempts)}" if several else ""
        self._box.border_title = Content(f"What was sent for node {self._node_id}{attempt}")
        self._box.border_subtitle = Content(f"1 to 4 pages{' · [ ] attempts' if several else ''} · Esc closes")
        self._tabs.update(tabs(self._page))
        self._text.show(sent_pages(evidence, self._prices)[self._page])
