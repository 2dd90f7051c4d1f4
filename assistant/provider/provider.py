"""What answers: a language model behind a server, or the built-in assistant; one protocol for both."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

from assistant.plan.messages import Message, ToolCall
from assistant.tasks.task import Task
from storage.values import JsonObject


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A piece of the answer, as it arrived."""

    text: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """The call failed in a way that passes; it will be tried again by itself.

    Attributes:
        attempt: the attempt that failed, 1 for the first.
        delay_s: seconds until the next one.
        reason: one sentence.
    """

    attempt: int
    delay_s: float
    reason: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The answer has ended.

    Attributes:
        finish_reason: the server's word ("stop", "length"), or "" when the stream ended without one.
        usage: the server's own figures, {} when it gave none.
        refused: the server marked words of it as a refusal.
    """

    finish_reason: str
    usage: JsonObject = field(default_factory=dict)
    refused: bool = False


@dataclass(frozen=True, slots=True)
class ToolCalls:
    """The answer asks for tools; what it said before stands. Comes once at most, before `Ended`.

    Attributes:
        calls: as the model wrote them; an id may be missing, a name unknown, and arguments broken.
    """

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is told of it.

    Attributes:
        parameters: JSON Schema of its arguments.
        done: what a call of it has done, for people and not for the model: "searched the handbook".
    """

    name: str
    description: str
    parameters: JsonObject
    done: str = ""

    def as_json(self) -> JsonObject:
        """The tool as it stands in the body of a request."""
        function: JsonObject = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class Prompt:
    """What one call asks.

    Attributes:
        chain: the messages, in order.
        task: what is asked for: the form that an answer has, and the model where it names one; None for a plain answer.
        tools: what the model may ask for. A server that knows no tools is asked without, and that is said.
        must_answer: it must answer now, although there are tools.
    """

    chain: tuple[Message, ...]
    task: Task | None = None
    tools: tuple[ToolSpec, ...] = ()
    must_answer: bool = False

    @property
    def contract(self) -> JsonObject | None:
        """The JSON Schema of the answer, None for plain text."""
        return self.task.contract if self.task is not None else None


Chunk: TypeAlias = TextChunk | ToolCalls | Waiting | Ended


@dataclass(frozen=True, slots=True)
class Exchange:
    """One attempt, once it is over: what came back for the body that went out.

    Attributes:
        response: the raw bytes as received, None when none came.
    """

    response: bytes | None
    status_code: int | None
    usage: JsonObject
    latency_ms: int
    error: str = ""


class ExchangeLog(Protocol):
    """Who writes down what goes over the wire; called at the HTTP transport."""

    async def sending(self, attempt: int, body: bytes) -> None:
        """Called before the bytes leave; they go out only when this returns."""

    async def received(self, attempt: int, exchange: Exchange) -> None:
        """Called once an attempt is over, however it ended (also when it was cancelled)."""


class Provider(Protocol):
    """One source of answers.

    Attributes:
        name: "openai" or "built-in".
        base_url: of the server; "" for the built-in assistant.
        model: the model's name; "saved-replies" for the built-in assistant.
        author: what stands beside an answer in the chat.
        is_model: False for the built-in assistant, which is no language model and says so.
    """

    name: str
    base_url: str
    model: str
    author: str
    is_model: bool

    def params(self) -> JsonObject:
        """The parameters of a call besides its messages."""

    def stream(self, prompt: Prompt, log: ExchangeLog) -> AsyncIterator[Chunk]:
        """Answer a prompt; the last chunk is `Ended`. Cancelling the consumer closes the connection.

        Raises:
            ProviderError: what failed and what to do; pieces given out before it stand.
        """

    async def aclose(self) -> None:
        """Close connections."""


@runtime_checkable
class Foretelling(Protocol):
    """A provider that always answers the same, at no cost, so that its answer is known before it is asked for."""

    def foretell(self, prompt: Prompt) -> str:
        """Say what it would answer; takes as long as the answer itself, so not on the event loop."""


def model_for(provider: Provider, task: Task | None) -> str:
    """The model that answers a task: the one that it names, where models answer at all, else the configured one."""
    return task.model if task is not None and task.model and provider.is_model else provider.model


Sleep: TypeAlias = Callable[[float], Awaitable[None]]
"""Waits so many seconds; tests pass one that does not."""
