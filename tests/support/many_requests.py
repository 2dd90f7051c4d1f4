"""Many requests over a real connection, with retries, streams and failures of many kinds."""

from collections.abc import Sequence
from typing import Final

from fake_openai import FakeOpenAI, Received, Trouble
from turn_desk import TurnDesk, a_desk, collected

from assistant.provider.model_settings import ModelSettings
from assistant.provider.openai_provider import OpenAIProvider
from storage.store import Store

MODELS: Final = (
    Trouble.NONE,
    Trouble.RATE_TWICE,
    Trouble.UNAVAILABLE_ONCE,
    Trouble.RESET_ONCE,
    Trouble.NO_STREAM_OPTIONS,
    Trouble.SERVER_ERROR,
    Trouble.CONTEXT,
    Trouble.RESET_MIDWAY,
    Trouble.CLEAN_CUT,
    Trouble.SPLIT_UTF8,
    Trouble.NOT_STREAMED,
)


async def _no_sleep(seconds: float) -> None:
    """Do not wait."""


async def many_requests(store: Store, at_least: int, models: Sequence[Trouble] = MODELS) -> list[Received]:
    """Ask in turn until a server has got so many requests; returns what it got, in order."""
    received: list[Received] = []
    while len(received) < at_least:
        # A new server each round: those that pass after a while begin anew.
        with FakeOpenAI() as server:
            for model in models:
                provider = OpenAIProvider(ModelSettings(model, server.url, "sk-0123456789"), sleep=_no_sleep)
                await _one_turn(a_desk(store, provider), f"T-{model}", len(received) + len(server.requests))
                await provider.aclose()
            received += server.requests
    return received


async def _one_turn(desk: TurnDesk, ticket_id: str, number: int) -> None:
    conversation = desk.opened(ticket_id, f"Où est mon colis ? ✉ {ticket_id}")
    await collected(desk.send(conversation, f"question {number} 🇫🇷"))
