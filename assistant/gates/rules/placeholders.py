"""Placeholders: nothing is left in the reply that somebody was to fill in."""

import re
from typing import Final

from assistant.gates.case import GateCase, Place
from assistant.gates.results import Words
from assistant.gates.rule import Finding, Rule, failed, passed, quoted, strings
from storage.values import JsonObject

_HOLE: Final = re.compile(
    r"\{\{[^{}\n]{0,80}\}\}|\$\{[^{}\n]{0,80}\}|\{[^\W\d][\w .-]{0,60}\}|\{%[^{}\n]{0,80}%\}|%[A-Z][A-Z_]{2,40}%"
    r"|\[\[[^\]\n]{0,80}\]\]|\[[^\[\]\n]{1,80}\](?!\()|<[^\W\d_][^<>\n@:/]{0,60}>"
    r"|(?-i:\b(?:X{3,}|x{4,}|TBD|TBC|TODO)\b)|_{4,}|\blorem ipsum\b",
    re.IGNORECASE,
)
_NO_HOLE: Final = re.compile(r"\[(?:\d{1,3}|\.{3}|…|x| |sic!?)\]", re.IGNORECASE)
"""A footnote, something left out of a quotation, a box to tick."""


def _check(case: GateCase, parameters: JsonObject) -> Finding:
    """What the customer, the agent or the handbook wrote in brackets may be quoted."""
    known = [source.text for place, source in case.sources.items() if place is not Place.NOTES]
    known += strings(parameters.get("allow"))
    holes: list[Words] = []
    for match in _HOLE.finditer(case.folded.text):
        text = match[0]
        if not _NO_HOLE.fullmatch(text) and not any(text in source for source in known):
            holes.append(case.folded.words(*match.span()))
    if not holes:
        return passed("Nothing is left to fill in.")
    verb = "is" if len({hole.text for hole in holes}) == 1 else "are"
    return failed(f"{quoted(holes)} {verb} still to be filled in.", holes)


RULE: Final = Rule(
    name="placeholders",
    version=1,
    about="No {{placeholder}} and no [gap] is left.",
    check=_check,
    parameters={"allow": "texts in brackets that may stand in a reply"},
)
