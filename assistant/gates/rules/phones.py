"""Phone numbers: every one in the reply is one of the ticket, the agent or the handbook, with or without country."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from assistant.facts.dates import date_places
from assistant.gates.case import GateCase
from assistant.gates.occurrence import Found, occurs_check
from assistant.gates.rule import Rule
from storage.importers.languages import language_code

_RUN: Final = re.compile(r"(?<![\w+/.-])(?:\+ ?|\()?\d(?:\d|\(0\)|[ ()/.-]{1,2}(?=[\d(])|\(0\) ?)*\d(?![\w])")
_LABEL: Final = re.compile(
    r"(?:\b(?:tel|phone|telephone|telefon|téléphone|teléfono|tél|call|ring|hotline|mobile|mobil|handy|portable|móvil|"
    r"fax|whatsapp|rufen|anrufen|appel\w*|llám\w*|number is)\b|☎|📞)[^\d\n+(]{0,25}$",
    re.IGNORECASE,
)
_AMERICAN: Final = re.compile(r"\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}")
_ORDER_BEFORE: Final = re.compile(
    r"(?:#|\b(?:order|bestellung|commande|pedido|tracking|invoice|no|nr|n°|sendungsnummer)\.?:?) ?$", re.IGNORECASE
)
_FEWEST, _FEWEST_LABELLED, _MOST = 7, 5, 15


_COUNTRIES: Final = {
    "en": {"44", "1", "353", "61", "64", "27", "91", "65"},
    "de": {"49", "43", "41", "352", "423", "39"},
    "fr": {"33", "32", "41", "352", "1", "377", "262", "590", "596", "594", "212", "213", "216"},
    "es": {"34", "52", "54", "57", "56", "51", "58", "593", "591", "598", "595", "502", "506", "507", "53", "1"},
    "it": {"39", "41"},
    "nl": {"31", "32"},
    "pt": {"351", "55"},
}
"""The countries' codes that a number may be given in a ticket of a language where the ticket names none."""


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone number's digits.

    Attributes:
        digits: without what only says how to dial: +, 00, a leading 0, (0).
        with_country: they begin with a country's code.
    """

    digits: str
    with_country: bool

    def is_same(self, other: "Phone", language: str) -> bool:
        """Both reach the same line, as far as a number without its country tells."""
        if self.with_country == other.with_country:
            return self.digits == other.digits
        shorter, longer = (self, other) if other.with_country else (other, self)
        code = longer.digits.removesuffix(shorter.digits)
        if code == longer.digits or not 1 <= len(code) <= 3:
            return False
        return other.with_country or code in _COUNTRIES.get(language, {code})


def find_phones(text: str) -> list[Found[Phone]]:
    """The phone numbers of a folded text: with + or a leading 0, in the American way, or after a word that says so."""
    found = []
    dates = [(date.start, date.end) for date in date_places(text)]
    for start, end, run in _runs(text):
        digits = re.sub(r"\D", "", run)
        before = text[max(0, start - 40) : start]
        labelled = bool(_LABEL.search(before))
        dialled = run.startswith(("+", "0", "(0")) or bool(_AMERICAN.fullmatch(run))
        fewest = _FEWEST_LABELLED if labelled else _FEWEST
        if not fewest <= len(digits) <= _MOST or not (labelled or dialled) or _ORDER_BEFORE.search(before):
            continue
        if digits.startswith("000") or any(start < last and first < end for first, last in dates):
            continue
        found.append(Found(start, end, _phone(run)))
    return found


def _runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Digits with what may stand between the parts of a phone number."""
    for match in _RUN.finditer(text):
        yield match.start(), match.end(), match[0]


def _phone(run: str) -> Phone:
    plain = run.replace("(0)", "")
    digits = re.sub(r"\D", "", plain)
    if plain.startswith("+"):
        return Phone(digits, with_country=True)
    if digits.startswith("00"):
        return Phone(digits[2:], with_country=True)
    return Phone(digits.removeprefix("0"), with_country=False)


def _index(text: str, case: GateCase) -> Callable[[Phone], bool]:
    known = {_phone(run) for _, _, run in _runs(text) if len(re.sub(r"\D", "", run)) >= _FEWEST_LABELLED}
    language = language_code(case.tickets[-1].language) if case.tickets else ""
    return lambda phone: any(phone.is_same(other, language) for other in known)


RULE: Final = Rule(
    name="phones",
    version=1,
    about="Phone numbers stand in the ticket, your messages, the handbook or the allow-list.",
    check=occurs_check("phone number", "phone numbers", find_phones, _index),
    parameters={"allow": "numbers that may always be given, such as the help desk's own"},
)
