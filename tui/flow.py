"""Text in blocks with hanging indents, laid out for a width."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from textual.content import Content

from tui.tones import MUTED


class Body(Protocol):
    """What can be laid out for a width: a text, or a table."""

    def wrap(self, width: int, /) -> list[Content]:
        """Return the lines, each at most `width` cells."""
        ...


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, list item, code block or other piece that is wrapped by itself.

    Attributes:
        body: its text, whose line breaks stay, or a table.
        first, rest: what stands before its first line and before the others ("• " and "  ").
        gap: what stands on the blank line before it; None for no blank line.
    """

    body: Body
    first: str = ""
    rest: str = ""
    gap: str | None = None


def flow(blocks: Iterable[Block], width: int) -> list[Content]:
    """Return the lines, each at most `width` cells; prefixes take no more than half of it."""
    lines: list[Content] = []
    for block in blocks:
        if block.gap is not None and lines:
            lines.append(_prefix(block.gap, width))
        first, rest = _prefix(block.first, width), _prefix(block.rest, width)
        for line in block.body.wrap(max(1, width - max(first.cell_length, rest.cell_length))):
            lines.append(Content.assemble(first, line) if first else line)
            first = rest
    return lines


def _prefix(text: str, width: int) -> Content:
    return Content.styled(text[-(width // 2) :] if width > 1 else "", MUTED)
