"""The budget meter: which part of the budget the next request takes, what is cut, and what stands in the way."""

from collections.abc import Mapping

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from assistant.plan.plan import Plan
from tui.meter_text import DEFAULT_KEYS, REMEDY_META, Remedy, meter_lines, nothing_more


class Meter(Widget):
    """Shows one plan, or that there can be none; a click on a remedy posts `Meter.Picked`."""

    DEFAULT_CSS = """
    Meter {
        height: auto;
        max-height: 3;
        padding: 0 1;
        text-wrap: nowrap;
        &.-stopped { background: $warning-muted; }
    }
    """
    ALLOW_SELECT = False

    class Picked(Message):
        """The agent clicked one of the remedies."""

        def __init__(self, remedy: Remedy) -> None:
            super().__init__()
            self.remedy = remedy

    def __init__(
        self,
        *,
        keys: Mapping[Remedy, str] = DEFAULT_KEYS,
        id: str | None = None,  # noqa: A002 - Textual's name
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._keys = keys
        self._plan: Plan | None = None
        self._cached: float | None = None
        self._is_once = False
        self._refusal = ""
        self._is_erased = False

    @property
    def plan(self) -> Plan | None:
        """The plan that is shown."""
        return self._plan

    def show(
        self,
        plan: Plan | None,
        cached: float | None = None,
        *,
        is_once: bool = False,
        refusal: str = "",
        is_erased: bool = False,
    ) -> None:
        """Show this plan, and the share of the last request that the provider had cached; None while there is none.

        `is_once` says that the strategy was chosen for this request only, `refusal` why the summary that the plan needs
        would not be used, `is_erased` that there is no plan because the words of the ticket were erased.
        """
        lines_before = len(self._lines(self.content_size.width))
        self._plan, self._cached, self._is_once = plan, cached, is_once
        self._refusal, self._is_erased = refusal, is_erased
        self.set_class(plan is not None and not plan.may_send, "-stopped")
        self.refresh(layout=len(self._lines(self.content_size.width)) != lines_before)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the words need at this width."""
        return len(self._lines(width))

    def render(self) -> Content:
        """Bar, figures and legend, or the warning in their place."""
        return Content("\n").join(self._lines(self.content_size.width))

    def on_click(self, event: events.Click) -> None:
        """Post the remedy under the pointer, if there is one."""
        remedy = event.style.meta.get(REMEDY_META)
        if isinstance(remedy, str):
            event.stop()
            self.post_message(self.Picked(Remedy(remedy)))

    def _lines(self, width: int) -> list[Content]:
        if self._plan is None:
            return [nothing_more(width)] if self._is_erased else []
        return meter_lines(
            self._plan, width, self._keys, cached=self._cached, is_once=self._is_once, refusal=self._refusal
        )
