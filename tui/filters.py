"""The last guard before the terminal: no control sequence is painted that did not come from the app itself."""

import re
from typing import Final

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_CONTROLS: Final = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class ControlFilter(LineFilter):
    """Takes controls out of painted text, so that a view that forgot `display_safe` is harmless.

    Widths stay as they were measured: controls count as no cell and are left out, a lone surrogate becomes U+FFFD.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments of a line with plain text only."""
        if not any(_CONTROLS.search(segment.text) for segment in segments if not segment.control):
            return segments
        return [
            segment if segment.control else Segment(_CONTROLS.sub(_harmless, segment.text), segment.style)
            for segment in segments
        ]


def _harmless(match: re.Match[str]) -> str:
    return "\ufffd" if "\ud800" <= match[0] <= "\udfff" else ""
