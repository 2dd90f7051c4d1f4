"""What a query asks for: words that must all be there, or an expression with AND, OR, NOT, NEAR and * in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from re import DOTALL
from re import compile as pattern
from typing import Final

from storage.errors import QueryError
from storage.search.words import keys, stands_alone, words
from storage.text import storable

MOST_WORDS: Final = 500
"""A longer query is a pasted text, not a question."""

SHORTEST_BEGINNING: Final = 3
"""Of shorter words too many longer ones begin alike for the beginning to say anything."""

_OPERATORS: Final = frozenset({"AND", "OR", "NOT"})
_PART: Final = pattern(
    r'"(?P<string>(?:[^"]|"")*)"'
    r"|(?P<near>NEAR(?=\s*\())"
    r"|(?P<distance>,\s*[0-9]+)"
    "|(?P<word>[0-9A-Za-z_\x1a\x80-\U0010ffff]+)"
    r"|(?P<sign>.)",
    DOTALL,
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand side by side.

    Attributes:
        keys: of the words, at least one.
        is_beginning: the last one may go on.
    """

    keys: tuple[str, ...]
    is_beginning: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for.

    Attributes:
        phrases: in their order; all must be there where there is no expression.
        expression: the phrases with the operators and brackets between them as they were written, else None.
    """

    phrases: tuple[Phrase, ...]
    expression: tuple[str | Phrase, ...] | None = None


def plain_query(text: str, *, unfinished: bool = False) -> Query:
    """Take a text literally: what stands between two blanks is one phrase, whatever signs are in it.

    With `unfinished` the text is still being typed, so that its last word may be the beginning of one.

    Raises:
        QueryError: it holds no word, or very many.
    """
    text = storable(text)
    phrases = [Phrase(tuple(found)) for piece in text.split() if (found := keys(piece))]
    _check(text, phrases)
    if unfinished and _may_go_on(text):
        phrases[-1] = Phrase(phrases[-1].keys, is_beginning=True)
    return Query(tuple(dict.fromkeys(phrases)))


def expression_query(text: str) -> Query:
    """Take a text as an expression of FTS5: AND, OR, NOT, NEAR, brackets, "phrases", word*.

    Words are kept apart from what stands between them, so that an engine can write them in its own way.

    Raises:
        QueryError: it holds no word, very many, or a NUL.
    """
    text = storable(text)
    parts: list[str | Phrase] = []
    for found in _PART.finditer(text):
        written = found["string"] if found["string"] is not None else found["word"]
        if written is None or (found["word"] and written in _OPERATORS):
            parts.append(found[0])
        else:
            parts.append(Phrase(tuple(keys(written))) if keys(written) else '""')
    phrases = list(_with_beginnings(parts))
    _check(text, phrases)
    if "\0" in text or not _is_balanced(parts):
        raise QueryError(not_understood(text))
    return Query(tuple(dict.fromkeys(phrases)), tuple(parts))


def not_understood(text: str) -> str:
    """Return the sentence for an expression that is none."""
    return (
        f"The search expression {shortened(text)} cannot be read; check its quotes and brackets, and AND, OR, NOT and"
        " NEAR between words."
    )


def shortened(text: str) -> str:
    """Return a query as a message shows it."""
    return f"“{text}”" if len(text) <= 60 else f"“{text[:59]}…”"


def _check(text: str, phrases: Sequence[Phrase]) -> None:
    if not text.strip():
        raise QueryError("Type a word or a number to search for.")
    if not phrases:
        raise QueryError(f"There is no word or number in {shortened(text.strip())}, so there is nothing to search for.")
    count = sum(len(phrase.keys) for phrase in phrases)
    if count > MOST_WORDS:
        raise QueryError(f"Search for at most {MOST_WORDS} words at once; these are {count:,}.")


def _may_go_on(text: str) -> bool:
    *_, last = words(text)
    return last.end == len(text) and len(last.key) >= SHORTEST_BEGINNING and not stands_alone(last.key)


def _is_balanced(parts: Sequence[str | Phrase]) -> bool:
    """Tell whether every bracket is closed, and none before it is opened."""
    depths = list(accumulate((part == "(") - (part == ")") for part in parts))
    return min(depths) >= 0 and depths[-1] == 0


def _with_beginnings(parts: Sequence[str | Phrase]) -> Iterator[Phrase]:
    """The phrases, each known as a beginning where a * follows it."""
    signs = [part for part in parts if not (isinstance(part, str) and part.isspace())]
    for part, after in pairwise([*signs, ""]):
        if isinstance(part, Phrase):
            yield Phrase(part.keys, is_beginning=after == "*")
