"""A file of the handbook in passages: what stands below one heading, in stretches that a model can be given."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 1_500
"""Characters of a passage; a longer section is divided between paragraphs, else between lines or words."""

BETWEEN_HEADINGS: Final = " › "

_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#*)?[ \t]*")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_CODE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_MARKUP: Final = re.compile(r"[*_`]+(?=\S)|(?<=\S)[*_`]+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a file.

    Attributes:
        file: name below the handbook's folder.
        heading: those above it, outermost first, joined by `BETWEEN_HEADINGS`; "" where there is none.
        line: where its text begins, from 1.
    """

    file: str
    heading: str
    line: int
    text: str

    @property
    def source(self) -> str:
        """How it is cited: "returns.md › Refunds"."""
        return BETWEEN_HEADINGS.join(filter(None, (self.file, self.heading)))


def passages(file: str, text: str) -> Iterator[Passage]:
    """Divide a file; where it is no Markdown by its name it has no headings."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    has_headings = not file.lower().endswith(".txt")
    for heading, first, last in _sections(lines) if has_headings else [("", 0, len(lines))]:
        for start, stretch in _stretches(lines, first, last):
            yield Passage(file, heading, start + 1, stretch)


def _sections(lines: list[str]) -> Iterator[tuple[str, int, int]]:
    """The sections as (headings above, first line, line after the last); front matter is in none."""
    above: list[tuple[int, str]] = []
    start = at = _after_front_matter(lines)
    fence = ""
    while at < len(lines):
        if fence or (opened := _CODE.match(lines[at])):
            if not fence and opened:
                fence = opened[1]
            elif lines[at].strip() and not lines[at].strip().strip(fence[0]) and len(lines[at].strip()) >= len(fence):
                fence = ""
        elif found := _heading_at(lines, at, start):
            level, title, begins, ends = found
            yield _joined(above), start, begins
            above = [*(each for each in above if each[0] < level), (level, title)]
            start = at = ends
            continue
        at += 1
    yield _joined(above), start, len(lines)


def _heading_at(lines: list[str], at: int, start: int) -> tuple[int, str, int, int] | None:
    """The heading that ends in this line: its level, its words, its first line and the line after it."""
    if found := _HEADING.fullmatch(lines[at]):
        return len(found[1]), _plain(found[2] or ""), at, at + 1
    under = _UNDERLINE.fullmatch(lines[at])
    above = lines[at - 1].strip() if under and at > start else ""
    if under and above and above[0] not in "#>-*+|`~" and not (at - 1 > start and lines[at - 2].strip()):
        return (1 if under[1][0] == "=" else 2), _plain(above), at - 1, at + 1
    return None


def _joined(above: list[tuple[int, str]]) -> str:
    return BETWEEN_HEADINGS.join(title for _, title in above if title)


def _plain(title: str) -> str:
    return _MARKUP.sub("", title).strip()


def _after_front_matter(lines: list[str]) -> int:
    if lines[0].rstrip() != "---":
        return 0
    return next((at + 1 for at, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), 0)


def _stretches(lines: list[str], first: int, last: int) -> Iterator[tuple[int, str]]:
    """Divide a section into stretches of at most `LONGEST` characters, each with the place of its first line."""
    kept: list[str] = []
    begins = first
    for start, paragraph in _paragraphs(lines, first, last):
        if kept and sum(map(len, kept)) + 2 * len(kept) + len(paragraph) > LONGEST:
            yield begins, "\n\n".join(kept)
            kept = []
        if not kept:
            begins = start
        while len(paragraph) > LONGEST:
            cut = max(paragraph.rfind("\n", 0, LONGEST), paragraph.rfind(" ", LONGEST // 2, LONGEST))
            cut = cut if cut > 0 else LONGEST
            yield begins, paragraph[:cut].strip()
            begins += paragraph[:cut].count("\n") + (paragraph[cut] == "\n")
            paragraph = paragraph[cut:].strip()
        if paragraph:
            kept.append(paragraph)
    if kept:
        yield begins, "\n\n".join(kept)


def _paragraphs(lines: list[str], first: int, last: int) -> Iterator[tuple[int, str]]:
    start: int | None = None
    for at in range(first, last + 1):
        blank = at == last or not lines[at].strip()
        if blank and start is not None:
            yield start, "\n".join(lines[start:at]).strip()
            start = None
        elif not blank and start is None:
            start = at
