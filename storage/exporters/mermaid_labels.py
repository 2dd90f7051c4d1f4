r"""Labels of a Mermaid diagram: any text as a string that every Mermaid 11 takes for these words and nothing else.

What could be acted on goes in as a numeric entity, `#35;` for "#": the signs of Mermaid's grammar and of the Markdown
in its labels, and

* ":", because Mermaid drops the last ";" of a line that holds "style", a colon and an entity;
* what begins a list, a web address or a rule at the start of a line;
* the space of "direction LR", which Mermaid takes for a statement wherever it stands.

Some pairs are looked for after entities have become signs again: those that stand for entities inside Mermaid, "\n",
"$$" and names of icons ("fa:fa-user"). A word joiner, which shows nothing, keeps them apart.
"""

import re
from typing import Final

from storage.exporters.printable import printable
from storage.exporters.words import EMPTY

LONGEST: Final = 100
MOST_LINES: Final = 6
LINE_BREAK: Final = "<br/>"
WORD_JOINER: Final = "\u2060"

_REPLACED_LATE: Final = re.compile(r"\ufb02(?=\xb0)|\xb6(?=\xdf)|\\(?=n)|\$(?=\$)|fa[bklrs]?:(?=fa-)")
_SIGNS: Final = re.compile(
    r"""["#$%&*:;<>@\[\\\]^_`{|}~]"""
    r"|(?<=www)\."
    r"|^[-+=]"
    r"|(?<=direction)[ ](?=TB|BT|RL|LR|TD)",
    re.IGNORECASE | re.MULTILINE,
)
_LIST_NUMBER: Final = re.compile(r"^(\d+)([.)])", re.MULTILINE)


def label(text: str) -> str:
    """Return the beginning of a text as a label without its quotation marks; "(empty)" where there are no words."""
    lines = [" ".join(line.split()) for line in printable(text).split("\n")]
    kept = [line for line in lines if line]
    shown = "\n".join(kept[:MOST_LINES])
    if len(shown) > LONGEST or len(kept) > MOST_LINES:
        shown = shown[: LONGEST - 1].rstrip() + "…"
    return _encoded(shown).replace("\n", LINE_BREAK) if shown else EMPTY


def _encoded(text: str) -> str:
    text = _REPLACED_LATE.sub(rf"\g<0>{WORD_JOINER}", text)
    text = _SIGNS.sub(lambda sign: _entity(sign[0]), text)
    return _LIST_NUMBER.sub(lambda number: number[1] + _entity(number[2]), text)


def _entity(sign: str) -> str:
    return f"#{ord(sign)};"
