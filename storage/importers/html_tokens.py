"""HTML as a flat stream of tokens, in linear time whatever the input.

The standard library's parser takes a minute for 120 kB of unfinished tags (`<a x='` again and again), and anyone may
send a mail.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Start:
    """A start tag; names in lower case, the first of two equal attributes counts."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    closed: bool = False


@dataclass(frozen=True, slots=True)
class End:
    """An end tag."""

    tag: str


@dataclass(frozen=True, slots=True)
class Text:
    """Text with its character references resolved; `raw` is that of a script or a style sheet."""

    data: str
    raw: bool = False


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, a declaration or a processing instruction."""

    data: str


Token: TypeAlias = Start | End | Text | Comment

_TAG_NAME: Final = re.compile(r"[A-Za-z][^\s/>]*")
_BETWEEN: Final = re.compile(r"[\s/]*")
_ATTRIBUTE_NAME: Final = re.compile(r"=?[^\s/>=]*")
_EQUALS: Final = re.compile(r"\s*=\s*")
_UNQUOTED: Final = re.compile(r"[^\s>]*")
_MAX_ATTRIBUTES: Final = 200
_RAW: Final = {
    tag: re.compile(rf"</{tag}(?=[\s/>])", re.IGNORECASE)
    for tag in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
}
_RESOLVED: Final = ("textarea", "title")


def tokens(html: str) -> Iterator[Token]:
    """Split HTML into tokens; what is left of an unfinished tag at the end is dropped, as browsers do."""
    position = 0
    while position < len(html):
        opening = html.find("<", position)
        if opening != position:
            yield Text(unescape(html[position : opening if opening >= 0 else None]))
            if opening < 0:
                return
            position = opening
        following = html[position + 1 : position + 2]
        if following in ("!", "?"):
            token, position = _comment(html, position)
            yield token
        elif following == "/":
            position, end = _end(html, position)
            if end:
                yield end
        elif name := _TAG_NAME.match(html, position + 1):
            start, position = _start(html, name[0].lower(), name.end())
            if start is None:
                return
            yield start
            if start.tag in _RAW and not start.closed:
                end_tag = _RAW[start.tag].search(html, position)
                content = html[position : end_tag.start() if end_tag else None]
                position = end_tag.start() if end_tag else len(html)
                resolved = start.tag in _RESOLVED
                yield Text(unescape(content) if resolved else content, raw=not resolved)
        else:
            yield Text("<")
            position += 1


def _comment(html: str, position: int) -> tuple[Comment, int]:
    if html.startswith("<!--", position):
        if html.startswith(("<!-->", "<!--->"), position):
            return Comment(""), html.index(">", position) + 1
        close, width = html.find("-->", position + 4), 3
        content = position + 4
    else:
        close, width, content = html.find(">", position), 1, position + 2
    if close < 0:
        return Comment(html[content:]), len(html)
    return Comment(html[content:close]), close + width


def _end(html: str, position: int) -> tuple[int, End | None]:
    name = _TAG_NAME.match(html, position + 2)
    close = html.find(">", position + 2)
    return (close + 1 if close >= 0 else len(html)), End(name[0].lower()) if name else None


def _start(html: str, tag: str, position: int) -> tuple[Start | None, int]:
    """Read the attributes; None where the tag never ends."""
    attributes: dict[str, str] = {}
    while True:
        between = _BETWEEN.match(html, position)
        gap = between[0] if between else ""
        position += len(gap)
        if position >= len(html):
            return None, position
        if html[position] == ">":
            return Start(tag, attributes, gap.endswith("/")), position + 1
        found = _ATTRIBUTE_NAME.match(html, position)
        name = found[0] if found else ""
        position += len(name)
        value = ""
        if equals := _EQUALS.match(html, position):
            position = equals.end()
            quote = html[position : position + 1]
            if quote in ('"', "'") and quote:
                close = html.find(quote, position + 1)
                if close < 0:
                    return None, len(html)
                value, position = html[position + 1 : close], close + 1
            elif unquoted := _UNQUOTED.match(html, position):
                value, position = unquoted[0], unquoted.end()
        if len(attributes) < _MAX_ATTRIBUTES:
            attributes.setdefault(name.lower(), unescape(value))
