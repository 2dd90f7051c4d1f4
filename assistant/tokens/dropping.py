"""Whether a server read less than it was sent, told by how much its figure lies below ours and how good ours is."""

from dataclasses import dataclass
from typing import Final

from assistant.tokens.windows import known_server

_CHARACTERS_PER_TOKEN: Final = 6
"""No vocabulary in use makes longer tokens of whole texts."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One request, as it was sent and as its server says that it was read.

    Attributes:
        sent: tokens by our count.
        read: prompt tokens that the server reported.
        accuracy: of our count.
        characters: of all texts that were sent.
    """

    sent: int
    read: int
    accuracy: str
    characters: int

    @property
    def is_short(self) -> bool:
        """The server read so much less than was sent that it must have dropped a part."""
        missing = self.sent - self.read
        match self.accuracy:
            case "exact":
                return missing > 16 and missing > 0.03 * self.sent
            case "calibrated":
                return missing > 64 and missing > 0.15 * self.sent
            case _:
                is_far = missing > 64 and missing > 0.4 * self.sent
                return is_far and self.read < self.characters / _CHARACTERS_PER_TOKEN


def drop_warning(model: str, reading: Reading) -> str:
    """What happened, in one sentence."""
    about = "" if reading.accuracy == "exact" else "about "
    return (
        f"The server dropped part of the request: {model} read {reading.read:,} of {about}{reading.sent:,} tokens, so "
        "this answer may miss what the customer wrote."
    )


def drop_advice(base_url: str) -> str:
    """What to do about it."""
    server = known_server(base_url)
    if server is not None and server.name == "Ollama":
        larger = (
            "Give Ollama a larger context (start it with OLLAMA_CONTEXT_LENGTH=16384, or put PARAMETER num_ctx 16384 "
            "into the model's Modelfile) and configure window = 16384 here"
        )
    else:
        larger = "Load the model with a larger context"
    return (
        f"{larger}; or configure window (or --window) to what the server really takes, and older turns are left out "
        "where you see it. Then ask again."
    )
