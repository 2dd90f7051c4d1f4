"""How much the fake server reads of a request, chosen by the model's name, and a tokenizer that is nobody's."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from fake_openai_troubles import Reply, error_body

WINDOW: Final = 2_048
"""What the models with a small window take."""

PER_MESSAGE: Final = 9
PER_REQUEST: Final = 30

_PIECE: Final = re.compile(r"\w{1,3}|[^\w\s]|\s{2,}")
_NAMES_IT: Final = Reply(
    400,
    error_body(
        f"request exceeds the available context size ({WINDOW} tokens), try increasing it",
        "exceed_context_size_error",
        400,
        n_ctx=WINDOW,
    ),
)
_NAMES_NOTHING: Final = Reply(400, {"error": "the input length exceeds the context length"})


class SizeScript(StrEnum):
    """Models whose server counts in its own way, and what else it does."""

    COUNTS_OTHERWISE = "counts-otherwise"
    DROPS_SILENTLY = "drops-silently"
    SMALL_WINDOW = "window-2048"
    SMALL_WINDOW_UNNAMED = "window-2048-unnamed"


def other_tokens(texts: Sequence[str]) -> int:
    """Count a request of these messages: words in pieces of three letters, and what this server's format adds."""
    return PER_REQUEST + sum(PER_MESSAGE + len(_PIECE.findall(text)) for text in texts)


def read_of(model: str, texts: Sequence[str]) -> Reply | int | None:
    """What is read of a request: so many tokens, or its refusal; None where this is no model of these."""
    if model not in set(SizeScript):
        return None
    tokens = other_tokens(texts)
    match SizeScript(model):
        case SizeScript.DROPS_SILENTLY if tokens > WINDOW:
            return WINDOW // 2 + 2
        case SizeScript.SMALL_WINDOW if tokens > WINDOW:
            return _NAMES_IT
        case SizeScript.SMALL_WINDOW_UNNAMED if tokens > WINDOW:
            return _NAMES_NOTHING
        case _:
            return tokens
