"""Promises: the reply commits the desk to nothing that neither the agent nor the handbook has granted."""

import re
from collections.abc import Iterator
from typing import Final

from assistant.gates.case import GateCase
from assistant.gates.promise_words import CONDITIONS, NEGATIONS, NEGATIONS_ANYWHERE, PromiseKind, promise_kinds
from assistant.gates.results import Words
from assistant.gates.rule import Finding, Rule, failed, passed, quoted, strings
from storage.tickets import Role
from storage.values import JsonObject

_SENTENCE: Final = re.compile(r"[^.!?\n]+(?:[.](?=\w)[^.!?\n]*)*[.!?]*")
_CLAUSE: Final = re.compile(
    r"[,;:()]|\s-\s|(?<!\w)(?:but|however|although|aber|sondern|jedoch|mais|cependant|pero|sino|aunque)(?!\w)",
    re.IGNORECASE,
)


def _check(case: GateCase, parameters: JsonObject) -> Finding:
    """A clause with a negation promises nothing, a sentence with a condition or a question mark neither."""
    text = case.folded.text
    allowed = [allowed.casefold() for allowed in strings(parameters.get("allow"))]
    granted = {kind.name for kind in promise_kinds() if _grants(case, kind)}
    own = [word.casefold() for word in strings(parameters.get("words"))]
    found: dict[str, list[Words]] = {}
    for start, clause in _clauses(text):
        lower = clause.lower()
        if any(phrase in lower for phrase in allowed):
            continue
        for kind in promise_kinds():
            if kind.name in granted or (match := kind.wordings.search(lower)) is None:
                continue
            if not _is_taken_back(lower, match.end()):
                found.setdefault(kind.name, []).append(_words(case, start, match.start(), match.end()))
        for phrase in own:
            if (at := lower.find(phrase)) >= 0:
                found.setdefault("what it should not", []).append(_words(case, start, at, at + len(phrase)))
    if not found:
        return passed("The reply promises nothing that was not granted.")
    words = list(dict.fromkeys(word for kind in found.values() for word in kind))
    names = " and ".join(found)
    return failed(f"The reply promises {names}, and neither you nor the handbook granted it: {quoted(words)}.", words)


def _clauses(text: str) -> Iterator[tuple[int, str]]:
    """The clauses that could promise something, with their place."""
    for sentence in _SENTENCE.finditer(text):
        if "?" in sentence[0][-3:] or CONDITIONS.search(sentence[0].lower()):
            continue
        start = sentence.start()
        for end in [*_clause_ends(sentence[0]), None]:
            last = sentence.end() if end is None else sentence.start() + end[0]
            yield start, text[start:last]
            start = last if end is None else sentence.start() + end[1]


def _clause_ends(sentence: str) -> list[tuple[int, int]]:
    return [match.span() for match in _CLAUSE.finditer(sentence)]


def _is_taken_back(clause: str, end: int) -> bool:
    """There is a negation where it counts: before the end of the promise, and in German also after it."""
    return bool(NEGATIONS.search(clause[:end]) or NEGATIONS_ANYWHERE.search(clause))


def _grants(case: GateCase, kind: PromiseKind) -> bool:
    """The agent, the handbook or a colleague who answered the customer speaks of it, and not to forbid it."""
    texts = [*case.said, *case.passages]
    for ticket in case.tickets:
        texts += [message.text for message in ticket.messages if message.role is Role.AGENT and not message.internal]
    return any(
        (granted := kind.grants.search(clause.lower())) and not _is_taken_back(clause.lower(), granted.end())
        for text in texts
        for clause in re.split(r"[,;:.!?\n]", text)
    )


def _words(case: GateCase, clause_start: int, start: int, end: int) -> Words:
    return case.folded.words(clause_start + start, clause_start + end)


RULE: Final = Rule(
    name="promises",
    version=2,
    about="The reply promises no refund, gift, replacement, delivery date or guarantee that was not granted.",
    check=_check,
    parameters={
        "words": "further words that are a promise",
        "allow": "words by which a clause promises nothing",
    },
)
