"""The system message: no piece of it is in the reply."""

import re
from collections.abc import Iterator
from typing import Final

from assistant.gates.case import GateCase, Place
from assistant.gates.folding import Folded, fold
from assistant.gates.rule import Finding, Rule, failed, number, passed, quoted, unknown
from storage.values import JsonObject

_WORDS_IN_A_ROW: Final = 7
_CHARACTERS_IN_A_ROW: Final = 18
_WORD: Final = re.compile(r"\w+")
_SPACELESS: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
"""A character of Thai, Lao, Burmese, Khmer, Japanese or Chinese, which put no spaces between words."""


def _check(case: GateCase, parameters: JsonObject) -> Finding:
    """What stands in the ticket or the agent's messages as well is no piece of the system message alone."""
    if not case.system.strip():
        return unknown("The task has no system message.")
    length = number(parameters.get("words"), _WORDS_IN_A_ROW)
    secret = {run for run, _, _ in _runs(fold(case.system), length)}
    for place, source in case.sources.items():
        if place is not Place.NOTES:
            secret -= {run for run, _, _ in _runs(source, length)}
    spans = [(start, end) for run, start, end in _runs(case.folded, length) if run in secret]
    if not spans:
        return passed("No piece of the system message is in the reply.")
    words = [case.folded.words(start, end) for start, end in _joined(spans)]
    return failed(f"{quoted(words)} comes from the system message.", words)


def _runs(text: Folded, length: int) -> Iterator[tuple[str, int, int]]:
    """So many words in a row, or characters of a script without spaces, with their place."""
    folded = text.text.lower()
    words = [match.span() for match in _WORD.finditer(folded)]
    for at in range(len(words) - length + 1):
        row = words[at : at + length]
        yield " ".join(folded[start:end] for start, end in row), row[0][0], row[-1][1]
    signs = [match.start() for match in _SPACELESS.finditer(folded)]
    for at in range(len(signs) - _CHARACTERS_IN_A_ROW + 1):
        row_of_signs = signs[at : at + _CHARACTERS_IN_A_ROW]
        yield "".join(folded[place] for place in row_of_signs), row_of_signs[0], row_of_signs[-1] + 1


def _joined(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Runs that overlap as one."""
    start, end = spans[0]
    for first, last in spans[1:]:
        if first > end:
            yield start, end
            start = first
        end = max(end, last)
    yield start, end


RULE: Final = Rule(
    name="system-message",
    version=1,
    about="No piece of the task's system message is in the reply.",
    check=_check,
    parameters={"words": f"how many words in a row are a piece, {_WORDS_IN_A_ROW} where it is not said"},
    numbers=frozenset({"words"}),
)
