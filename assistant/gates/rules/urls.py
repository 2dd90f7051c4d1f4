"""Links: every one in the reply is one of the ticket, the agent or the handbook, or leads to an allowed site."""

import re
from collections.abc import Callable
from typing import Final

from assistant.gates.case import GateCase
from assistant.gates.occurrence import Found, occurs_check
from assistant.gates.rule import Rule

_TOP_LEVEL: Final = (
    "com|org|net|info|biz|shop|store|app|dev|io|co|eu|de|at|ch|fr|be|lu|es|pt|it|nl|uk|ie|us|ca|se|dk|no|fi|pl|cz|"
    "example|test|invalid"
)
_URL: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>\"]+"
    rf"|(?<![\w@.+-])(?:[a-z0-9](?:[a-z0-9-]{{0,61}}[a-z0-9])?\.){{1,6}}(?:{_TOP_LEVEL})(?![\w@]|\.[\w])(?:/[^\s<>\"]*)?",
    re.IGNORECASE,
)
_TRAILING: Final = ".,;:!?'\"*_`>\u00bb\u201d\u2026"
_CLOSING: Final = {")": "(", "]": "[", "}": "{"}


def find_urls(text: str) -> list[Found[str]]:
    """The links of a folded text, written in one way."""
    found = []
    for match in _URL.finditer(text):
        end = match.start() + len(_without_punctuation(match[0]))
        found.append(Found(match.start(), end, _plain(text[match.start() : end])))
    return found


def _index(text: str, _: GateCase) -> Callable[[str], bool]:
    """A link with nothing but a site, alone on its line, as in an allow-list, stands for all that is below it."""
    known = {found.value for found in find_urls(text)}
    sites = {_plain(line.strip()) for line in text.splitlines() if _URL.fullmatch(line.strip())}
    sites = {site for site in sites if "/" not in site and "?" not in site}
    return lambda url: url in known or re.split(r"[/?#]", url, maxsplit=1)[0] in sites


def _without_punctuation(url: str) -> str:
    """The link without what the sentence around it put behind it."""
    while url:
        last = url[-1]
        opening = _CLOSING.get(last)
        if last in _TRAILING or (opening and url.count(last) > url.count(opening)):
            url = url[:-1]
        else:
            break
    return url


def _plain(url: str) -> str:
    """Small letters, without scheme, "www." and a slash at the end."""
    bare = re.sub(r"^(?:https?://)?(?:www\.)?", "", url.casefold())
    return bare.rstrip("/")


RULE: Final = Rule(
    name="urls",
    version=1,
    about="Links stand in the ticket, your messages, the handbook or the allow-list.",
    check=occurs_check("link", "links", find_urls, _index),
    parameters={"allow": "links that may always be given; a site alone, such as shop.example, allows all its pages"},
)
