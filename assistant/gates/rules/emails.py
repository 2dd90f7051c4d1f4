"""E-mail addresses: every one in the reply is one of the ticket, the agent or the handbook."""

import re
from collections.abc import Callable
from typing import Final

from assistant.gates.case import GateCase
from assistant.gates.occurrence import Found, occurs_check
from assistant.gates.rule import Rule

_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+%-]{1,64}@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24}(?!\w)")


def find_emails(text: str) -> list[Found[str]]:
    """The addresses of a folded text, in small letters."""
    return [Found(match.start(), match.end(), match[0].casefold()) for match in _EMAIL.finditer(text)]


def _index(text: str, _: GateCase) -> Callable[[str], bool]:
    known = {found.value for found in find_emails(text)}
    return lambda address: address in known


RULE: Final = Rule(
    name="emails",
    version=1,
    about="E-mail addresses stand in the ticket, your messages, the handbook or the allow-list.",
    check=occurs_check("e-mail address", "e-mail addresses", find_emails, _index),
    parameters={"allow": "addresses that may always be given, such as the help desk's own"},
)
