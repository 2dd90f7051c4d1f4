"""How the built-in assistant finds something in the handbook: it asks for the tool like a model, and quotes."""

import json
from collections.abc import Sequence
from typing import Final

from assistant.builtin.drafting import Answer
from assistant.builtin.handed_ticket import find_ticket, is_data
from assistant.plan.messages import Message, ToolCall
from assistant.provider.provider import ToolSpec
from assistant.tools.specs import SEARCH

FIND_IN_HANDBOOK: Final = "find-in-handbook"
"""The task that it does with the handbook."""

_MOST_QUERY: Final = 300
_QUOTED: Final = 3
_NO_HANDBOOK: Final = (
    "There is no handbook to look into. Name its folder with --handbook, or as handbook in the configuration: a folder "
    "of Markdown and text files."
)


def look_up(chain: Sequence[Message], tools: Sequence[ToolSpec]) -> Answer | ToolCall:
    """Ask for a search, or quote what it gave back.

    Args:
        chain: as it was sent; ends with the question, or with what the search gave back.
        tools: those that may be called.
    """
    if chain[-1].role == "tool":
        return Answer(_quoted(chain[-1].content, _query(chain)))
    if SEARCH.name not in (tool.name for tool in tools):
        return Answer(_NO_HANDBOOK)
    return ToolCall("call_1", SEARCH.name, json.dumps({"query": _query(chain)}, ensure_ascii=False))


def _query(chain: Sequence[Message]) -> str:
    """The agent's question; where the ticket itself is asked, what that is about."""
    asked = next(message for message in reversed(chain) if message.role == "user")
    ticket = find_ticket(chain) if is_data(asked) else None
    words = " ".join((ticket.gist if ticket is not None else asked.content).split())
    return words[:_MOST_QUERY] or "?"


def _quoted(result: str, query: str) -> str:
    """The best passages, word for word, each with its source."""
    match json.loads(result):
        case {"passages": [_, *_] as passages}:
            quotes = [
                f"{passage['text']}\n[{passage['source']}]"
                for passage in passages[:_QUOTED]
                if isinstance(passage, dict)
            ]
            return "In the handbook:\n\n" + "\n\n".join(quotes)
        case {"error": str(problem)}:
            return f"The handbook could not be searched. {problem}"
        case _:
            return f"The handbook says nothing on “{query}”."
