"""Understands the plain follow-ups ("shorter", "auf Deutsch", "plus formel"), and says which words it did not."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from assistant.builtin import wish_words
from assistant.builtin.wish_words import fold


@dataclass(frozen=True, slots=True)
class Wish:
    """Which text is wanted, after all that was said so far.

    Attributes:
        short: the short version.
        tone: "", "friendly" or "formal".
        language: "" for the ticket's own.
        reply_id: a saved reply that was asked for by its title, "" for the one that fits best.
    """

    short: bool = False
    tone: str = ""
    language: str = ""
    reply_id: str = ""

    @property
    def variant(self) -> str:
        """The section of a saved reply that is wanted."""
        return f"{'short' if self.short else ''} {self.tone}".strip()


@dataclass(frozen=True, slots=True)
class Request:
    """One message of the agent, read against the wish before it.

    Attributes:
        wish: what is wanted now.
        asks_draft: it asks for a reply in plain words.
        unknown: the words that were not understood, as folded; the request can be followed only when there are none.
    """

    wish: Wish
    asks_draft: bool
    unknown: tuple[str, ...]

    @property
    def understood(self) -> bool:
        """Every word of it can be followed."""
        return not self.unknown


_CHANGES: Final[tuple[tuple[tuple[str, ...], Callable[[Wish], Wish]], ...]] = (
    (wish_words.SHORTER, lambda wish: replace(wish, short=True)),
    (wish_words.LONGER, lambda wish: replace(wish, short=False)),
    (wish_words.FRIENDLIER, lambda wish: replace(wish, tone="friendly")),
    (wish_words.MORE_FORMAL, lambda wish: replace(wish, tone="formal")),
    (wish_words.NEUTRAL, lambda wish: replace(wish, tone="")),
)
"""What each group of words changes; one more follow-up is one line here and its words in `wish_words`."""

_CHANGE_BY_PHRASE: Final = {fold(phrase): change for phrases, change in _CHANGES for phrase in phrases}
_DRAFT: Final = {fold(word) for word in wish_words.DRAFT}
_LANGUAGES: Final = {name: code for code, names in wish_words.LANGUAGES.items() for name in names}
_LONGEST_PHRASE: Final = max(map(len, _CHANGE_BY_PHRASE))


def read_request(message: str, before: Wish, titles: Mapping[tuple[str, ...], str]) -> Request:
    """Read one message of the agent.

    Args:
        message: as it was typed.
        before: what was wanted until now.
        titles: folded words of a title or id → id of the saved reply; a single word counts only when it stands alone.
    """
    words = list(fold(message))
    named, words = _take_title(words, titles)
    language, words = _take_language(words)
    wish = replace(before, reply_id=named or before.reply_id, language=language or before.language)
    asks_draft = bool(named)
    unknown: list[str] = []
    for phrase in _phrases(words):
        if change := _CHANGE_BY_PHRASE.get(phrase):
            wish = change(wish)
        elif phrase in _DRAFT:
            asks_draft = True
        elif phrase[0] not in wish_words.FILLERS:
            unknown.append(phrase[0])
    if not words and not named and not language:
        unknown.append("")
    return Request(wish, asks_draft, tuple(dict.fromkeys(unknown)))


def _phrases(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Cut into the longest known phrases, and single words between them."""
    position = 0
    while position < len(words):
        for length in range(min(_LONGEST_PHRASE, len(words) - position), 0, -1):
            phrase = tuple(words[position : position + length])
            if length == 1 or phrase in _CHANGE_BY_PHRASE:
                yield phrase
                position += length
                break


def _take_title(words: list[str], titles: Mapping[tuple[str, ...], str]) -> tuple[str, list[str]]:
    """Find the longest title among the words, and what is left of them."""
    for length in range(min(len(words), max(map(len, titles), default=0)), 0, -1):
        for start in range(len(words) - length + 1 if length > 1 or len(words) == 1 else 0):
            reply_id = titles.get(tuple(words[start : start + length]))
            if reply_id is not None:
                return reply_id, words[:start] + words[start + length :]
    return "", words


def _take_language(words: list[str]) -> tuple[str, list[str]]:
    places = [place for place, word in enumerate(words) if word in _LANGUAGES]
    if not places:
        return "", words
    meant = [place for place in places if place and words[place - 1] in wish_words.INTO] or places
    chosen = {_LANGUAGES[words[place]] for place in meant}
    if len(chosen) > 1:
        return "", words
    return chosen.pop(), [word for place, word in enumerate(words) if place not in places]
