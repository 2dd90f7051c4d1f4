"""Reading JSON that may hold anything: each helper gives its type, or nothing of it."""

import json
import re
from collections.abc import Mapping
from typing import Final

from storage.importers.times import read_time
from storage.values import Json, JsonObject

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LONGEST_NAME: Final = 80


def text_of(value: Json) -> str:
    """Return a text, "" where there is none."""
    return value if isinstance(value, str) else ""


def id_of(value: Json) -> str:
    """Return an id, which some programs write as a number; "" where there is none."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else text_of(value)


def object_of(value: Json) -> JsonObject:
    """Return an object, an empty one where there is none."""
    return value if isinstance(value, Mapping) else {}


def list_of(value: Json) -> list[Json]:
    """Return a list, an empty one where there is none."""
    return list(value) if isinstance(value, list) else []


def items_of(value: Json) -> list[Json]:
    """Return the items of a list; what stands there without one is its only item, and null is none."""
    return list_of(value) if isinstance(value, list | None) else [value]


def plain_text(value: Json) -> str:
    """Return a text, also one that is written as a number or stands in an object as its "text"; "" where none is."""
    match value:
        case str():
            return value
        case int() | float() if not isinstance(value, bool):
            return str(value)
        case {"text": str(text)}:
            return text
        case _:
            return ""


def ids_of(value: Json) -> tuple[str, ...]:
    """Return the ids of a list."""
    return tuple(found for each in list_of(value) if (found := id_of(each)))


def time_of(value: Json) -> int | None:
    """Return a time in microseconds since 1970 UTC, None where there is none that can be right."""
    return read_time(value).at if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def name_of(value: Json) -> str:
    """Return a short name on one line, as it may stand inside a sentence."""
    return " ".join(text_of(value).split())[:_LONGEST_NAME]


def escaped(value: Json) -> str:
    """Write a value as JSON in ASCII, so that what no text can hold, such as a lone surrogate, is kept all the same."""
    try:
        return json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    except RecursionError:
        return '"nested too deeply to be repeated here"'


def has_surrogate(text: str) -> bool:
    """Tell whether a text holds half a character, which will be shown as U+FFFD."""
    return not text.isascii() and bool(_SURROGATE.search(text))
