"""Reads the pieces of an answer as compatible servers really send them, whatever is missing or null."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from storage.values import Json, JsonObject


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """What one event of a stream, or one whole answer, holds.

    Attributes:
        text: "" where it brings none.
        finish_reason: "" until the server gives one.
        usage: the server's figures without the nulls that some send; {} where it gives none.
    """

    text: str = ""
    finish_reason: str = ""
    usage: JsonObject = field(default_factory=dict)


def read_piece(event: Json) -> AnswerPiece:
    """Read one event; what is not there is left empty.

    Raises:
        ValueError: the event is no object.
    """
    if not isinstance(event, Mapping):
        raise ValueError("an event of the stream is no object")
    usage = event.get("usage")
    figures = {name: value for name, value in usage.items() if value is not None} if isinstance(usage, Mapping) else {}
    choice = _first_choice(event.get("choices"))
    delta = choice.get("delta") or choice.get("message")
    reason = choice.get("finish_reason")
    return AnswerPiece(
        text=_text(delta) if isinstance(delta, Mapping) else "",
        finish_reason=reason if isinstance(reason, str) else "",
        usage=figures,
    )


def _first_choice(choices: Json) -> JsonObject:
    match choices:
        case [Mapping() as first, *_]:
            return first
        case _:
            return {}


def _text(delta: JsonObject) -> str:
    """What the model said; a refusal is what it said as well."""
    said = (delta.get("content"), delta.get("refusal"))
    return "".join(part for part in said if isinstance(part, str))
