"""An HTML mail as plain text: what its reader sees, in the same order."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from storage.importers.html_elements import BLOCKS, CLOSES, PARAGRAPHS, STOPS, VOID
from storage.importers.html_hidden import (
    NEVER_SHOWN,
    Look,
    blends_in,
    class_rules,
    hides,
    look_of,
    style_of,
)
from storage.importers.html_page import Page
from storage.importers.html_tokens import Comment, End, Start, Text, tokens
from storage.importers.limits import MAX_HTML_CHARS, MAX_HTML_TAGS

_LINK_SCHEMES: Final = ("http://", "https://", "mailto:", "tel:")
_DEEPEST_LIST: Final = 10


@dataclass(frozen=True, slots=True)
class HtmlText:
    """The text, how many elements and comments its reader does not see, and whether the end was left out."""

    text: str
    hidden_count: int
    is_cut: bool = False


@dataclass(slots=True)
class _Element:
    tag: str
    hidden: bool
    look: Look
    link: str = ""
    link_from: int = 0


class _Reader:
    """Walks the tokens with the stack of open elements."""

    def __init__(self) -> None:
        self.page = Page()
        self.hidden_count = 0
        self._open: list[_Element] = []
        self._count: Counter[str] = Counter()
        self._lists: list[int | None] = []
        self._rules: dict[str, dict[str, str]] = {}
        self._hidden_depth = 0
        self._hidden_holds_text = False

    def comment(self, data: str) -> None:
        if data.strip() and not self._hidden_depth and not data[:7].lower().startswith("doctype"):
            self.hidden_count += 1

    def text(self, data: str) -> None:
        if self._count["style"] and self._open[-1].tag == "style":
            for selector, style in class_rules(data).items():
                self._rules.setdefault(selector, {}).update(style)
        if self._hidden_depth:
            self._hidden_holds_text = self._hidden_holds_text or bool(data.strip())
        elif data.strip() and blends_in(self._look):
            self.hidden_count += 1
        else:
            exactly = self._count["pre"] or self._count["textarea"]
            (self.page.write_exactly if exactly else self.page.write)(data)

    @property
    def _look(self) -> Look:
        return self._open[-1].look if self._open else Look()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._close_before(tag)
        style = style_of(attributes, self._rules)
        hidden = tag in NEVER_SHOWN or hides(attributes, style)
        if tag in VOID:
            if not hidden and not self._hidden_depth:
                self._void(tag, attributes)
            return
        element = _Element(tag, hidden, look_of(style, self._look))
        self._open.append(element)
        self._count[tag] += 1
        if hidden:
            self._hidden_depth += 1
            self._hidden_holds_text = self._hidden_holds_text and self._hidden_depth > 1
        elif not self._hidden_depth:
            self._enter(element, attributes)

    def _enter(self, element: _Element, attributes: dict[str, str]) -> None:
        page = self.page
        match element.tag:
            case "a":
                element.link, element.link_from = attributes.get("href", "").strip(), page.written
            case "blockquote":
                page.end_paragraph()
                page.quotes = min(page.quotes + 1, _DEEPEST_LIST)
            case "ul" | "ol":
                page.end_line()
                self._lists.append(1 if element.tag == "ol" else None)
            case "li":
                page.end_line()
                page.write_exactly(self._bullet())
                page.space_wanted = True
            case "td" | "th":
                if page.mid_line:
                    page.write(" | ")
            case tag if tag in PARAGRAPHS:
                page.end_paragraph()
            case tag if tag in BLOCKS:
                page.end_line()

    def _bullet(self) -> str:
        indent = "  " * min(len(self._lists) - 1, _DEEPEST_LIST)
        number = self._lists[-1] if self._lists else None
        if number is None:
            return indent + "-"
        self._lists[-1] = number + 1
        return f"{indent}{number}."

    def _void(self, tag: str, attributes: dict[str, str]) -> None:
        match tag:
            case "br":
                self.page.end_line(always=True)
            case "hr":
                self.page.end_line()
                self.page.write_exactly("---")
                self.page.end_line()
            case "img" if attributes.get("alt", "").strip():
                self.page.write(f"[{attributes['alt'].strip()}]")
            case "input" if attributes.get("value", "").strip():
                self.page.write(attributes["value"])

    def end(self, tag: str) -> None:
        if tag == "br":
            self.page.end_line(always=True)
        elif self._count[tag]:
            while self._pop() != tag:
                pass

    def _close_before(self, tag: str) -> None:
        """Close what a new element ends without an end tag: a paragraph, a list item, a cell."""
        if (tag in BLOCKS or tag in PARAGRAPHS) and self._open and self._open[-1].tag == "p":
            self._pop()
        closes = CLOSES.get(tag, ())
        if not any(self._count[name] for name in closes):
            return
        for position in range(len(self._open) - 1, max(len(self._open) - 50, -1), -1):
            name = self._open[position].tag
            if name in closes:
                del_from = position
                while len(self._open) > del_from:
                    self._pop()
            elif name in STOPS:
                return

    def _pop(self) -> str:
        element = self._open.pop()
        self._count[element.tag] -= 1
        if element.hidden:
            self._hidden_depth -= 1
            if not self._hidden_depth and self._hidden_holds_text:
                self.hidden_count += 1
                self._hidden_holds_text = False
        elif not self._hidden_depth:
            self._leave(element)
        return element.tag

    def _leave(self, element: _Element) -> None:
        page = self.page
        match element.tag:
            case "a":
                self._write_link(element)
            case "blockquote":
                page.end_paragraph()
                page.quotes = max(page.quotes - 1, 0)
            case "ul" | "ol":
                page.end_line()
                del self._lists[-1:]
            case tag if tag in PARAGRAPHS:
                page.end_paragraph()
            case tag if tag in BLOCKS:
                page.end_line()

    def _write_link(self, element: _Element) -> None:
        url = element.link
        if not url.lower().startswith(_LINK_SCHEMES):
            return
        bare = re.sub(r"^(mailto:|tel:|https?://)", "", url, flags=re.IGNORECASE).rstrip("/")
        shown = self.page.last_words().strip()
        if self.page.written == element.link_from:
            self.page.write(url)
        elif not shown.rstrip("/").lower().endswith(bare.lower()):
            self.page.space_wanted = True
            self.page.write(f"({url})")

    def close(self) -> None:
        while self._open:
            self._pop()


def html_to_text(html: str) -> HtmlText:
    """Convert HTML to what its reader sees: blocks, lists, tables and quotes as lines, links as "text (address)".

    Scripts, style sheets, comments and whatever is hidden by a style are left out and counted. Only the first
    `MAX_HTML_CHARS` characters and `MAX_HTML_TAGS` tags are read.
    """
    reader = _Reader()
    tags = 0
    is_cut = len(html) > MAX_HTML_CHARS
    for token in tokens(html[:MAX_HTML_CHARS]):
        match token:
            case Text(data):
                reader.text(data)
            case Start() if tags >= MAX_HTML_TAGS:
                is_cut = True
                break
            case Start(tag, attributes):
                tags += 1
                reader.start(tag, attributes)
            case End(tag):
                reader.end(tag)
            case Comment(data):
                reader.comment(data)
    reader.close()
    return HtmlText(reader.page.text(), reader.hidden_count, is_cut)
