"""Reads what a server says about a failure, in any of the shapes that compatible servers use."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final

from assistant.tokens.context_limits import window_in
from storage.values import Json

MAX_QUOTED: Final = 300
"""Characters of a server's own words that a message repeats."""

_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class ServerWords:
    """What a server said about a failure.

    Attributes:
        code: its code and type, as it gave them.
        text: its sentence, shortened; foreign text.
        window: the tokens that its model takes, where it names them.
    """

    code: str = ""
    text: str = ""
    window: int | None = None

    @property
    def all(self) -> str:
        """Code and sentence, to look for what is meant."""
        return f"{self.code} {self.text}"

    @property
    def quoted(self) -> str:
        """The sentence to stand after a colon, or nothing."""
        return f": {self.text.rstrip('.')}" if self.text else ""


def read_words(body: str) -> ServerWords:
    """Find the words in the body of an error: JSON of any of the known shapes, a web page, or plain text."""
    try:
        document: Json = json.loads(body)
    except (ValueError, RecursionError):
        if body.lstrip().startswith("<"):
            title = _TITLE.search(body)
            return ServerWords(text=shortened(title[1]) if title else "")
        return ServerWords(text=shortened(body), window=window_in(body))
    return words_of(document.get("error", document) if isinstance(document, Mapping) else document)


def words_of(error: object) -> ServerWords:
    """Find the words in the value of an "error" field."""
    match error:
        case str():
            return ServerWords(text=shortened(error), window=window_in(error))
        case Mapping():
            code = " ".join(str(error[name]) for name in ("code", "type") if error.get(name) not in (None, ""))
            said = (error.get(name) for name in ("message", "detail", "error"))
            text = next((words for words in said if isinstance(words, str)), "")
            window = error.get("n_ctx")
            return ServerWords(code, shortened(text), window if isinstance(window, int) else window_in(text))
        case _:
            return ServerWords()


def shortened(text: str) -> str:
    """Foreign text on one line, not too long."""
    text = " ".join(text.split())
    return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks us to wait, from `retry-after-ms` or `Retry-After` (seconds or a date)."""
    milliseconds, seconds = headers.get("retry-after-ms", ""), headers.get("retry-after", "")
    try:
        if milliseconds:
            return max(0.0, float(milliseconds) / 1000)
        if seconds:
            return max(0.0, float(seconds))
    except ValueError:
        pass
    try:
        wait = parsedate_to_datetime(seconds) - parsedate_to_datetime(headers["date"])
    except (ValueError, KeyError, TypeError):
        return None
    return max(0.0, wait.total_seconds())
