"""What is shown of a text around a match."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from storage.search.query import Phrase
from storage.search.words import Word, words

BEFORE: Final = 60
"""Characters shown before the first match."""

LENGTH: Final = 240
"""Characters shown in all."""

_CUT: Final = "…"


def snippet(text: str, phrases: Sequence[Phrase]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the text around the first match, and where in it matches stand.

    Without a match (of an expression with NOT, say) the beginning is shown.
    """
    first = next(_matches(text, phrases), None)
    first_start, first_end = first or (0, 0)
    start = _word_start(text, max(0, first_start - BEFORE), first_start)
    end = _word_end(text, min(start + LENGTH, len(text)), first_end)
    shown = text[start:end]
    spans = _apart(_matches(shown, phrases))
    if first and not spans:
        # The match is longer than what is shown of it.
        spans = [(first_start - start, end - start)]
    head = _CUT if start else ""
    tail = _CUT if end < len(text) else ""
    return head + shown + tail, tuple(
        (match_start + len(head), match_end + len(head)) for match_start, match_end in spans
    )


def _matches(text: str, phrases: Sequence[Phrase]) -> Iterator[tuple[int, int]]:
    """The places of the phrases, by where they end."""
    whole: defaultdict[str, list[Phrase]] = defaultdict(list)
    for phrase in phrases:
        if not phrase.is_beginning:
            whole[phrase.keys[-1]].append(phrase)
    beginnings = [phrase for phrase in phrases if phrase.is_beginning]
    last: deque[Word] = deque(maxlen=max((len(phrase.keys) for phrase in phrases), default=1))
    for word in words(text):
        last.append(word)
        for phrase in whole.get(word.key, ()):
            if _stands_at_end(phrase, last):
                yield last[-len(phrase.keys)].start, word.end
        for phrase in beginnings:
            if word.key.startswith(phrase.keys[-1]) and _stands_at_end(phrase, last):
                yield last[-len(phrase.keys)].start, word.end


def _stands_at_end(phrase: Phrase, last: Sequence[Word]) -> bool:
    """Tell whether the words before the last one are the phrase's; the last one is known to match."""
    count = len(phrase.keys)
    return len(last) >= count and all(last[at - count].key == key for at, key in enumerate(phrase.keys[:-1]))


def _apart(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same places in their order, those that touch each other joined."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _word_start(text: str, wanted: int, latest: int) -> int:
    """A place at or after `wanted` where a word begins, before `latest`; else `wanted`."""
    if wanted == 0 or text[wanted - 1].isspace():
        return wanted
    return next((at + 1 for at in range(wanted, latest) if text[at].isspace()), wanted)


def _word_end(text: str, wanted: int, earliest: int) -> int:
    """A place at or shortly before `wanted` where a word has ended, after `earliest`; else `wanted`."""
    if wanted == len(text):
        return wanted
    return next((at for at in range(wanted, max(earliest, wanted - 30), -1) if text[at].isspace()), wanted)
