"""What the calls of models took and about what they cost: the open conversation, today, 7 and 30 days."""

from datetime import date, tzinfo
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.display import display_safe
from tui.price_reader import KnownPrices
from tui.tones import MUTED, WARNING
from tui.usage_page import Measure, page, tabs
from tui.usage_report import Calls, Period, make_report

_TALL: Final = 30
_BESIDE_SCROLLBAR: Final = 2
_PLOT_LINES: Final = (5, 8)
"""Lines of the plot on a low and on a tall screen."""


class UsageScreen(ModalScreen[None]):
    """Shows one period at a time; Esc or `q` close it."""

    DEFAULT_CSS = """
    UsageScreen {
        align: center middle;
        background: $background 70%;
        #usage {
            width: 94%;
            max-width: 130;
            height: 92%;
            padding: 1 2 0 2;
            background: $surface;
            border: round $border;
            border-title-color: $text-primary;
            border-subtitle-color: $text-muted;
        }
        #usage-tabs { height: 2; }
        #usage-page { height: 1fr; background: $surface; scrollbar-size-vertical: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,U", "dismiss", "Close", show=False),
        *(Binding(str(number), f"period({number})", "Period", show=False) for number in range(1, len(Period) + 1)),
        Binding("right,l,tab", "turn(1)", "Next period", show=False),
        Binding("left,h,shift+tab", "turn(-1)", "Previous period", show=False),
        Binding("m", "measure", "Tokens or money", show=False),
        Binding("j", "scroll(1)", "Down", show=False),
        Binding("k", "scroll(-1)", "Up", show=False),
    ]

    def __init__(
        self, calls: Calls, prices: KnownPrices, today: date, zone: tzinfo | None, *, has_conversation: bool
    ) -> None:
        super().__init__()
        self._calls = calls
        self._prices = prices
        self._today = today
        self._zone = zone
        self._periods = tuple(Period) if has_conversation else tuple(Period)[1:]
        self._period = Period.CONVERSATION if has_conversation else Period.WEEK
        self._measure = Measure.TOKENS
        self._tabs = Static(id="usage-tabs", markup=False)
        self._page = Static(Content.styled("The figures are being added up …", MUTED), markup=False)

    def compose(self) -> ComposeResult:
        """Tabs over a page that scrolls."""
        with Vertical(id="usage") as box:
            box.border_title = Content("Usage")
            box.border_subtitle = Content(f"1 to {len(self._periods)} periods · m tokens or money · Esc closes")
            yield self._tabs
            with VerticalScroll(id="usage-page"):
                yield self._page

    def on_mount(self) -> None:
        """Scroll by keyboard at once."""
        self.query_one("#usage-page").focus()

    def on_resize(self, event: events.Resize) -> None:
        """Lay out anew."""
        del event
        self.call_after_refresh(self._show)

    def action_period(self, number: int) -> None:
        """Show the period with this number."""
        if number <= len(self._periods):
            self._period = self._periods[number - 1]
            self._show()

    def action_turn(self, by: int) -> None:
        """Show the next period, or the one before; after the last comes the first."""
        self._period = self._periods[(self._periods.index(self._period) + by) % len(self._periods)]
        self._show()

    def action_measure(self) -> None:
        """Let the plots show money instead of tokens, or tokens again."""
        self._measure = Measure.TOKENS if self._measure is Measure.MONEY else Measure.MONEY
        self._show()

    def action_scroll(self, rows: int) -> None:
        """Scroll by rows."""
        self.query_one("#usage-page").scroll_relative(y=rows, animate=False)

    def _show(self) -> None:
        report = make_report(self._calls, self._period, self._prices.list, self._today, self._zone)
        problem = display_safe(self._prices.problem)
        lines = _PLOT_LINES[self.size.height >= _TALL]
        width = self.query_one("#usage-page").size.width - _BESIDE_SCROLLBAR
        self._tabs.update(tabs(self._period, self._periods))
        figures = page(report, self._measure, max(40, width), plot_lines=lines, today=self._today)
        self._page.update(Content.assemble((f"⚠ {problem}\n\n" if problem else "", WARNING), figures))
        self.query_one("#usage-page").scroll_home(animate=False)
