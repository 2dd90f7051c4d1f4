"""What an app has painted: the lines of its screen, as text, with borders and everything."""

import re
from typing import Any

from textual.app import App

# Controls, C1, bidi controls, zero-width characters that are not joiners, tags.
HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")


def painted(app: App[Any]) -> list[str]:
    """The screen's lines from top to bottom."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


def painted_text(app: App[Any]) -> str:
    """The same as one text."""
    return "\n".join(painted(app))


def harmful_in(app: App[Any]) -> list[str]:
    """The lines that would let something reach the terminal that is not plain text."""
    return [line for line in painted(app) if HARMFUL.search(line)]
