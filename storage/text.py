"""Making any text storable, and cutting previews, in Python: SQL's own text functions stop at NUL."""

import re
from typing import Final

PREVIEW_LENGTH: Final = 200
LABEL_LENGTH: Final = 60

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def storable(text: str) -> str:
    """Return the text with each lone surrogate, which no encoding can hold, as U+FFFD; all else stays as it is."""
    return _SURROGATE.sub("\ufffd", text)


def preview_of(text: str) -> str:
    """Return the first characters of a content, as lists and trees show it."""
    return text[:PREVIEW_LENGTH]


def label_of(text: str) -> str:
    """Return what was typed as a label as it is kept: on one line, without blanks around it."""
    return " ".join(storable(text).split())
