"""Reads the pieces of an answer as compatible servers really send them, whatever is missing or null."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from storage.values import Json, JsonObject


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A piece of one call of a tool.

    Attributes:
        index: which call of the answer it belongs to; None where the server does not say.
        id, name, arguments: "" where it brings none.
    """

    index: int | None
    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """What one event of a stream, or one whole answer, holds.

    Attributes:
        text: "" where it brings none.
        finish_reason: "" until the server gives one.
        calls: pieces of calls of tools, for `assistant.provider.openai_calls`.
        usage: the server's figures without the nulls that some send; {} where it gives none.
        refused: words of the text are marked as a refusal.
    """

    text: str = ""
    finish_reason: str = ""
    calls: tuple[CallPiece, ...] = ()
    usage: JsonObject = field(default_factory=dict)
    refused: bool = False


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
    is_whole = not choice.get("delta")
    delta = choice.get("message") if is_whole else choice.get("delta")
    reason = choice.get("finish_reason")
    return AnswerPiece(
        text=_text(delta) if isinstance(delta, Mapping) else "",
        finish_reason=reason if isinstance(reason, str) else "",
        calls=_calls(delta.get("tool_calls"), is_whole=is_whole) if isinstance(delta, Mapping) else (),
        usage=figures,
        refused=isinstance(delta, Mapping) and bool(_word(delta.get("refusal"))),
    )


def _first_choice(choices: Json) -> JsonObject:
    match choices:
        case [Mapping() as first, *_]:
            return first
        case _:
            return {}


def _calls(entries: Json, *, is_whole: bool) -> tuple[CallPiece, ...]:
    """The calls in a delta, or those of a whole answer, which are numbered by their order."""
    if not isinstance(entries, list):
        return ()
    return tuple(
        _call(entry, position if is_whole else None)
        for position, entry in enumerate(entries)
        if isinstance(entry, Mapping)
    )


def _call(entry: JsonObject, position: int | None) -> CallPiece:
    index, function = entry.get("index"), entry.get("function")
    function = function if isinstance(function, Mapping) else {}
    arguments = function.get("arguments")
    return CallPiece(
        index=index if isinstance(index, int) and not isinstance(index, bool) else position,
        id=_word(entry.get("id")),
        name=_word(function.get("name")),
        # Some servers send what the arguments are instead of their JSON.
        arguments=json.dumps(arguments, ensure_ascii=False) if isinstance(arguments, Mapping) else _word(arguments),
    )


def _word(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _text(delta: JsonObject) -> str:
    """What the model said; a refusal is what it said as well."""
    said = (delta.get("content"), delta.get("refusal"))
    return "".join(part for part in said if isinstance(part, str))
