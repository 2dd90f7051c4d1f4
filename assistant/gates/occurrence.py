"""What seven rules ask: whether that which the reply names stands where it may come from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from assistant.gates.case import GRANTED, GateCase, Place
from assistant.gates.folding import fold
from assistant.gates.results import Words
from assistant.gates.rule import Check, Finding, failed, passed, quoted, strings, unknown
from storage.values import JsonObject

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Found(Generic[V]):
    """Something that a text names, and between which places of the folded text it stands."""

    start: int
    end: int
    value: V


Find: TypeAlias = Callable[[str], Sequence[Found[V]]]
"""Finds what a folded text names, in the order in which it stands there."""

Index: TypeAlias = Callable[[str, GateCase], Callable[[V], bool]]
"""Reads a folded text once; what it returns tells whether a value stands there."""


def occurs_check(one: str, many: str, find: Find[V], index: Index[V]) -> Check:
    """Return the check that all that `find` finds in a reply stands in the ticket, the agent's messages or the like.

    Args:
        one, many: what is looked for, in words: "amount", "amounts".
        find: for the reply.
        index: for what the reply is held against.
    """

    def check(case: GateCase, parameters: JsonObject) -> Finding:
        found = find(case.folded.text)
        if not found:
            return passed(f"The reply names no {one}.")
        sources = dict(case.sources)
        if allowed := strings(parameters.get("allow")):
            sources[Place.ALLOWED] = fold("\n".join(allowed))
        stands_in = {place: index(source.text, case) for place, source in sources.items()}
        granted = [place for place in GRANTED if place in stands_in]
        missing: list[Words] = []
        in_notes: list[Words] = []
        for item in found:
            if any(stands_in[place](item.value) for place in granted):
                continue
            words = case.folded.words(item.start, item.end)
            note = stands_in.get(Place.NOTES)
            (in_notes if note is not None and note(item.value) else missing).append(words)
        if missing:
            verb = "is" if len({word.text for word in missing}) == 1 else "are"
            return failed(f"{quoted(missing)} {verb} not in {_listed(granted or [Place.TICKET], 'or')}.", missing)
        if in_notes:
            verb = "is" if len({word.text for word in in_notes}) == 1 else "are"
            return unknown(f"{quoted(in_notes)} {verb} only in {Place.NOTES.value}.", in_notes)
        words_found = [case.folded.words(item.start, item.end) for item in found]
        subject = f"The {one} is" if len(found) == 1 else f"All {len(found)} {many} are"
        used = [place for place in granted if any(stands_in[place](item.value) for item in found)]
        return passed(f"{subject} in {_listed(used, 'and')}.", words_found)

    return check


def _listed(places: Sequence[Place], word: str) -> str:
    names = [place.value for place in places]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"
