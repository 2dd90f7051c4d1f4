"""The greeting: the name in it is the customer's."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from assistant.facts.people import signature
from assistant.gates.case import GateCase
from assistant.gates.greeting_words import FORMS_OF_ADDRESS, GREETING, LINKS, NOBODY, SHORTENED
from assistant.gates.rule import Finding, Rule, failed, passed, quoted, strings, unknown
from storage.tickets import Role
from storage.values import JsonObject

_SHORTENED: Final = "".join(rf"(?<!\b{word})" for word in ("[A-Z]", *SHORTENED))
_END: Final = re.compile(rf"[,;:!?\n\u2026(]|{_SHORTENED}\.(?=\s|$)| - |--")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*\.?")
_HONORIFIC: Final = re.compile(r"^\s*(\S{1,20}?)\s?(?:様|さん|さま|님)")
_INFLECTED: Final = frozenset({"pl", "cs", "sk", "hr", "sr", "bg", "uk", "ru", "lt", "lv", "el", "ro"})
"""Languages in which a name has another ending where somebody is addressed."""


def _check(case: GateCase, parameters: JsonObject) -> Finding:
    known = _names(case, parameters)
    greeted = _greeted(case.folded.text)
    if not greeted:
        return unknown("The reply greets nobody by name.")
    if not known:
        return unknown("The ticket does not say what the customer is called.")
    words = case.folded.words(greeted[0][0], greeted[-1][1])
    strange = [
        case.folded.words(start, end) for start, end in greeted if not _is_known(case.folded.text[start:end], known)
    ]
    if not strange:
        return passed(f"{quoted([words])} is the customer.", [words])
    names = ", ".join(dict.fromkeys(ticket.customer for ticket in case.tickets if ticket.customer.strip()))
    if case.tickets and case.tickets[-1].language in _INFLECTED and all(_is_form(word.text, known) for word in strange):
        return unknown(f"{quoted(strange)} may be a form of the customer's name.", strange)
    who = f"The customer is {names}" if names else "The customer signs otherwise"
    return failed(f"{who}, and the reply greets {quoted([words])}.", strange)


def _greeted(text: str) -> list[tuple[int, int]]:
    """Where the parts of the name in the greeting stand; none where there is no name in it."""
    start = len(text) - len(text.lstrip())
    end_of_line = text.find("\n", start)
    line_end = len(text) if end_of_line < 0 else end_of_line
    if honorific := _HONORIFIC.match(text[start:line_end]):
        return [(start + honorific.start(1), start + honorific.end(1))]
    greeting = GREETING.match(text, start)
    if greeting is None:
        return []
    at = greeting.end()
    while again := GREETING.match(text, at, line_end):
        at = again.end()
    end = _END.search(text, at, line_end)
    stop = end.start() if end else line_end
    return list(_name(text, at, stop))


def _name(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """The words of a name: those after titles, up to one in small letters."""
    found = False
    for match in _WORD.finditer(text, start, stop):
        word = match[0].rstrip(".")
        plain = word.casefold()
        if plain in FORMS_OF_ADDRESS or (found and plain in LINKS):
            continue
        if plain in NOBODY or (word[0].islower() and word[0] != word[0].upper()):
            return
        found = True
        yield match.start(), match.start() + len(word)


def _names(case: GateCase, parameters: JsonObject) -> frozenset[str]:
    """The parts of every name that the customer goes by in the ticket."""
    texts = list(strings(parameters.get("allow")))
    for ticket in case.tickets:
        texts.append(ticket.customer)
        for message in ticket.messages:
            if message.role is Role.CUSTOMER and not message.internal:
                texts.append(message.author)
                if (signed := signature(message.text)) is not None:
                    texts.append(signed.name)
    parts = (part for text in texts for part in _parts(text))
    return frozenset(part for part in parts if part not in FORMS_OF_ADDRESS and len(part) > 1)


def _parts(text: str) -> Iterator[str]:
    """A name's words without accents, whole and by their halves; of an address, what stands before the @."""
    for word in re.split(r"[\s,;()<>\"/]+", text.partition("@")[0] if "@" in text else text):
        plain = _plain(word)
        if plain:
            yield plain
            yield from filter(None, re.split(r"[-'._\d]+", plain))


def _is_known(word: str, known: frozenset[str]) -> bool:
    plain = _plain(word)
    bare = plain[:-2] if plain.endswith("'s") else plain
    if bare in known or (len(bare) == 1 and any(part.startswith(bare) for part in known)):
        return True
    halves = [half for half in re.split(r"[-']+", bare) if half]
    return len(halves) > 1 and all(half in known for half in halves)


def _is_form(word: str, known: frozenset[str]) -> bool:
    """It begins as a part of a known name does, and only its ending is another."""
    plain = _plain(word)
    return any(len(part) > 3 and plain[: len(part) - 1] == part[:-1] for part in known)


def _plain(word: str) -> str:
    """Small letters without accents; ß and umlauts as they are written without them."""
    spelt = word.casefold().replace("ae", "a").replace("oe", "o").replace("ue", "u").strip(".,")
    decomposed = unicodedata.normalize(
        "NFKD", spelt.replace("ø", "o").replace("ł", "l").replace("æ", "a").replace("\u0131", "i")
    )
    return "".join(character for character in decomposed if not unicodedata.combining(character))


RULE: Final = Rule(
    name="greeting",
    version=1,
    about="The name in the greeting is the customer's.",
    check=_check,
    parameters={"allow": "names that may always be greeted"},
)
