"""IBANs: every one in the reply is one of the ticket, the agent or the handbook, digit for digit."""

import re
from collections.abc import Callable
from typing import Final

from assistant.gates.case import GateCase
from assistant.gates.occurrence import Found, occurs_check
from assistant.gates.rule import Rule

_LENGTHS: Final = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "BA": 20, "BE": 16, "BG": 22, "CH": 21, "CY": 28, "CZ": 24, "DE": 22,
    "DK": 18, "EE": 20, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GR": 27, "HR": 21, "HU": 28,
    "IE": 22, "IL": 23, "IS": 26, "IT": 27, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MD": 24, "ME": 22,
    "MK": 19, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SE": 24,
    "SI": 19, "SK": 24, "SM": 27, "TR": 26, "UA": 29, "XK": 20,
}  # fmt: skip
"""Characters of a country's IBANs."""
_LIKE: Final = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(_LENGTHS)})\d{{2}}(?:[ -]?[A-Z0-9]){{8,30}}", re.IGNORECASE)
_LEAST_DIGITS: Final = 10


def find_ibans(text: str) -> list[Found[str]]:
    """What looks like an IBAN in a folded text, also where a digit is wrong or missing; without spaces."""
    found = []
    for match in _LIKE.finditer(text):
        value, end = _cut(match[0])
        if sum(character.isdigit() for character in value) >= _LEAST_DIGITS:
            found.append(Found(match.start(), match.start() + end, value))
    return found


def _cut(text: str) -> tuple[str, int]:
    """End where the country's IBANs end, and before a word that follows; returns the value and its length there."""
    longest = _LENGTHS[text[:2].upper()]
    value, end = "", 0
    for part in re.finditer(r"([ -]?)([A-Za-z0-9]+)", text):
        block = part[2]
        if value and part[1] and not any(character.isdigit() for character in block) and not block.isupper():
            break
        room = longest - len(value)
        if room <= 0:
            break
        whole = block if len(block) <= room or not part[1] else ""
        if not whole:
            break
        value, end = value + whole.upper(), part.end()
    return value, end


def _index(text: str, _: GateCase) -> Callable[[str], bool]:
    known = {found.value for found in find_ibans(text)}
    return lambda iban: iban in known


RULE: Final = Rule(
    name="ibans",
    version=1,
    about="IBANs stand in the ticket, your messages, the handbook or the allow-list, digit for digit.",
    check=occurs_check("IBAN", "IBANs", find_ibans, _index),
    parameters={"allow": "IBANs that may always be given, such as the shop's own"},
)
