"""Labels of a Mermaid diagram: any text as a string that every Mermaid 11 takes for these words and nothing else.

What Mermaid or the Markdown in its labels could act on goes in as a numeric entity, `#35;` for "#". Besides the signs
of its grammar these are ":" (a line that holds "style…:" loses its last ";"; "fa:fa-user" becomes an icon), the signs
that it uses inside to carry entities, and what begins a list or a web address.
"""

import re
from typing import Final

from storage.exporters.printable import printable
from storage.exporters.words import EMPTY

LONGEST: Final = 100
MOST_LINES: Final = 6
LINE_BREAK: Final = "<br/>"

_SIGNS: Final = re.compile('["#$%&*:;<>@\\[\\\\\\]^_`{|}~\ufb02\xb6]|(?<=www)\\.|^[-+=]', re.IGNORECASE | re.MULTILINE)
_LIST_NUMBER: Final = re.compile(r"^(\d+)([.)])", re.MULTILINE)


def label(text: str) -> str:
    """Return the beginning of a text as a label without its quotation marks; "(empty)" where there are no words."""
    lines = [" ".join(line.split()) for line in printable(text).split("\n")]
    kept = [line for line in lines if line]
    shown = "\n".join(kept[:MOST_LINES])
    if len(shown) > LONGEST or len(kept) > MOST_LINES:
        shown = shown[: LONGEST - 1].rstrip() + "…"
    return encoded(shown).replace("\n", LINE_BREAK) if shown else EMPTY


def encoded(text: str) -> str:
    """Return the text with every sign that could be acted on as an entity; line breaks stay."""
    text = _SIGNS.sub(lambda sign: _entity(sign[0]), text)
    return _LIST_NUMBER.sub(lambda number: number[1] + _entity(number[2]), text)


def _entity(sign: str) -> str:
    return f"#{ord(sign)};"
