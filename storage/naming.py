"""Which words of a text name a person: parts of a name and of a mail address, in any script and case.

A word may have an s or es behind it ("Sophies"), and umlauts may be spelled out on either side ("Mueller"). Other
endings, like those of Slavic languages, are not known.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from re import compile as pattern
from typing import Final, TypeAlias
from unicodedata import normalize

from storage.search.words import Word, keys, stands_alone, words

SHORTEST: Final = 3
"""Letters of a word that names somebody by itself; shorter ones are words of many languages too."""

_ADDRESS: Final = pattern(r"[^\s<>()\[\],;:\"@]+@[^\s<>()\[\],;:\"@]+")
# Han signs and syllables of Hangul: two of them in a row are a surname or a given name.
_NAMES_IN_PAIRS: Final = pattern("[\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]")

_COMMON: Final = frozenset(
    keys(
        "admin and anonymous client cliente clients company contact customer customers das dame dear del den "
        "der des desk die dona dos email frau gast gmbh guest hello help helpdesk herr inc info kontakt kunde "
        "kunden kundin les llc ltd madame mademoiselle mail miss monsieur mrs noreply office orders post "
        "sales senor senora service shop sir support team the ticket ticketree und unknown user van von "
        "webmaster"
    )
)
"""What people are called who have no other name here, how they are addressed, and Ticketree's own words."""

_COMMON_PAIRS: Final = frozenset(
    tuple(keys(word))
    for word in (
        *("先生", "小姐", "女士", "太太", "客户", "顾客", "用户"),
        *("顧客", "客戶", "用戶", "客様", "お客", "고객", "선생", "손님"),
    )
)
"""The same in scripts without spaces."""

_ORDINARY: Final = frozenset(
    keys(
        "alles always anders avis cases codes dans days does elles eines hors ihres mails names news notes orders "
        "rules sales seines sommes this thus times tickets uns vers weeks years"
    )
)
"""What is said of everybody, though without its last letters it may be a name (Thi, Doe, Dan)."""

_LONG_WORD: Final = pattern(rf"\w{{{SHORTEST},}}")
_SPELLED_OUT: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}  # what a key writes as a, o and u
)

Name: TypeAlias = tuple[str, ...]
"""The keys of words that name somebody where they follow each other."""


def named_in(text: str, people: Iterable[str]) -> list[str]:
    """Return the words of a text that name one of some people, as they stand there and in their order.

    Args:
        text: what is looked at.
        people: names, mail addresses, or both in one ("Sophie Martin <sophie@example.org>").
    """
    spoken = list(words(text))
    names = frozenset(
        name for person in people for written in (person, _spelled_out(person)) for name in _names(written)
    )
    whole = [_spellings(text, word) for word in spoken]
    last = [_without_endings(text, word) | known for word, known in zip(spoken, whole, strict=True)]
    found = sorted(place for name in names for place in _places(name, whole, last))
    merged: list[tuple[int, int]] = []
    for start, end in found:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return list(dict.fromkeys(text[spoken[start].start : spoken[end - 1].end] for start, end in merged))


def _places(name: Name, whole: Sequence[frozenset[str]], last: Sequence[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Yield where the words of a name follow each other: the first one, and the one behind the last.

    `whole` are the keys of each word of the text, `last` those of a word that ends a name.
    """
    *others, end = name
    for at in range(len(whole) - len(others)):
        if end in last[at + len(others)] and all(key in whole[at + offset] for offset, key in enumerate(others)):
            yield at, at + len(name)


def _spelled_out(text: str) -> str:
    """Write the umlauts of all but the shortest words as two letters."""
    return _LONG_WORD.sub(lambda word: word[0].translate(_SPELLED_OUT), normalize("NFC", text))


def _spellings(text: str, word: Word) -> frozenset[str]:
    """The key of a word, and the one that it has with its umlauts spelled out."""
    return frozenset((word.key, "".join(keys(_spelled_out(text[word.start : word.end])))))


def _without_endings(text: str, word: Word) -> frozenset[str]:
    """What a word may be the genitive of; of a name as short as they may be, only where it is written like one."""
    if word.key in _ORDINARY:
        return frozenset()
    least = SHORTEST if text[word.start].isupper() else SHORTEST + 1
    endings = {"s": least, "es": SHORTEST + 1}
    return frozenset(
        key.removesuffix(ending)
        for key in _spellings(text, word)
        for ending, letters in endings.items()
        if key.endswith(ending) and len(key) - len(ending) >= letters
    )


def _names(person: str) -> Iterator[Name]:
    """Yield everything that names a person."""
    for address in _ADDRESS.findall(person):
        yield tuple(keys(address))
        local = keys(address.partition("@")[0])
        yield from _words_that_name(local)
        yield from _words_that_name(["".join(local)])
    called = list(words(_ADDRESS.sub(" ", person)))
    own = [word.key for word in called]
    if len(own) > 1 and not _COMMON.issuperset(own) and not all(map(stands_alone, own)):
        yield tuple(own)
    yield from _words_that_name(own)
    for run in _runs_of_signs(called):
        paired = all(map(_NAMES_IN_PAIRS.match, run))
        for name in pairwise(run) if paired else (tuple(run),):
            if len(name) > 1 and name not in _COMMON_PAIRS:
                yield name


def _words_that_name(found: Iterable[str]) -> Iterator[Name]:
    """Yield the words that are long enough to name somebody alone."""
    for key in found:
        if len(key) >= SHORTEST and key not in _COMMON and not key.isdigit() and not stands_alone(key):
            yield (key,)


def _runs_of_signs(called: Sequence[Word]) -> Iterator[list[str]]:
    """Yield the signs of scripts without spaces that stand side by side."""
    run: list[str] = []
    behind = -1
    for word in called:
        if run and (word.start != behind or not stands_alone(word.key)):
            yield run
            run = []
        if stands_alone(word.key):
            run.append(word.key)
        behind = word.end
    if run:
        yield run
