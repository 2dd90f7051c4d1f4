"""Which model answers, where it runs, and how long to wait for it."""

from dataclasses import dataclass, field
from typing import Final

DEFAULT_MODEL: Final = "gpt-4.1-mini"
OPENAI_URL: Final = "https://api.openai.com/v1"
_SHORTEST_SECRET: Final = 8
"""Characters; shorter keys are placeholders for local servers, which may be words of any sentence."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds to wait for a server.

    Attributes:
        connect_s: until the connection stands.
        first_byte_s: from there to the first byte of the answer; a local model may have to be loaded first.
        between_chunks_s: from one piece of the answer to the next.
    """

    connect_s: float = 10.0
    first_byte_s: float = 120.0
    between_chunks_s: float = 60.0


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """One choice of model.

    Attributes:
        base_url: of an OpenAI-compatible server, up to and with "/v1"; "" means OpenAI itself.
        api_key: never shown, recorded or part of a repr; "" where the server wants none.
        temperature, max_output_tokens: left to the server where None.
    """

    model: str = DEFAULT_MODEL
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    temperature: float | None = None
    max_output_tokens: int | None = None
    timeouts: Timeouts = field(default_factory=Timeouts)

    @property
    def names_a_model(self) -> bool:
        """A key or a server is configured, so that a model can be asked."""
        return bool(self.api_key or self.base_url)

    def without_key(self, text: str) -> str:
        """Take the key out of what a server said, should it have echoed it."""
        return text.replace(self.api_key, "[API key]") if len(self.api_key) >= _SHORTEST_SECRET else text
