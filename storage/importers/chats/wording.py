"""What stands in a shown text for what no text can show."""

from typing import Final

from storage.importers.chats.fields import items_of, name_of, plain_text
from storage.values import Json

IMAGE: Final = "image"
FILE: Final = "file"
AUDIO: Final = "sound"


def placeholder(what: str, name: str = "") -> str:
    """Return what stands for a picture, file or sound: "[file: invoice.pdf]"."""
    shown = name_of(name)
    return f"[{what}: {shown}]" if shown else f"[{what}]"


def unknown(kind: str) -> str:
    """Return what stands for content of a kind that is not known."""
    return f"[content of the kind {name_of(kind) or 'without a name'!r} cannot be shown; it is kept]"


def shown_text(value: Json) -> str:
    """Return the text of a field that should hold one; something else in its place is told."""
    shown = [
        plain_text(each) or (unknown("") if each and not isinstance(each, str) else "") for each in items_of(value)
    ]
    return "\n".join(filter(None, shown))


def fenced(code: str, language: str = "") -> str:
    """Return code as a block of Markdown, whatever backticks it holds."""
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}{name_of(language)}\n{code}\n{fence}"
