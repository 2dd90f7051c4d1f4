"""The tools that there are, as a model is told of them, and what telling it takes of the budget."""

import json
from collections.abc import Mapping
from typing import Final

from assistant.provider.provider import ToolSpec
from assistant.tasks.task import Task
from assistant.tokens.counter import Counter

SEARCH: Final = ToolSpec(
    "search_handbook",
    "Search the desk's own handbook (policies, deadlines, procedures). Gives passages as data, each with its source to "
    "cite. Use a few telling words in the handbook's language. Say nothing before you call it.",
    {
        "type": "object",
        "properties": {"query": {"type": "string", "minLength": 1, "maxLength": 300}},
        "required": ["query"],
        "additionalProperties": False,
    },
    done="searched the handbook",
)

RECALL: Final = ToolSpec(
    "recall",
    "Give back earlier messages of this conversation that were left out of what you see: by words that stand in them, "
    "or all of one turn by its number (1 is the first). They come as data. Say nothing before you call it.",
    {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1, "maxLength": 300},
            "turn": {"type": "integer", "minimum": 1},
        },
        "additionalProperties": False,
    },
    done="recalled earlier messages",
)

SPECS: Final[Mapping[str, ToolSpec]] = {spec.name: spec for spec in (SEARCH, RECALL)}
"""What the `tools` of a task file may name."""


def spec_tokens(task: Task, counter: Counter) -> int:
    """What the tools of a task take of each of its requests, also where one of them is not offered in the end."""
    specs = [SPECS[name] for name in task.tools if name in SPECS]
    return sum(counter.text(json.dumps(spec.as_json(), ensure_ascii=False)) for spec in specs)
