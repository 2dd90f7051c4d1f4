"""Length: the reply is not empty and not longer than the task allows."""

from typing import Final

from assistant.gates.case import GateCase
from assistant.gates.rule import Finding, Rule, failed, number, passed
from storage.values import JsonObject

_MOST_CHARACTERS: Final = 6_000


def _check(case: GateCase, parameters: JsonObject) -> Finding:
    reply = case.reply.strip()
    words = len(reply.split())
    most_characters = number(parameters.get("max_characters"), _MOST_CHARACTERS)
    most_words = number(parameters.get("max_words"), most_characters)
    fewest_words = number(parameters.get("min_words"), 1)
    if len(reply) > most_characters:
        return failed(f"The reply has {len(reply):,} characters; at most {most_characters:,} are allowed.")
    if words > most_words:
        return failed(f"The reply has {words:,} words; at most {most_words:,} are allowed.")
    if words < fewest_words:
        return failed(f"The reply has {words:,} words; at least {fewest_words:,} are needed.")
    return passed(f"The reply has {words:,} words.")


RULE: Final = Rule(
    name="length",
    version=1,
    about="The reply is not empty and not too long.",
    check=_check,
    parameters={
        "max_characters": f"characters at most, {_MOST_CHARACTERS:,} where it is not said",
        "max_words": "words at most",
        "min_words": "words at least, 1 where it is not said",
    },
    numbers=frozenset({"max_characters", "max_words", "min_words"}),
)
