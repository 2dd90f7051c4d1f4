"""The provider and the turns against a real engine with a small model: no script, but llama.cpp's own server."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest
from exchanges import KeptExchanges
from real_model import CONTEXT_TOKENS, missing, real_server
from turn_desk import TASK, a_desk, collected, ended, shown

from assistant.errors import Fault, ProviderError
from assistant.plan.messages import Message, ToolCall
from assistant.plan.plan import PlanSettings
from assistant.provider.model_settings import ModelSettings, Timeouts
from assistant.provider.openai_provider import OpenAIProvider
from assistant.provider.provider import Chunk, Ended, Prompt, TextChunk, ToolCalls, Waiting
from assistant.tasks.contracts import read_answer
from assistant.tasks.registry import Tasks
from assistant.tools.specs import SEARCH
from storage.interactions import Status
from storage.sqlite_store import memory_store

pytestmark = [pytest.mark.realmodel, pytest.mark.skipif(bool(missing()), reason=missing())]

# The engine shares two slow processors with other tests.
PATIENT = Timeouts(30, 300, 300)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with real_server() as address:
        yield address


@pytest.fixture
async def provider(url: str) -> AsyncIterator[OpenAIProvider]:
    settings = ModelSettings(model="smollm2", base_url=url, temperature=0, max_output_tokens=48, timeouts=PATIENT)
    made = OpenAIProvider(settings)
    yield made
    await made.aclose()


async def asked(provider: OpenAIProvider, prompt: Prompt) -> list[Chunk]:
    return [chunk async for chunk in provider.stream(prompt, KeptExchanges())]


def said(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, TextChunk))


def figures(chunks: list[Chunk]) -> dict[str, object]:
    (ended_with,) = (chunk for chunk in chunks if isinstance(chunk, Ended))
    return dict(ended_with.usage)


async def test_an_answer_streams_into_the_record_and_the_next_one_finds_its_beginning_cached(
    provider: OpenAIProvider,
) -> None:
    store = memory_store()
    desk = a_desk(store, provider, settings=PlanSettings(budget=CONTEXT_TOKENS))
    conversation = desk.opened(text="Where is my parcel? " * 30)

    events = await collected(desk.send(conversation, "Draft a short reply."))
    again = await desk.asked(conversation, "Shorter.")

    first = ended(events).answer
    assert first.status in (Status.COMPLETE, Status.LENGTH)
    assert shown(events).strip()
    (request,) = store.requests(conversation.id, first.id)
    (next_request,) = store.requests(conversation.id, again.id)
    assert isinstance(request.usage["prompt_tokens"], int)
    details = next_request.usage["prompt_tokens_details"]
    assert isinstance(details, dict)
    assert details["cached_tokens"] >= request.usage["prompt_tokens"] // 2
    store.close()


async def test_a_contract_is_kept_because_the_server_enforces_it(provider: OpenAIProvider) -> None:
    task = Tasks().get("self-check")
    chain = (Message("system", task.system), Message("user", '{"request": "Say hello.", "answer": "Hello."}'))
    assert task.contract is not None
    # A model of this size would go on for ever in a text without an end.
    contract = {**task.contract, "properties": {"fulfilled": {"type": "boolean"}}, "required": ["fulfilled"]}

    chunks = await asked(provider, Prompt(chain, replace(task, contract=contract)))

    assert not any(isinstance(chunk, Waiting) for chunk in chunks)
    assert read_answer(said(chunks), contract).fits


async def test_what_is_too_long_is_refused_with_the_size_that_it_takes(provider: OpenAIProvider) -> None:
    with pytest.raises(ProviderError) as caught:
        await asked(provider, Prompt((Message("user", "word " * 3 * CONTEXT_TOKENS),)))

    assert (caught.value.fault, caught.value.status_code) == (Fault.CONTEXT, 400)
    assert f"{CONTEXT_TOKENS:,} tokens" in caught.value.message


def called(number: int, query: str) -> list[Message]:
    call = ToolCall(f"call_{number}", SEARCH.name, json.dumps({"query": query}))
    return [
        Message("user", query),
        Message("assistant", "", tool_calls=(call,)),
        Message("tool", '{"passages": []}', tool_call_id=call.id),
        Message("assistant", "Nothing."),
    ]


async def test_a_call_of_a_tool_is_put_together_and_its_result_is_taken(provider: OpenAIProvider) -> None:
    before = [
        message for number, query in enumerate(("refunds", "delivery", "returns")) for message in called(number, query)
    ]
    chain = (Message("system", "Search before you answer."), *before, Message("user", "warranty"))

    chunks = await asked(provider, Prompt(chain, TASK, tools=(SEARCH,)))

    ((call,),) = [chunk.calls for chunk in chunks if isinstance(chunk, ToolCalls)]
    assert call.name == SEARCH.name
    assert call.id
    assert json.loads(call.arguments).keys() == {"query"}
    assert not any(isinstance(chunk, Waiting) for chunk in chunks)

    result = Message("tool", '{"passages": []}', tool_call_id=call.id)
    traffic = (Message("assistant", "", tool_calls=(call,)), result)
    answer = await asked(provider, Prompt((*chain, *traffic), TASK, tools=(SEARCH,), must_answer=True))

    assert said(answer).strip()
    assert figures(answer)["prompt_tokens"]
