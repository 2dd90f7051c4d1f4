import json
from pathlib import Path

import pytest
from exchanges import KeptExchanges

from assistant.builtin.assistant import PACE_S, BuiltinAssistant
from assistant.errors import RepliesError
from assistant.plan.messages import Message
from assistant.plan.rendering import TICKET_LEAD
from assistant.provider.provider import Ended, Prompt, Provider, TextChunk

TICKET = Message(
    "user",
    f'{TICKET_LEAD}\n{{"id": "T-1", "subject": "Where is my parcel?", "customer": "Ada Byron", "language": "en", '
    '"messages": [{"author": "Ada", "role": "customer", "text": "It has not arrived. Größe ✂"}]}',
)
CHAIN = (Message("system", "Draft."), TICKET, Message("user", "draft a reply", name="camille"))


async def _nothing(seconds: float) -> None:
    raise AssertionError(f"waited {seconds}")


async def test_the_answer_comes_word_by_word_and_adds_up() -> None:
    log = KeptExchanges()
    chunks = [chunk async for chunk in BuiltinAssistant(pace_s=0, sleep=_nothing).stream(Prompt(CHAIN), log)]
    words = [chunk.text for chunk in chunks if isinstance(chunk, TextChunk)]
    assert chunks[-1] == Ended("stop")
    assert "".join(words).startswith("Hello Ada Byron,\n\nThank you for your message")
    assert "".join(words).endswith("Your customer care team")
    assert len(words) > 50
    assert all(len(word.split()) == 1 for word in words)


async def test_what_was_handed_over_and_what_was_answered_is_recorded() -> None:
    log = KeptExchanges()
    text = ""
    async for chunk in BuiltinAssistant(pace_s=0).stream(Prompt(CHAIN), log):
        text += chunk.text if isinstance(chunk, TextChunk) else ""
    assert log.attempts == ["sending 1", "received 1"]
    assert json.loads(log.bodies[0]) == {
        "model": "saved-replies",
        "messages": [
            {"role": "system", "content": "Draft."},
            {"role": "user", "content": TICKET.content},
            {"role": "user", "content": "draft a reply", "name": "camille"},
        ],
    }
    assert "Größe ✂".encode() in log.bodies[0]
    [exchange] = log.exchanges
    assert exchange.response is not None
    assert json.loads(exchange.response) == {
        "saved_reply": "late-delivery",
        "language": "en",
        "variant": "standard",
        "text": text,
    }
    assert (exchange.status_code, exchange.usage, exchange.error) == (None, {}, "")


async def test_nothing_is_answered_before_what_was_handed_over_is_recorded() -> None:
    log = KeptExchanges(refusal=RuntimeError("disk full"))
    with pytest.raises(RuntimeError, match="disk full"):
        await anext(aiter(BuiltinAssistant(pace_s=0).stream(Prompt(CHAIN), log)))
    assert log.exchanges == []


async def test_it_waits_between_words_at_its_pace() -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    chunks = [chunk async for chunk in BuiltinAssistant(sleep=sleep).stream(Prompt(CHAIN), KeptExchanges())]
    assert waits == [PACE_S] * (len(chunks) - 2)


async def test_stopping_it_records_what_was_given_until_then() -> None:
    log = KeptExchanges()
    stream = BuiltinAssistant(pace_s=0).stream(Prompt(CHAIN), log)
    first = await anext(stream)
    assert isinstance(first, TextChunk)
    await stream.aclose()
    [exchange] = log.exchanges
    assert exchange.response is not None
    assert json.loads(exchange.response)["text"] == first.text
    assert exchange.error == "The answer was stopped."


def test_it_says_that_it_is_no_model_and_is_a_provider() -> None:
    provider: Provider = BuiltinAssistant()
    assert not provider.is_model
    assert (provider.name, provider.model, provider.author) == ("built-in", "saved-replies", "built-in assistant")
    assert (provider.base_url, provider.params()) == ("", {})


def test_a_folder_that_cannot_be_used_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(RepliesError, match="is no folder"):
        BuiltinAssistant(tmp_path / "missing")
