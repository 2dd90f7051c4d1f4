"""Text of format=flowed (RFC 3676): lines that a mail program broke, joined again."""

import re
from typing import Final

_QUOTES: Final = re.compile(r">*")


def unflow(text: str, *, delete_space: bool) -> str:
    """Join the lines that end with a space to the next of the same quote depth; signatures keep their line."""
    result: list[str] = []
    paragraph: list[str] = []
    depth = -1
    for line in text.split("\n"):
        quotes = _QUOTES.match(line)
        line_depth = quotes.end() if quotes else 0
        words = line[line_depth:].removeprefix(" ")
        if paragraph and (line_depth != depth or words == "-- "):
            result.append(_line(depth, paragraph))
            paragraph = []
        depth = line_depth
        flows = words.endswith(" ") and words != "-- "
        paragraph.append(words[:-1] if flows and delete_space else words)
        if not flows:
            result.append(_line(depth, paragraph))
            paragraph = []
    if paragraph:
        result.append(_line(depth, paragraph))
    return "\n".join(result)


def _line(depth: int, paragraph: list[str]) -> str:
    words = "".join(paragraph)
    return f"{'>' * depth} {words}" if depth else words
