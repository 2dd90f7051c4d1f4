"""Teams: the team that the answer names in a field is one of those that there are."""

import unicodedata
from typing import Final

from assistant.gates.case import GateCase
from assistant.gates.rule import Finding, Rule, failed, passed, strings, unknown
from storage.values import JsonObject

_FIELD: Final = "team"


def _check(case: GateCase, parameters: JsonObject) -> Finding:
    allowed = strings(parameters.get("allowed"))
    if not allowed:
        return unknown("The task names no teams.")
    field = next(iter(strings(parameters.get("field"))), _FIELD)
    team = (case.data or {}).get(field)
    if not isinstance(team, str) or not team.strip():
        return unknown(f"The answer names no team in “{field}”.")
    if _plain(team) in map(_plain, allowed):
        return passed(f"“{team}” is a team.")
    return failed(f"“{team}” is no team; those are: {', '.join(allowed)}.")


def _plain(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


RULE: Final = Rule(
    name="team",
    version=1,
    about="The team that the answer names in a field is one of those that there are.",
    check=_check,
    parameters={
        "allowed": "the teams; without them nothing is decided",
        "field": f"the field of the contract that names the team, “{_FIELD}” where it is not said",
    },
)
