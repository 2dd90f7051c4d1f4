"""The language: the reply is in the ticket's."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from assistant.builtin.wish_words import INTO, LANGUAGES, fold
from assistant.gates.case import GateCase
from assistant.gates.languages import Spoken, are_close, spoken
from assistant.gates.rule import Finding, Rule, failed, passed, strings, unknown
from storage.importers.languages import language_code
from storage.values import JsonObject

_TICKET: Final = "ticket"
_NAMES: Final = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "nl": "Dutch",
    "pt": "Portuguese", "sv": "Swedish", "da": "Danish", "no": "Norwegian", "pl": "Polish", "cs": "Czech",
    "fi": "Finnish", "hu": "Hungarian", "ro": "Romanian", "tr": "Turkish", "el": "Greek", "ru": "Russian",
    "uk": "Ukrainian", "ja": "Japanese", "zh": "Chinese", "ko": "Korean", "ar": "Arabic", "he": "Hebrew",
}  # fmt: skip


def _check(case: GateCase, parameters: JsonObject) -> Finding:
    reply = spoken(case.reply)
    demanded = [language_code(name) for name in strings(parameters.get("is")) if name != _TICKET]
    expected = demanded or _of_ticket(case)
    if not expected:
        return unknown("The ticket's language is not known.")
    wanted = " or ".join(map(_name, expected))
    whose = "as the task demands" if demanded else "as the ticket is"
    if reply.language and any(are_close(reply.language, language) for language in expected):
        return passed(f"The reply is in {wanted}, {whose}.")
    if not reply.language:
        return _unsure(reply, expected)
    if not demanded and reply.language in _asked_for(case.said):
        return unknown(f"The reply is in {_name(reply.language)}, as you asked; the ticket is in {wanted}.")
    if any(reply.may_be(language) for language in expected):
        return unknown(f"The reply may be in {_name(reply.language)} or in {wanted}.")
    subject = "the task demands" if demanded else "the ticket is in"
    return failed(f"The reply is in {_name(reply.language)}, and {subject} {wanted}.")


def _unsure(reply: Spoken, expected: Sequence[str]) -> Finding:
    """Too short, or the witnesses disagree; one of them is enough where it names what is expected."""
    if any(reply.may_be(language) for language in expected):
        return passed(f"The reply seems to be in {' or '.join(map(_name, expected))}.")
    return unknown("The reply is too short, or too mixed, to tell its language.")


def _of_ticket(case: GateCase) -> list[str]:
    """The language that the ticket's source names, and that of the customer's newest message where it can be told."""
    if not case.tickets:
        return []
    named = language_code(case.tickets[-1].language)
    texts = case.customer_texts
    newest = spoken(texts[-1]).language if texts else ""
    if not named and not newest:
        newest = spoken("\n".join((case.tickets[-1].subject, *texts))).language
    return list(dict.fromkeys(filter(None, (named, newest))))


def _asked_for(said: Sequence[str]) -> frozenset[str]:
    """Languages that the agent named after "in" or the like ("now in English")."""
    codes = {name: code for code, names in LANGUAGES.items() for name in names}
    asked = set()
    for text in said:
        words = fold(text)
        asked |= {codes[word] for before, word in pairwise(words) if word in codes and before in INTO}
        if words and words[0] in codes:
            asked.add(codes[words[0]])
    return frozenset(asked)


def _name(language: str) -> str:
    return _NAMES.get(language, f"“{language}”")


RULE: Final = Rule(
    name="language",
    version=1,
    about="The reply is in the ticket's language.",
    check=_check,
    parameters={"is": "a language, such as en, in the place of the ticket's"},
)
