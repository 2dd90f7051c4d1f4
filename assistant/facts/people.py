"""The customer's name, from the customer field or from under the closing of a message."""

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

TITLES: Final = frozenset(
    {"mr", "mrs", "ms", "miss", "dr", "prof", "herr", "frau", "m", "mme", "mlle", "monsieur", "madame", "sr", "sra",
     "srta", "don", "doña", "señor", "señora"}
)  # fmt: skip
_PART = r"[^\W\d_]+(?:[.\u2019'\u02bc-][^\W\d_]+)*\.?"
_NAME: Final = re.compile(rf"{_PART}(?: {_PART}){{0,4}}")
_CLOSING: Final = re.compile(
    r"(?:(?:kind|best|warm)(?:est)? (?:regards|wishes)|regards|all the best|thanks(?: a lot| in advance)?|thank you|"
    r"cheers|sincerely|yours sincerely|(?:mit )?(?:freundlichen|besten|vielen|viele|liebe|lieben|herzliche|schöne)"
    r" gr(?:ü|ue)(?:ß|ss)en?|mfg|danke|vielen dank|(?:bien )?cordialement|merci(?: d'avance| beaucoup)?|bien à vous|"
    r"(?:un )?(?:cordial )?saludos?(?: cordiales)?|(?:muchas )?gracias(?: de antemano)?|atentamente|un abrazo)"
    r"[\s,.!]*",
    re.IGNORECASE,
)
_LONGEST: Final = 60


@dataclass(frozen=True, slots=True)
class Person:
    """A customer: the whole name, and what a friendly greeting uses (the whole name where that cannot be told)."""

    name: str
    first_name: str


def person(text: str) -> Person | None:
    """Read a name; None where the text is no name (an address, a company's number, marks of any kind)."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    last, comma, first = name.partition(", ")
    if comma:
        name = f"{first} {last}"
    if len(name) > _LONGEST or not _NAME.fullmatch(name):
        return None
    words = name.split()
    bare = [word for word in words if word.rstrip(".").casefold() not in TITLES]
    if not bare:
        return None
    western = all(character < "\u0250" for character in name if character.isalpha())
    if len(bare) == 1 and len(bare) < len(words):
        return Person(name, name)
    return Person(name, bare[0] if western else name)


def signature(text: str) -> Person | None:
    """The name in the line below a closing, the last one of a text."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for closing, below in reversed(list(pairwise(lines))):
        if below[:1].isupper() and len(below) <= _LONGEST and len(below.split()) <= 3 and _CLOSING.fullmatch(closing):
            return person(below.rstrip(",.!"))
    return None
