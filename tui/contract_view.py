"""An answer in fields, as the chat shows it: the reply first, as if it stood alone, then the fields beside it."""

import json
from collections.abc import Iterable, Mapping

from textual.content import Content

from assistant.tasks.contracts import arrived
from storage.values import Json
from tui.display import display_safe
from tui.flow import Block
from tui.markdown import markdown_blocks
from tui.tones import LEAD, MUTED

_NAME_CELLS = 14


def contract_blocks(text: str, reply_field: str, *, is_whole: bool) -> list[Block]:
    """Lay out an answer as far as it has come; what is no such document is shown as it came.

    Args:
        text: the answer, or its beginning.
        reply_field: the field that is the reply, "" for none.
        is_whole: it has ended, so that a document which breaks off is none.
    """
    fields = arrived(text, is_whole=is_whole)
    if not fields:
        return [Block(Content(display_safe(text)))]
    reply = fields.get(reply_field)
    blocks = markdown_blocks(reply) if isinstance(reply, str) else []
    others = [(name, value) for name, value in fields.items() if name != reply_field or not isinstance(reply, str)]
    gap: str | None = "" if blocks else None
    for name, value in others:
        blocks.extend(_field(name, value, gap))
        gap = None
    return blocks


def _field(name: str, value: Json, gap: str | None) -> Iterable[Block]:
    label = display_safe(name.replace("_", " "), newlines=False)
    body = Content.assemble((f"{label:<{_NAME_CELLS}} ", LEAD), (display_safe(_words(value)), MUTED))
    yield Block(body, "▪ ", " " * (_NAME_CELLS + 3), gap=gap)


def _words(value: Json) -> str:
    """A value in words: a list in one line, what is nested deeper as JSON."""
    match value:
        case str():
            return value or "none"
        case None | []:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list() if all(isinstance(item, str | int | float) for item in value):
            return "; ".join(str(item) for item in value)
        case Mapping() | list():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return str(value)
