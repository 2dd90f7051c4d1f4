"""What a word is: letters and digits without case and accents; a sign of a script without spaces stands alone."""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import lru_cache
from re import compile as pattern
from typing import Final, NamedTuple
from unicodedata import category, combining, normalize

LONGEST_KEY: Final = 64
"""Characters of a word that count; a longer one (an encoded file, say) is known by its beginning."""

# Between words in ASCII stands what is no letter or digit; an index may rely on it.
_RUN: Final = pattern("[0-9A-Za-z\x80-\U0010ffff]+")
# Thai, Lao, Burmese, Khmer; Hangul, whose particles follow without a space; kana and Han.
_WITHOUT_SPACES: Final = pattern(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u115f\u1780-\u17ff\u3040-\u30ff\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
)
# What shows nothing though it is called a letter or a mark: fillers and variation selectors.
_BLANK: Final = pattern("[\u034f\u115f\u1160\u17b4\u17b5\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
# The later parts of a Hangul syllable that is written in parts.
_JOINS_ON: Final = pattern("[\u1160-\u11ff\ud7b0-\ud7ff]")


class Word(NamedTuple):
    """A word in a text; words with equal keys are the same."""

    key: str
    start: int
    end: int


class _Role(Enum):
    LETTER = auto()
    ALONE = auto()
    MARK = auto()
    BLANK = auto()
    BREAK = auto()


# Reading a member of an enumeration takes longer than all else that is done with a character.
_LETTER, _ALONE, _MARK, _BREAK = _Role.LETTER, _Role.ALONE, _Role.MARK, _Role.BREAK


def words(text: str) -> Iterator[Word]:
    """Yield the words of a text in their order, made as they are asked for."""
    for run in _RUN.finditer(text):
        offset = run.start()
        if run[0].isascii():
            yield Word(run[0].lower()[:LONGEST_KEY], offset, run.end())
        else:
            for key, start, end in _words_of_run(run[0]):
                yield Word(key, offset + start, offset + end)


def keys(text: str) -> list[str]:
    """Return the keys of a text's words."""
    if text.isascii():
        return [run[:LONGEST_KEY] for run in _RUN.findall(text.lower())]
    return [word.key for word in words(text)]


def stands_alone(key: str) -> bool:
    """Tell whether a word is a sign of a script without spaces or a symbol: it is whole as soon as it is there."""
    return _role(key[0])[0] is _Role.ALONE


def _words_of_run(run: str) -> Sequence[Word]:
    return _remembered(run) if len(run) <= LONGEST_KEY else _divided(run)


def _divided(run: str) -> Sequence[Word]:
    """The words of a run that holds more than ASCII, their places counted from its beginning."""
    found: list[Word] = []
    key, start, end, alone = "", 0, 0, False
    for at, character in enumerate(run):
        role, folded = _role(character)
        if key and (role is _ALONE or role is _BREAK or (role is _LETTER and alone)):
            found.append(_word(key, start, end))
            key = ""
        if role is _LETTER or role is _ALONE:
            start = start if key else at
            key, end, alone = key + folded, at + 1, role is _ALONE
        elif role is _MARK and key:
            key, end = key + folded, at + 1
    if key:
        found.append(_word(key, start, end))
    return found


_remembered: Final = lru_cache(maxsize=4096)(_divided)


def _word(key: str, start: int, end: int) -> Word:
    return Word(normalize("NFC", key)[:LONGEST_KEY], start, end)


@lru_cache(maxsize=8192)
def _role(character: str) -> tuple[_Role, str]:
    """What a character does in a word, and what it adds to the key."""
    kind = category(character)
    if kind == "Cf" or _BLANK.match(character):
        return _Role.BLANK, ""
    if kind == "So":
        return _Role.ALONE, character
    if kind[0] not in "LMN":
        return _Role.BREAK, ""
    folded = "".join(filter(_counts, normalize("NFKD", normalize("NFKD", character).casefold())))
    if not folded or _JOINS_ON.match(character) or all(category(part)[0] == "M" for part in folded):
        return _Role.MARK, folded
    return (_Role.ALONE if _WITHOUT_SPACES.match(folded) else _Role.LETTER), folded


def _counts(character: str) -> bool:
    """Letters and digits count; of the marks, accents and the vowel points of Hebrew and Arabic do not."""
    if category(character)[0] == "M":
        return not (10 <= combining(character) <= 35 or combining(character) >= 202)
    return category(character)[0] in "LN" and not _BLANK.match(character)
