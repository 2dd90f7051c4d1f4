"""Teams: the team that the answer names, in a field or in its words, is one of those that there are."""

import re
import unicodedata
from typing import Final

from assistant.gates.case import GateCase
from assistant.gates.results import Words
from assistant.gates.rule import Finding, Rule, failed, passed, quoted, strings, unknown
from storage.values import JsonObject

_FIELD: Final = "team"
_NAME = r"[^\W\d_][\w&'-]*"
_TEAM: Final = re.compile(
    rf"\b(?:your|our|the|ihr|unser(?:e[mnrs]?)?|das|dem)\s+((?:{_NAME}[ -]){{1,4}}?)"
    r"(?:team|department|abteilung)\b"
    rf"|\bteam\s+([A-ZÀ-Þ]{_NAME}(?:\s+[A-ZÀ-Þ]{_NAME}){{0,2}})"
    rf"|\b(?:votre|notre|l' ?)\s?(?:équipe|service)\s+((?:(?:de la|du|de|des)\s+)?{_NAME}(?:\s{_NAME})?)"
    rf"|\b(?:su|nuestro|el|al)\s+(?:equipo|departamento)\s+(?:de\s+)?({_NAME}(?:\s(?:al\s)?{_NAME})?)",
    re.IGNORECASE,
)


def _check(case: GateCase, parameters: JsonObject) -> Finding:
    allowed = {_plain(name): name for name in strings(parameters.get("allowed"))}
    if not allowed:
        return unknown("The task names no teams.")
    field = next(iter(strings(parameters.get("field"))), _FIELD)
    value = (case.data or {}).get(field)
    if isinstance(value, str) and value.strip():
        known = _plain(value) in allowed
        listed = ", ".join(allowed.values())
        return passed(f"“{value}” is a team.") if known else failed(f"“{value}” is no team; those are: {listed}.")
    named: list[Words] = []
    strange: list[Words] = []
    for match in _TEAM.finditer(case.folded.text):
        group = next(number for number, text in enumerate(match.groups(), 1) if text)
        words = case.folded.words(*match.span(group))
        (named if _is_allowed(_plain(match[group]), allowed) else strange).append(words)
    if strange:
        return failed(f"{quoted(strange)} is no team; those are: {', '.join(allowed.values())}.", strange)
    return passed(f"{quoted(named)} is a team.", named) if named else unknown("The answer names no team.")


def _is_allowed(name: str, allowed: dict[str, str]) -> bool:
    return any(name == team or name.startswith(f"{team} ") or team.startswith(f"{name} ") for team in allowed)


def _plain(name: str) -> str:
    """Small letters, no accents, no words that only join: "du service client" is "service client"."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(character for character in decomposed if not unicodedata.combining(character))
    words = [word for word in re.findall(r"\w+", bare) if word not in {"team", "the", "de", "la", "du", "des", "al"}]
    return " ".join(words)


RULE: Final = Rule(
    name="team",
    version=1,
    about="The team that the answer names is one of those that there are.",
    check=_check,
    parameters={
        "allowed": "the teams; without them nothing is decided",
        "field": f"the field of the answer that names the team, “{_FIELD}” where it is not said",
    },
)
