"""The tool that searches the handbook."""

from typing import Final

from assistant.handbook.handbook import Handbook
from assistant.plan import Plan
from assistant.provider import ToolSpec
from assistant.toolbox import Found
from storage.values import JsonObject

SEARCH_HANDBOOK: Final = "search_handbook"

SPEC: Final = ToolSpec(
    SEARCH_HANDBOOK,
    "Search the desk's own handbook (policies, deadlines, procedures). Gives passages as data, each with its source to "
    "cite. Use a few telling words in the handbook's language. Say nothing before you call it.",
    {
        "type": "object",
        "properties": {"query": {"type": "string", "minLength": 1, "maxLength": 300}},
        "required": ["query"],
        "additionalProperties": False,
    },
)


class HandbookTool:
    """Gives passages of the handbook, each with its file and heading."""

    spec = SPEC
    verb = "searched the handbook"

    def __init__(self, handbook: Handbook) -> None:
        self._handbook = handbook

    def is_of_use(self, plan: Plan) -> bool:
        """The handbook does not depend on what is asked."""
        return True

    def doing(self, arguments: JsonObject) -> str:
        """The words that are searched for."""
        return " ".join(str(arguments.get("query", "")).split())

    def run(self, arguments: JsonObject, plan: Plan) -> Found:
        """Search; the query's words are taken literally.

        Raises:
            HandbookError: the folder cannot be read.
        """
        passages = self._handbook.search(str(arguments["query"]))
        entries = tuple({"source": passage.source, "text": passage.text} for passage in passages)
        count = len(entries)
        summary = f"{count} passage{'' if count == 1 else 's'}" if count else "nothing found"
        return Found("passages", entries, summary)
