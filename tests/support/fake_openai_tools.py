"""How the fake server asks for tools: one script for each way in which servers do, chosen by the model's name."""

import json
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Final, TypeAlias

from fake_openai_troubles import JsonValue, Reply, Step, delta_event, error_body


class ToolScript(StrEnum):
    """What the server does when a model of this name is asked, and is offered tools."""

    SEARCH = "tool-search"
    RECALL = "tool-recall"
    LOOP = "tool-loop"
    PARALLEL = "tool-parallel"
    SAYS_FIRST = "tool-says-first"
    BROKEN = "tool-broken"
    UNKNOWN = "tool-unknown"
    WRONG = "tool-wrong"
    NO_IDS = "tool-no-ids"
    ALWAYS_ZERO = "tool-always-zero"
    OBJECTS = "tool-objects"
    NOT_STREAMED = "tool-not-streamed"
    REFUSED_OLLAMA = "400-tools"
    REFUSED_LLAMA = "500-tools"


REFUSED: Final[Mapping[ToolScript, Reply]] = {
    ToolScript.REFUSED_OLLAMA: Reply(
        400, error_body("registry.ollama.ai/library/gemma:2b does not support tools", "api_error")
    ),
    ToolScript.REFUSED_LLAMA: Reply(500, error_body("tools param requires --jinja flag", "server_error", 500)),
}
"""The refusals of a request that offers tools."""

Delta: TypeAlias = dict[str, JsonValue]


def call(name: str, arguments: JsonValue, *, index: int | None = 0, call_id: str | None = "call_a") -> Delta:
    """One whole call, as it stands in a delta."""
    function: Delta = {"name": name, "arguments": arguments}
    entry: Delta = {"type": "function", "function": function}
    if index is not None:
        entry["index"] = index
    if call_id is not None:
        entry["id"] = call_id
    return entry


def searched(query: str) -> str:
    """Arguments of a search."""
    return json.dumps({"query": query})


def pieces(name: str, arguments: str, *, index: int = 0, call_id: str = "call_a") -> Iterator[Delta]:
    """One call in the pieces in which OpenAI sends it: its name, then its arguments a few signs at a time."""
    yield call(name, "", index=index, call_id=call_id)
    for start in range(0, len(arguments), 7):
        yield {"index": index, "function": {"arguments": arguments[start : start + 7]}}


def _search(query: str) -> Iterator[Delta]:
    for piece in pieces("search_handbook", searched(query)):
        yield {"tool_calls": [piece]}


def _parallel(query: str) -> Iterator[Delta]:
    first = list(pieces("search_handbook", searched(query)))
    second = list(pieces("search_handbook", searched("delivery"), index=1, call_id="call_b"))
    for one, other in zip(first, second, strict=False):
        yield {"tool_calls": [one, other]}
    for rest in (*first[len(second) :], *second[len(first) :]):
        yield {"tool_calls": [rest]}


def _always_zero(query: str) -> Iterator[Delta]:
    yield {"tool_calls": [call("search_handbook", searched(query), call_id="call_a")]}
    yield {"tool_calls": [call("search_handbook", searched("delivery"), call_id="call_b")]}


_SCRIPTS: Final[Mapping[ToolScript, Callable[[str], Iterator[Delta]]]] = {
    ToolScript.SEARCH: _search,
    ToolScript.RECALL: lambda query: iter([{"tool_calls": [call("recall", searched(query))]}]),
    ToolScript.LOOP: _search,
    ToolScript.PARALLEL: _parallel,
    ToolScript.SAYS_FIRST: lambda query: iter([{"content": "Let me look that up."}, *_search(query)]),
    ToolScript.BROKEN: lambda query: iter([{"tool_calls": [call("search_handbook", '{"query": "ret')]}]),
    ToolScript.UNKNOWN: lambda query: iter([{"tool_calls": [call("delete_ticket", '{"ticket": "T-1"}')]}]),
    ToolScript.WRONG: lambda query: iter(
        [{"tool_calls": [call("search_handbook", '{"query": 7, "conversation": 3}')]}]
    ),
    ToolScript.NO_IDS: lambda query: iter(
        [
            {"tool_calls": [call("search_handbook", searched(query), index=None, call_id=None)]},
            {"tool_calls": [call("search_handbook", searched("delivery"), index=None, call_id=None)]},
        ]
    ),
    ToolScript.ALWAYS_ZERO: _always_zero,
    ToolScript.OBJECTS: lambda query: iter([{"tool_calls": [call("search_handbook", {"query": query})]}]),
}


def tool_reply(model: str, body: Mapping[str, JsonValue]) -> Reply | Iterator[bytes | Step] | None:
    """What the server does with a request, None where it answers in words; a script asks once, a loop for ever."""
    if model not in set(ToolScript) or not body.get("tools"):
        return None
    script = ToolScript(model)
    if script in REFUSED:
        return REFUSED[script]
    messages = body["messages"]
    assert isinstance(messages, list)
    has_results = any(isinstance(message, dict) and message["role"] == "tool" for message in messages)
    if has_results and script is not ToolScript.LOOP:
        return None
    query = _question(messages)
    if script is ToolScript.NOT_STREAMED:
        entries: list[JsonValue] = [
            call("search_handbook", searched(query), index=None),
            call("search_handbook", searched("delivery"), index=None, call_id="call_b"),
        ]
        message: Delta = {"role": "assistant", "content": None, "tool_calls": entries}
        choice: Delta = {"index": 0, "message": message, "finish_reason": "tool_calls"}
        return Reply(200, {"id": "c1", "object": "chat.completion", "choices": [choice]})
    return _stream(model, _SCRIPTS[script](query))


def _stream(model: str, deltas: Iterator[Delta]) -> Iterator[bytes | Step]:
    yield delta_event(model, {"role": "assistant", "content": None})
    for delta in deltas:
        yield delta_event(model, delta)
    yield delta_event(model, {}, "tool_calls")
    yield b"data: [DONE]\n\n"
    yield Step.END


def _question(messages: list[JsonValue]) -> str:
    for message in reversed(messages):
        if isinstance(message, dict) and message["role"] == "user" and isinstance(message["content"], str):
            return message["content"].splitlines()[0]
    return ""
