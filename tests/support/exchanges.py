"""An `ExchangeLog` that keeps what it is told, in order."""

from assistant.provider.provider import Exchange


class KeptExchanges:
    """What a provider reported.

    Attributes:
        bodies: what left, one a call.
        exchanges: what came back, one a call that left.
        attempts: the attempt's number, for each report in order ("sending 1", "received 1", …).
        refusal: raised instead of letting a body out.
    """

    def __init__(self, refusal: Exception | None = None) -> None:
        self.bodies: list[bytes] = []
        self.exchanges: list[Exchange] = []
        self.attempts: list[str] = []
        self.refusal = refusal

    async def sending(self, attempt: int, body: bytes) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.attempts.append(f"sending {attempt}")
        self.bodies.append(body)

    async def received(self, attempt: int, exchange: Exchange) -> None:
        self.attempts.append(f"received {attempt}")
        self.exchanges.append(exchange)
