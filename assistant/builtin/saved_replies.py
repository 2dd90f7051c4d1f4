"""Saved replies: Markdown files that a team edits without touching code (`replies/README.md` tells how)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from assistant.builtin import reply_text
from assistant.errors import RepliesError

SHIPPED: Final = Path(__file__).parent / "replies"
"""The starter set."""

VARIANTS: Final = ("", "short", "friendly", "formal", "short friendly", "short formal")
"""The sections that a reply may have; "" is the text before the first heading, which every reply has."""

PHRASES: Final = "phrases.md"
"""The file that holds a language's greeting and closing."""

_PHRASE_SECTIONS: Final = tuple(
    f"{phrase} {tone}".strip() for phrase in ("greeting", "closing") for tone in ("", "friendly", "formal")
)
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class SavedReply:
    """What a help desk answers in one situation, in one language.

    Attributes:
        id: names the situation ("late-delivery"), the same in every language.
        keywords: words and phrases by which a ticket is recognised.
        texts: variant → text with its fields not yet filled in.
        source: the file, for messages.
    """

    id: str
    language: str
    title: str
    keywords: tuple[str, ...]
    texts: Mapping[str, str]
    source: str


@dataclass(frozen=True, slots=True)
class Replies:
    """All saved replies, and how each language greets and closes.

    Attributes:
        by_key: (id, language) → reply, in the order of language and id.
        phrases: language → "greeting", "greeting formal", … → text.
    """

    by_key: Mapping[tuple[str, str], SavedReply]
    phrases: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that have a reply."""
        return tuple(sorted({language for _, language in self.by_key}))

    def get(self, reply_id: str, language: str) -> SavedReply | None:
        """The reply of a situation in a language, None where there is none."""
        return self.by_key.get((reply_id, language))


def load_replies(own_folder: Path | None = None) -> Replies:
    """Read the starter set and, where a folder is given, one's own replies.

    One's own are added to the starter set; one with the same id and language takes the place of the shipped one, and
    so does one's own `phrases.md` of a language.

    Raises:
        RepliesError: a file cannot be used; the message names it and the line.
    """
    by_key: dict[tuple[str, str], SavedReply] = {}
    phrases: dict[str, Mapping[str, str]] = {}
    for folder in (SHIPPED, own_folder):
        if folder is not None:
            found, greeted = _read_folder(folder)
            by_key |= found
            phrases |= greeted
    for reply in by_key.values():
        if reply.language not in phrases:
            raise RepliesError(
                f"{reply.source}: the language {reply.language!r} has no greeting yet; put a {PHRASES} beside it."
            )
    return Replies({key: by_key[key] for key in sorted(by_key, key=lambda key: key[::-1])}, phrases)


def _read_folder(folder: Path) -> tuple[dict[tuple[str, str], SavedReply], dict[str, Mapping[str, str]]]:
    if not folder.is_dir():
        raise RepliesError(f"{folder} is no folder; name one that holds saved replies, or none.")
    replies: dict[tuple[str, str], SavedReply] = {}
    phrases: dict[str, Mapping[str, str]] = {}
    for path in sorted(folder.rglob("*.md")):
        if path.name == PHRASES:
            language, texts = _phrases(_File.read(path))
            phrases[language] = texts
        elif path.name != "README.md":
            reply = _reply(_File.read(path))
            key = (reply.id, reply.language)
            if key in replies:
                raise RepliesError(
                    f"{path}, line 1: {replies[key].source} has the id {reply.id!r} in {reply.language!r} already; "
                    "rename one of the two."
                )
            replies[key] = reply
    return replies, phrases


@dataclass(frozen=True, slots=True)
class _Section:
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class _File:
    """A file taken apart: its front matter (name → line and value) and its sections by heading."""

    path: Path
    front: Mapping[str, tuple[int, str]]
    sections: Mapping[str, _Section]

    @classmethod
    def read(cls, path: Path) -> "_File":
        try:
            lines = path.read_text("utf-8-sig").splitlines()
        except UnicodeDecodeError:
            raise RepliesError(f"{path} is not UTF-8 text; save it as UTF-8.") from None
        except OSError as error:
            raise RepliesError(f"{path} cannot be read: {error.strerror}.") from None
        fences = [number for number, line in enumerate(lines) if line.strip() == "---"][:2]
        if len(fences) < 2 or fences[0] != 0:
            raise RepliesError(f"{path}, line 1: begin the file with its front matter, between two lines of ---.")
        front: dict[str, tuple[int, str]] = {}
        for number, line in enumerate(lines[1 : fences[1]], start=2):
            name, colon, value = line.partition(":")
            if line.strip() and not colon:
                raise RepliesError(f"{path}, line {number}: write the front matter as “name: value”.")
            if line.strip():
                front[name.strip()] = (number, value.strip())
        return cls(path, front, _sections(path, lines, fences[1] + 1))

    def value(self, name: str, pattern: re.Pattern[str] | None = None) -> str:
        line, value = self.front.get(name, (1, ""))
        if not value:
            raise RepliesError(f"{self.path}, line {line}: the front matter lacks “{name}”.")
        if pattern is not None and not pattern.fullmatch(value):
            raise RepliesError(f"{self.path}, line {line}: {value!r} cannot be a {name}.")
        return value

    def listed(self, name: str) -> tuple[str, ...]:
        _, value = self.front.get(name, (1, ""))
        return tuple(part.strip() for part in value.split(",") if part.strip())

    def texts(self, allowed: tuple[str, ...]) -> dict[str, str]:
        texts: dict[str, str] = {}
        for heading, section in self.sections.items():
            if heading not in allowed:
                names = ", ".join(name for name in allowed if name)
                raise RepliesError(
                    f"{self.path}, line {section.line}: there is no section {heading!r}; there are: {names}."
                )
            for line, problem in reply_text.problems(section.text):
                raise RepliesError(f"{self.path}, line {section.line + 1 + line}: {problem}")
            texts[heading] = section.text.strip()
        return texts


def _sections(path: Path, lines: list[str], start: int) -> dict[str, _Section]:
    headings = [("", start)]
    for number, line in enumerate(lines[start:], start=start):
        if line.startswith("## "):
            headings.append((" ".join(line[3:].lower().split()), number + 1))
    ends = [first - 1 for _, first in headings[1:]] + [len(lines)]
    sections: dict[str, _Section] = {}
    for (heading, first), end in zip(headings, ends, strict=True):
        text = "\n".join(lines[first:end])
        if heading in sections:
            raise RepliesError(f"{path}, line {first}: there is a section {heading!r} already.")
        if text.strip():
            sections[heading] = _Section(first, text)
        elif heading:
            raise RepliesError(f"{path}, line {first}: the section {heading!r} is empty.")
    return sections


def _reply(file: _File) -> SavedReply:
    texts = file.texts(VARIANTS)
    if "" not in texts:
        raise RepliesError(f"{file.path}, line 1: write the reply below the front matter, before the first heading.")
    declared = frozenset(file.listed("fields"))
    for variant, text in texts.items():
        undeclared = sorted(reply_text.fields(text) - declared - reply_text.ALWAYS_KNOWN)
        if undeclared:
            raise RepliesError(
                f"{file.path}, line {file.sections[variant].line}: the text uses {', '.join(undeclared)}, which "
                "“fields” in the front matter does not list."
            )
    keywords = file.listed("keywords")
    if not keywords:
        raise RepliesError(f"{file.path}, line 1: list the “keywords” by which a ticket is recognised.")
    return SavedReply(
        file.value("id", _NAME),
        file.value("language", _LANGUAGE),
        file.value("title"),
        keywords,
        texts,
        str(file.path),
    )


def _phrases(file: _File) -> tuple[str, dict[str, str]]:
    texts = file.texts(_PHRASE_SECTIONS)
    for phrase in ("greeting", "closing"):
        if phrase not in texts:
            raise RepliesError(f"{file.path}, line 1: the section “{phrase}” is missing.")
        if reply_text.fields(texts[phrase]) & reply_text.ALWAYS_KNOWN:
            raise RepliesError(f"{file.path}, line {file.sections[phrase].line}: a greeting cannot hold a greeting.")
    return file.value("language", _LANGUAGE), texts
