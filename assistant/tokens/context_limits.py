"""How many tokens a model takes, out of the many sentences in which servers refuse a request that is too long."""

import re
from typing import Final

SMALLEST: Final = 128
LARGEST: Final = 100_000_000
"""Numbers outside are no window."""

_MOST_CHARACTERS: Final = 10_000
"""A sentence that names a limit comes early; a whole request that a server repeats is not looked through."""

_NUMBER: Final = r"(\d[\d,_]*)"
_TOO_LONG: Final = re.compile(
    r"context[ _-]?(?:length|size|window|limit)|maximum (?:model|prompt|input) length|max_model_len|n_ctx"
    r"|prompt (?:is )?too long|input (?:token count|is too long|length|tokens exceed)|input validation error: .inputs."
    r"|too many (?:input )?tokens|maximum number of tokens|reduce the length|(?:request|prompt|input) (?:is )?too large"
    r"|too large for model|.inputs. (?:tokens|must have)|tokens in the prompt cannot exceed|while limit is",
    re.IGNORECASE,
)
_LIMITS: Final = tuple(
    re.compile(pattern.replace("#", _NUMBER), re.IGNORECASE)
    for pattern in (
        # what a request was measured against, after its own size
        r"exceed context limit: [\d\s,+]+> ?#",
        r"tokens? > # maximum",
        r"n_ctx\W{1,4}#",
        # the limit by its name, before the number
        r"context (?:length|size|window|limit)(?: of the model)? (?:is |of |at )?(?:only )?\(?#",
        r"(?:maximum|max)(?: allowed)? (?:model|prompt|input|context|sequence) (?:length|size)"
        r"(?: is| of|:)?(?: only)? ?\(?#",
        r"(?:available|configured) (?:context size|limit)(?: of| is)? ?\(?#",
        r"tokens allowed (?:is |of )?\(?#",
        r"must be <= #",
        r"must have less than # tokens",
        r"cannot exceed #",
        r"while limit is #",
        r"limit(?: is| of|:)? #",
        # and after it
        r"with # maximum context length",
        r"maximum of # tokens",
    )
)
"""In the order in which they are tried. A number of tokens by which something is exceeded is none of these."""


def is_too_long(words: str) -> bool:
    """A server's words say that the request was too long for its model."""
    return bool(_TOO_LONG.search(words))


def window_in(words: str) -> int | None:
    """The tokens that a model takes, prompt and answer together, where a server's words name them."""
    for pattern in _LIMITS:
        if found := pattern.search(words[:_MOST_CHARACTERS]):
            tokens = int(re.sub(r"\D", "", found[1]))
            if SMALLEST <= tokens <= LARGEST:
                return tokens
    return None
