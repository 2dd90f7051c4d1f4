"""The tools that a task may allow, and running what a model calls.

No tool takes an agent, a ticket or a conversation: each knows nothing but the plan of the request, so it cannot reach
beyond the branch. None writes, and none reaches the network. What they find is data in JSON, and no longer than fits.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from assistant.errors import AssistantError
from assistant.plan.messages import ToolCall
from assistant.plan.plan import Plan
from assistant.provider.provider import ToolSpec
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter
from assistant.turn.tool_traffic import arguments_of
from storage.values import Json, JsonObject

MOST_RESULT_TOKENS: Final = 700
"""Of what one call gives back."""

LEAST_RESULT_TOKENS: Final = 60
"""With less room than this there is no use in a result."""

_REPEATED: Final = (
    "This was asked already, and its result stands above. Ask for something else, or answer with what you have."
)


@dataclass(frozen=True, slots=True)
class Found:
    """What a tool found.

    Attributes:
        key: what the list is called in the result ("passages").
        entries: best first, each with a "text" that may be shortened.
        summary: one line for people: "3 passages".
    """

    key: str
    entries: tuple[Mapping[str, Json], ...]
    summary: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What one call gives back.

    Attributes:
        text: JSON, as the model gets it.
        doing: one line for people on what was asked: "returns policy".
        summary: one line for people on what came of it.
        failed: nothing was looked up.
    """

    text: str
    doing: str
    summary: str
    failed: bool = False

    @property
    def facts(self) -> JsonObject:
        """What is kept beside the text, for people."""
        return {"doing": self.doing, "summary": self.summary, "failed": self.failed}


class Tool(Protocol):
    """Something that a model may call.

    Attributes:
        spec: as the model is told of it, with what people are told.
    """

    spec: ToolSpec

    def is_of_use(self, plan: Plan) -> bool:
        """There is something to be found with it in this turn."""

    def doing(self, arguments: JsonObject) -> str:
        """One line for people on what is asked."""

    def run(self, arguments: JsonObject, plan: Plan) -> Found:
        """Look it up; blocks. Arguments fit the schema.

        Raises:
            AssistantError: it cannot be looked up; the model and the agent are told.
        """


class Toolbox:
    """The tools that are here, by name."""

    def __init__(self, tools: Sequence[Tool] = ()) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}

    def offered(self, task: Task, plan: Plan) -> tuple[ToolSpec, ...]:
        """What a model is told of: the tools that the task allows, that are here, and that can find something."""
        allowed = [self._tools[name] for name in task.tools if name in self._tools]
        return tuple(tool.spec for tool in allowed if tool.is_of_use(plan))

    def announce(self, call: ToolCall) -> str:
        """One line for people on a call that is about to run."""
        tool = self._tools.get(call.name)
        return f"{tool.spec.done}: {tool.doing(arguments_of(call) or {})}" if tool else f"{call.name}?"

    def run(
        self,
        call: ToolCall,
        offered: Sequence[ToolSpec],
        plan: Plan,
        counter: Counter,
        room: int,
        before: Sequence[ToolCall] = (),
    ) -> ToolResult:
        """Run one call; blocks. Whatever is wrong with it is told to the model in the result.

        Args:
            call: as the model wrote it.
            offered: what it was told of.
            plan: of the request that it came from.
            counter: counts the result.
            room: the largest number of tokens of the result.
            before: the calls of this turn that ran already.
        """
        arguments = arguments_of(call)
        names = [spec.name for spec in offered]
        if call.name not in names:
            return _failure("", f"There is no tool {call.name!r}; there is {' and '.join(names) or 'none'}.")
        tool = self._tools[call.name]
        if arguments is None:
            return _failure("", "The arguments are no JSON object; write them as the schema says.")
        if problem := _problem(arguments, tool.spec):
            return _failure("", problem)
        doing = tool.doing(arguments)
        if any(other.name == call.name and arguments_of(other) == arguments for other in before):
            return _failure(doing, _REPEATED)
        if room < LEAST_RESULT_TOKENS:
            return _failure(doing, "There is no room left for what would be found. Answer with what you have.")
        try:
            found = tool.run(arguments, plan)
        except AssistantError as error:
            return _failure(doing, str(error))
        return ToolResult(_fitted(found, counter, min(room, MOST_RESULT_TOKENS)), doing, found.summary)


def _failure(doing: str, problem: str) -> ToolResult:
    return ToolResult(json.dumps({"error": problem}, ensure_ascii=False), doing, problem, failed=True)


def _problem(arguments: JsonObject, spec: ToolSpec) -> str:
    """What of the arguments the schema does not allow, "" where nothing."""
    from jsonschema import Draft202012Validator

    error = next(iter(Draft202012Validator(spec.parameters).iter_errors(arguments)), None)
    if error is None:
        return ""
    place = ".".join(str(part) for part in error.absolute_path)
    return f"The arguments are wrong{f' at {place}' if place else ''}: {_shortened_middle(error.message)}."


def _shortened_middle(text: str, most: int = 200) -> str:
    """A message whose beginning and end count; what it quotes may be of any length."""
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"


def _fitted(found: Found, counter: Counter, most: int) -> str:
    """What was found as JSON of so many tokens at most: the first entries, the last of them shortened where needed."""
    kept: list[Json] = []
    for entry in found.entries:
        if counter.text(_document(found, [*kept, entry])) <= most:
            kept.append(entry)
            continue
        shorter = _shortened(found, kept, entry, counter, most)
        kept += [shorter] if shorter is not None else []
        break
    return _document(found, kept)


def _shortened(
    found: Found, kept: Sequence[Json], entry: Mapping[str, Json], counter: Counter, most: int
) -> JsonObject | None:
    """An entry with as much of its text as fits; None where that is next to nothing."""
    text = entry.get("text")
    length = len(text) if isinstance(text, str) else 0
    while isinstance(text, str) and (length := length * 2 // 3) >= 80:
        shorter = {**entry, "text": f"{text[:length].rstrip()} …"}
        if counter.text(_document(found, [*kept, shorter])) <= most:
            return shorter
    return None


def _document(found: Found, kept: Sequence[Json]) -> str:
    document: dict[str, Json] = {found.key: list(kept)}
    if len(kept) < len(found.entries):
        document["left_out"] = len(found.entries) - len(kept)
    return json.dumps(document, ensure_ascii=False)
