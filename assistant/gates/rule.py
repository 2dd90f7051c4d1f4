"""A business rule: a pure function from a case to a finding, with a name and a version."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from assistant.gates.case import GateCase
from assistant.gates.results import Outcome, Words
from storage.values import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found; a `GateResult` without the rule's name.

    Attributes:
        detail: one sentence.
        words: the words of the reply that decided.
    """

    result: Outcome
    detail: str
    words: tuple[Words, ...] = ()


Check: TypeAlias = Callable[[GateCase, JsonObject], Finding]
"""Judges a case with the parameters of a task; no I/O, no clock, the same every time."""


class Value(StrEnum):
    """What may stand for a parameter; the value says it in words."""

    TEXTS = "a text, or a list of texts: [one, another]"
    NUMBER = "a whole number above 0"

    def admits(self, value: Json) -> bool:
        """Whether a rule would take this value; it passes over any other as if the parameter were not there."""
        match self:
            case Value.TEXTS:
                texts = [value] if isinstance(value, str) else value
                return isinstance(texts, list | tuple) and all(isinstance(text, str) for text in texts)
            case Value.NUMBER:
                return isinstance(value, int) and not isinstance(value, bool) and value > 0


@dataclass(frozen=True, slots=True)
class Rule:
    """One business rule.

    Attributes:
        name: what a task's `rules:` call it.
        version: goes up whenever it would decide otherwise than before.
        about: one sentence, for `ticketree tasks` and the README.
        parameters: name → what may stand there, in words.
        numbers: the parameters that are whole numbers; all others are texts.
    """

    name: str
    version: int
    about: str
    check: Check
    parameters: dict[str, str]
    numbers: frozenset[str] = frozenset()

    @property
    def values(self) -> dict[str, Value]:
        """Parameter → what may stand for it."""
        return {name: Value.NUMBER if name in self.numbers else Value.TEXTS for name in self.parameters}


def passed(detail: str, words: Sequence[Words] = ()) -> Finding:
    """Nothing is wrong."""
    return Finding(Outcome.PASS, detail, tuple(words))


def failed(detail: str, words: Sequence[Words] = ()) -> Finding:
    """These words should not be in the reply."""
    return Finding(Outcome.FAIL, detail, tuple(words))


def unknown(detail: str, words: Sequence[Words] = ()) -> Finding:
    """There is nothing to decide on, or not enough."""
    return Finding(Outcome.UNKNOWN, detail, tuple(words))


def strings(value: Json) -> tuple[str, ...]:
    """A parameter that is a text or a list of texts; anything else is none."""
    match value:
        case str():
            return (value,)
        case list() | tuple():
            return tuple(entry for entry in value if isinstance(entry, str))
        case _:
            return ()


def number(value: Json, default: int) -> int:
    """A parameter that is a whole number, else the default."""
    return value if isinstance(value, int) and Value.NUMBER.admits(value) else default


_LONGEST_QUOTE: Final = 60


def quoted(words: Sequence[Words]) -> str:
    """Words in quotation marks, without repeats: “4712” and “£12.00”."""
    texts = list(dict.fromkeys(_short(" ".join(word.text.split())) for word in words))
    marked = [f"“{text}”" for text in texts]
    return marked[0] if len(marked) == 1 else f"{', '.join(marked[:-1])} and {marked[-1]}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1]}…"
