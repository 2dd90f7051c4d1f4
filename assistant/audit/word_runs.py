"""Runs of words that two texts can be found to share: six words in a row, whatever stands between them."""

import json
import re
from collections.abc import Iterator
from typing import Final

from assistant.plan.rendering import LEADS
from storage.values import Json

RUN_WORDS: Final = 6
"""Words in a row that are too many to be shared by chance."""

RUN_CHARACTERS: Final = 18
"""The same for scripts that put no spaces between words."""

_WORDS: Final = re.compile(r"\w+")
_SPACELESS: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]{18,}")
"""Thai, Lao, Burmese, Khmer, Japanese, Chinese."""


def runs(text: str) -> Iterator[str]:
    """Yield each run of a text once for every place where it stands, in order."""
    folded = text.casefold()
    words = _WORDS.findall(folded)
    for start in range(len(words) - RUN_WORDS + 1):
        yield " ".join(words[start : start + RUN_WORDS])
    for stretch in _SPACELESS.finditer(folded):
        for start in range(stretch.start(), stretch.end() - RUN_CHARACTERS + 1):
            yield folded[start : start + RUN_CHARACTERS]


def runs_as_sent(content: str) -> Iterator[str]:
    """Yield the runs of what was sent; where that is JSON, such as a ticket, those of each text in it."""
    lead, _, data = content.partition("\n")
    try:
        document: Json = json.loads(data if lead in LEADS else content)
    except (ValueError, RecursionError):
        yield from runs(content)
    else:
        for text in _texts(document):
            yield from runs(text)


def _texts(document: Json) -> Iterator[str]:
    waiting = [document]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case list(entries):
                waiting += entries
            case dict(fields):
                waiting += fields.values()
