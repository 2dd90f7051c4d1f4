"""The ways of keeping history side by side for what would be asked now; one is taken for good or for one request."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from assistant.plan.plan import StrategyName
from tui.comparison import Comparison, Row
from tui.comparison_text import basis, keeps, obstacle
from tui.tones import MUTED, WARNING
from tui.widgets.strategy_list import DIGITS, StrategyList


@dataclass(frozen=True, slots=True)
class Taken:
    """What an agent took.

    Attributes:
        once: for the next request only, not for the conversation.
    """

    strategy: StrategyName
    once: bool


class StrategiesScreen(ModalScreen[Taken | None]):
    """Stands at the bottom, so that the chat above shows the marks of the strategy under the cursor; None after Esc.

    Args:
        comparison: what to show.
        look_at: lets the desk paint the marks of a strategy; those of the one that is on are painted already.
        scroll: scrolls the chat by pages.
    """

    DEFAULT_CSS = """
    StrategiesScreen {
        align: center bottom;
        background: transparent;
        #strategies {
            width: 100%;
            height: auto;
            padding: 0 1;
            background: $surface;
            border: round $border;
            border-title-color: $text-primary;
            border-subtitle-color: $text-muted;
        }
        #strategies-head { height: 1; color: $text-muted; }
        #strategies-listed { height: 4; background: $surface; }
        #strategies-about { height: auto; min-height: 4; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,S,ctrl+s", "dismiss(None)", "Leave it", show=False),
        Binding("o", "take_once", "For this request only", show=False),
        Binding("j", "move(1)", "Down", show=False),
        Binding("k", "move(-1)", "Up", show=False),
        Binding("pageup", "scroll_chat(-1)", "Chat up", show=False),
        Binding("pagedown", "scroll_chat(1)", "Chat down", show=False),
    ]

    def __init__(
        self, comparison: Comparison, look_at: Callable[[StrategyName], None], scroll: Callable[[int], None]
    ) -> None:
        super().__init__()
        self._comparison = comparison
        self._look_at = look_at
        self._scroll = scroll
        self.head = Static(id="strategies-head", markup=False)
        self.list = StrategyList(comparison, id="strategies-listed")
        self.about = Static(id="strategies-about", markup=False)

    def compose(self) -> ComposeResult:
        """A table, and more of the strategy under the cursor."""
        budget = self._comparison.rows[0].plan.budget
        with Vertical(id="strategies") as box:
            box.border_title = Content(f"Ways of keeping history · budget {budget:,} tokens")
            box.border_subtitle = Content("Enter takes it · o for this request only · PgUp PgDn chat · Esc leaves it")
            yield self.head
            yield self.list
            yield self.about

    def on_mount(self) -> None:
        """Put the cursor on the strategy that is on."""
        self.list.focus()
        self._tell(self.list.row)

    def on_resize(self, event: events.Resize) -> None:
        """Lay the head out as the rows are."""
        del event
        self.call_after_refresh(lambda: self.head.update(self.list.head(self.list.size.width)))

    def on_key(self, event: events.Key) -> None:
        """Go to a strategy by its digit."""
        row = DIGITS.find(event.key) if len(event.key) == 1 else -1
        if row >= 0:
            event.stop()
            self.list.put_cursor(row)

    def action_move(self, rows: int) -> None:
        """Move the cursor."""
        self.list.move(rows)

    def action_scroll_chat(self, pages: int) -> None:
        """Scroll the chat above."""
        self._scroll(pages)

    def action_take_once(self) -> None:
        """Take the strategy under the cursor for the next request only."""
        self.dismiss(Taken(self.list.row.strategy, once=True))

    def on_strategy_list_highlighted(self, message: StrategyList.Highlighted) -> None:
        """Show its marks, and more of it."""
        self._look_at(message.row.strategy)
        self._tell(message.row)

    def on_strategy_list_chosen(self, message: StrategyList.Chosen) -> None:
        """Take it for the conversation."""
        self.dismiss(Taken(message.row.strategy, once=False))

    def _tell(self, row: Row) -> None:
        comparison = self._comparison
        stands_in_the_way = obstacle(comparison, row)
        lines = [
            Content(keeps(row.strategy, comparison.window_turns)),
            *([Content.styled(stands_in_the_way, f"bold {WARNING}")] if stands_in_the_way else []),
            Content.styled(basis(comparison, row), MUTED),
        ]
        self.about.update(Content("\n").join(lines))
