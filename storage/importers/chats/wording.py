"""What stands in a shown text for what no text can show."""

from typing import Final

from storage.importers.chats.fields import name_of

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


def fenced(code: str, language: str = "") -> str:
    """Return code as a block of Markdown, whatever backticks it holds."""
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}{name_of(language)}\n{code}\n{fence}"
