"""Markdown as text for the terminal: what an answer says, never what it could make the terminal do."""

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from textual.content import Content, Span

from tui.display import display_safe
from tui.flow import Block, Body
from tui.tables import Table
from tui.tones import ACCENT, FAINT, LEAD, MUTED

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST: Final = 60_000
"""Characters from which on a text is shown as it is: reading its Markdown would stop the screen for half a second."""

_DEEPEST: Final = 30
"""Levels of nesting that are followed; a text with more is shown as it is, so that nothing of it is lost."""

_BULLETS: Final = ("• ", "◦ ", "▪ ")
_RULE: Final = "─" * 24


def markdown_blocks(text: str) -> list[Block]:
    """Return the blocks of a Markdown text, safe to show; unfinished or broken Markdown gives readable text.

    Single line breaks stay (a draft's lines are meant), HTML is text, and a link shows where it leads.
    """
    text = display_safe(text)
    tokens = _parser().parse(text) if len(text) <= LONGEST else []
    if not tokens or any(token.level >= _DEEPEST - 1 for token in tokens):
        return [Block(Content(text.strip("\n")))] if text.strip() else []
    return _Walk().blocks(tokens)


def finished_length(text: str) -> int:
    """How much of a text that still grows will not change its look: the start of its last top-level block."""
    tokens = _parser().parse(text) if len(text) <= LONGEST else []
    starts = [token.map[0] for token in tokens if token.level == 0 and token.map and token.nesting >= 0]
    if len(starts) < 2:
        return 0
    ends = [match.end() for match in re.finditer("\r\n|\r|\n", text)]
    return ends[starts[-1] - 1] if 0 < starts[-1] <= len(ends) else 0


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST})
    # A line of dashes below a paragraph is how mails set off a signature, not a heading.
    return parser.enable(["table", "strikethrough"]).disable("lheading")


class _Level:
    """A list item or quote that is open: what stands before its first line, and before every other."""

    def __init__(self, first: str, rest: str) -> None:
        self.first = first
        self.rest = rest
        self.started = False

    def take(self) -> str:
        prefix = self.rest if self.started else self.first
        self.started = True
        return prefix


class _Walk:
    """One pass over the tokens; the open levels are a list, so depth costs no recursion."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._levels: list[_Level] = []
        self._lists: list[int | None] = []
        self._gap = True
        self._style = ""
        self._rows: list[list[Content]] = []

    def blocks(self, tokens: "list[Token]") -> list[Block]:
        for token in tokens:
            self._step(token)
        return self._blocks

    def _step(self, token: "Token") -> None:
        match token.type:
            case "inline" if self._rows:
                self._rows[-1].append(_inline(token).stylize_before(self._style))
            case "inline":
                self._emit(_inline(token).stylize_before(self._style))
            case "heading_open":
                self._style, self._gap = f"bold {LEAD}", True
            case "heading_close":
                self._style, self._gap = "", True
            case "paragraph_open" if not token.hidden:
                self._gap = self._gap or not self._levels or self._levels[-1].started
            case "paragraph_close":
                self._gap = not token.hidden
            case "fence" | "code_block":
                self._code(token)
            case "hr":
                self._gap = True
                self._emit(Content.styled(_RULE, FAINT))
                self._gap = True
            case "blockquote_open":
                self._gap = self._gap or not self._levels
                self._levels.append(_Level("▎ ", "▎ "))
            case "list_item_open":
                self._levels.append(self._item())
            case "blockquote_close" | "list_item_close":
                self._close_level()
            case "bullet_list_open" | "ordered_list_open":
                start = token.attrGet("start")
                self._lists.append(None if token.type == "bullet_list_open" else int(start if start is not None else 1))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
                self._gap = self._gap or not self._levels
            case "tr_open":
                self._rows.append([])
            case "thead_open":
                self._style = "bold"
            case "thead_close":
                self._style = ""
            case "table_close":
                self._table()
            case _:
                pass

    def _emit(self, body: Body) -> None:
        gap = "".join(level.rest for level in self._levels if level.started).rstrip() if self._gap else None
        first = "".join(level.take() for level in self._levels)
        rest = "".join(level.rest for level in self._levels)
        self._blocks.append(Block(body, first, rest, gap))
        self._gap = False

    def _item(self) -> _Level:
        number = self._lists[-1]
        if number is None:
            bullet = _BULLETS[min(len(self._lists), len(_BULLETS)) - 1]
        else:
            bullet = f"{number}. "
            self._lists[-1] = number + 1
        return _Level(bullet, " " * len(bullet))

    def _close_level(self) -> None:
        if not self._levels[-1].started:
            self._emit(Content())
        self._levels.pop()

    def _code(self, token: "Token") -> None:
        self._gap = True
        self._levels.append(_Level("▏ ", "▏ "))
        self._emit(Content.styled(display_safe(token.content).rstrip("\n"), ACCENT))
        self._levels.pop()
        self._gap = True

    def _table(self) -> None:
        columns = max(len(row) for row in self._rows)
        rows = (row + [Content()] * (columns - len(row)) for row in self._rows)
        self._gap = True
        self._emit(Table(tuple(tuple(map(_on_one_line, row)) for row in rows)))
        self._rows = []
        self._gap = True


def _on_one_line(cell: Content) -> Content:
    """A cell without the line breaks and tabs that its character references may have brought."""
    return Content(cell.plain.replace("\n", " ").replace("\t", " "), list(cell.spans))


_STYLES: Final = {"em_open": "italic", "strong_open": "bold", "s_open": "strike", "link_open": f"{LEAD} underline"}


def _inline(token: "Token") -> Content:
    """The text of a paragraph with its emphasis; `open_` holds what has begun: style, start, and a link's address."""
    parts: list[str] = []
    spans: list[Span] = []
    open_: list[tuple[str, int, str]] = []
    length = 0

    def add(text: str, style: str = "") -> None:
        nonlocal length
        text = display_safe(text)
        parts.append(text)
        if style and text:
            spans.append(Span(length, length + len(text), style))
        length += len(text)

    for child in token.children or []:
        match child.type:
            case "em_open" | "strong_open" | "s_open" | "link_open":
                open_.append((_STYLES[child.type], length, str(child.attrGet("href") or "")))
            case "em_close" | "strong_close" | "s_close" | "link_close":
                style, start, address = open_.pop()
                if length > start:
                    spans.append(Span(start, length, style))
                if address.removeprefix("mailto:") not in ("", "".join(parts)[start:].removeprefix("mailto:")):
                    add(f" ‹{address}›", MUTED)
            case "code_inline":
                add(child.content, ACCENT)
            case "softbreak" | "hardbreak":
                add("\n")
            case "image":
                add(f"[image: {child.content}]")
                add(f" ‹{child.attrGet('src') or ''}›", MUTED)
            case _:
                add(child.content)
    return Content("".join(parts), spans)
