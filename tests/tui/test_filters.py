import re

import pytest
from hostile import EVERY, Hostile
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from tui.filters import ControlFilter

BLACK = Color(0, 0, 0)
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def test_plain_text_is_passed_on_as_it_is() -> None:
    segments = [Segment("Größe 日本", Style(bold=True)), Segment("بی\u200cنظم")]
    assert ControlFilter().apply(segments, BLACK) is segments


@pytest.mark.parametrize("case", EVERY, ids=str)
def test_controls_are_taken_out_and_widths_stay(case: Hostile) -> None:
    before = [Segment(case.text, Style(bold=True))]
    after = ControlFilter().apply(before, BLACK)
    text = "".join(segment.text for segment in after)
    assert not CONTROLS.search(text)
    assert cell_len(text) == cell_len(case.text)
    assert after[0].style == before[0].style
