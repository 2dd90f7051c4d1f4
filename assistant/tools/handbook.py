"""The tool that searches the handbook."""

from assistant.handbook.handbook import Handbook
from assistant.plan.plan import Plan
from assistant.tools.specs import SEARCH
from assistant.tools.toolbox import Found
from storage.values import JsonObject


class HandbookTool:
    """Gives passages of the handbook, each with its file and heading."""

    spec = SEARCH

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
