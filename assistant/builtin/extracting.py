"""Summaries without a model: the first sentence of each message, then every number of all of them; the same each time.

It is no summary in a reader's sense, and says so in its first line.
"""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

LABEL: Final = "Extract by the built-in assistant (no language model): the beginning of each message, then all numbers."

_SENTENCE: Final = re.compile(r"\S.*?(?:[.!?\u2026\u3002\uff01\uff1f](?=\s|$)|$)", re.MULTILINE)
_LEAST_WORDS: Final = 5
_SENTENCES_LOOKED_AT: Final = 4
"""A salutation comes first in many messages and says nothing."""

_LONGEST: Final = 50_000
"""Characters of one message that are read."""

_NUMBERS: Final = re.compile(
    r"""(?x)
    (?<![\w.,-])
    (?:
        (?:[€$£]|(?:EUR|USD|GBP|CHF)\s?)\d[\d.,]*                  # € 12.50
      | \d[\d.,]*\s?(?:€|\$|£|%|(?:EUR|USD|GBP|CHF|euros?)\b)    # 12,50 €
      | \#?(?:[A-Z][A-Z/_-]{0,11})?\d[\w/.:-]*\w                  # T-80005, 2026-03-12, E4021, 1Z999AA1
    )
    """
)


def extract(messages: Sequence[tuple[str, str]], most_words: int) -> str:
    """Return the extract of (author, text) pairs; only the numbers may take it beyond so many words."""
    messages = [(author, text[:_LONGEST]) for author, text in messages]
    words_each = max(_LEAST_WORDS, most_words // max(1, len(messages)) - 1)
    lines = [f"{author}: {beginning}" for author, text in messages if (beginning := _beginning(text, words_each))]
    numbers = dict.fromkeys(found.rstrip(".,:-") for _, text in messages for found in _NUMBERS.findall(text))
    stated = [f"numbers: {', '.join(numbers)}"] if numbers else []
    return "\n".join([LABEL, *lines, *stated])


def _beginning(text: str, most_words: int) -> str:
    """The first sentence that says something, cut after so many words."""
    sentences = [found[0].split() for found in islice(_SENTENCE.finditer(text), _SENTENCES_LOOKED_AT)]
    words = next((each for each in sentences if len(each) >= _LEAST_WORDS), sentences[0] if sentences else [])
    return " ".join(words[:most_words]) + (" …" if len(words) > most_words else "")
