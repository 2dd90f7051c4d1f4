"""Calls of tools as servers send them, and servers that know none."""

from collections.abc import Sequence

import pytest
from exchanges import KeptExchanges
from fake_openai import FakeOpenAI
from fake_openai_tools import ToolScript
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.plan.messages import Message, ToolCall
from assistant.provider.model_settings import ModelSettings
from assistant.provider.openai_calls import MOST_CALLS, MOST_CHARACTERS, CallAssembler
from assistant.provider.openai_chunks import CallPiece, read_piece
from assistant.provider.openai_provider import OpenAIProvider
from assistant.provider.provider import Chunk, Ended, Prompt, TextChunk, ToolCalls, ToolSpec, Waiting

CHAIN = (Message("system", "Draft."), Message("user", "returns policy"))
SEARCH = ToolSpec("search_handbook", "Search.", {"type": "object", "properties": {"query": {"type": "string"}}})
PROMPT = Prompt(CHAIN, tools=(SEARCH,))
FIRST = ToolCall("call_a", "search_handbook", '{"query": "returns policy"}')
SECOND = ToolCall("call_b", "search_handbook", '{"query": "delivery"}')


async def asked(provider: OpenAIProvider, prompt: Prompt = PROMPT) -> list[Chunk]:
    return [chunk async for chunk in provider.stream(prompt, KeptExchanges())]


def provider_of(server: FakeOpenAI, model: str) -> OpenAIProvider:
    return OpenAIProvider(ModelSettings(model=model, base_url=server.url))


@pytest.mark.parametrize(
    ("script", "calls"),
    [
        (ToolScript.SEARCH, [FIRST]),
        (ToolScript.PARALLEL, [FIRST, SECOND]),
        (ToolScript.ALWAYS_ZERO, [FIRST, SECOND]),
        (ToolScript.NO_IDS, [FIRST._replace(id=""), SECOND._replace(id="")]),
        (ToolScript.OBJECTS, [FIRST]),
        (ToolScript.NOT_STREAMED, [FIRST, SECOND]),
        (ToolScript.BROKEN, [FIRST._replace(arguments='{"query": "ret')]),
    ],
)
async def test_calls_are_put_together_however_a_server_sends_them(script: ToolScript, calls: list[ToolCall]) -> None:
    with FakeOpenAI() as server:
        provider = provider_of(server, script)
        chunks = await asked(provider)
        await provider.aclose()

    assert [chunk.calls for chunk in chunks if isinstance(chunk, ToolCalls)] == [tuple(calls)]
    assert isinstance(chunks[-1], Ended)
    assert not any(isinstance(chunk, TextChunk | Waiting) for chunk in chunks)


async def test_what_is_said_before_a_call_is_given_out_as_it_comes() -> None:
    with FakeOpenAI() as server:
        provider = provider_of(server, ToolScript.SAYS_FIRST)
        chunks = await asked(provider)
        await provider.aclose()

    assert [type(chunk) for chunk in chunks] == [TextChunk, ToolCalls, Ended]


async def test_tools_and_their_traffic_stand_in_the_body() -> None:
    call = Message("assistant", "", tool_calls=(FIRST,))
    result = Message("tool", '{"passages": []}', tool_call_id="call_a")
    with FakeOpenAI() as server:
        provider = provider_of(server, ToolScript.SEARCH)
        await asked(provider, Prompt((*CHAIN, call, result), tools=(SEARCH,), must_answer=True))
        await provider.aclose()
        body = server.requests[0].json

    assert body["tools"] == [
        {
            "type": "function",
            "function": {
                "name": "search_handbook",
                "description": "Search.",
                "parameters": {"type": "object", "properties": {"query": {"type": "string"}}},
            },
        }
    ]
    assert body["tool_choice"] == "none"
    messages = body["messages"]
    assert isinstance(messages, list)
    assert messages[2:] == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_a",
                    "type": "function",
                    "function": {"name": "search_handbook", "arguments": '{"query": "returns policy"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_a", "content": '{"passages": []}'},
    ]


async def test_without_tools_the_body_names_none() -> None:
    with FakeOpenAI() as server:
        provider = provider_of(server, "ok")
        await asked(provider, Prompt(CHAIN))
        await provider.aclose()

    assert not server.requests[0].json.keys() & {"tools", "tool_choice"}


@pytest.mark.parametrize("script", [ToolScript.REFUSED_OLLAMA, ToolScript.REFUSED_LLAMA])
async def test_a_server_that_knows_no_tools_is_asked_without_them_from_then_on_and_that_is_said(
    script: ToolScript,
) -> None:
    with FakeOpenAI() as server:
        provider = provider_of(server, script)
        first, second = await asked(provider), await asked(provider)
        await provider.aclose()

    (waiting,) = [chunk for chunk in first if isinstance(chunk, Waiting)]
    assert f"{script} at 127.0.0.1" in waiting.reason
    assert "takes no tools" in waiting.reason
    assert waiting.delay_s == 0
    assert not any(isinstance(chunk, Waiting) for chunk in second)
    assert ["tools" in request.json for request in server.requests] == [True, False, False]


@given(
    st.lists(st.tuples(st.text(min_size=1, max_size=5), st.text(max_size=30)), min_size=1, max_size=5),
    st.integers(1, 7),
)
@settings(max_examples=50)
def test_calls_come_out_as_they_were_cut_up(wanted: Sequence[tuple[str, str]], size: int) -> None:
    pieces = []
    for index, (name, arguments) in enumerate(wanted):
        pieces.append([CallPiece(index, f"call_{index}", name, "")])
        pieces[-1] += [
            CallPiece(index, "", "", arguments[start : start + size]) for start in range(0, len(arguments), size)
        ]
    assembler = CallAssembler()
    for round_ in range(max(map(len, pieces))):
        assembler.add(each[round_] for each in pieces if round_ < len(each))

    assert assembler.calls() == tuple(
        ToolCall(f"call_{index}", name, arguments) for index, (name, arguments) in enumerate(wanted)
    )


def test_a_flood_of_calls_is_bounded() -> None:
    assembler = CallAssembler()
    assembler.add(CallPiece(index, f"call_{index}", "search_handbook", "") for index in range(100))
    assembler.add(CallPiece(0, "", "", "x" * 1_000) for _ in range(100))

    assert len(assembler.calls()) == MOST_CALLS
    assert len(assembler.calls()[0].arguments) == MOST_CHARACTERS


@pytest.mark.parametrize(
    "calls", [None, "search", 7, {}, [None], ["search"], [[]], [{"index": True}], [{"function": "search"}]]
)
def test_rubbish_in_the_place_of_calls_does_no_harm(calls: object) -> None:
    piece = read_piece({"choices": [{"delta": {"content": "Hello", "tool_calls": calls}}]})  # type: ignore[dict-item]
    assembler = CallAssembler()
    assembler.add(piece.calls)

    assert piece.text == "Hello"
    assert all(call == ToolCall("", "", "") for call in assembler.calls())
