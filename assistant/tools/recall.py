"""The tool that gives back turns of the own branch which the plan left out."""

import math
from collections import Counter as Counted
from collections.abc import Mapping, Sequence
from typing import Final

from assistant.errors import AssistantError
from assistant.plan.plan import Fate, Plan, PlannedItem
from assistant.tools.specs import RECALL
from assistant.tools.toolbox import Found
from storage.kinds import ASSISTANT_RESPONSE, TICKET
from storage.search.words import keys
from storage.values import Json, JsonObject

_MOST_MESSAGES: Final = 6


class RecallTool:
    """Knows the plan of the request and nothing else, so it can give back only what belongs to its branch."""

    spec = RECALL

    def is_of_use(self, plan: Plan) -> bool:
        """Something was left out."""
        return bool(_left_out(plan))

    def doing(self, arguments: JsonObject) -> str:
        """What is looked for."""
        turn = f"turn {arguments['turn']}" if "turn" in arguments else ""
        return ", ".join(filter(None, (" ".join(str(arguments.get("query", "")).split()), turn)))

    def run(self, arguments: JsonObject, plan: Plan) -> Found:
        """Give the messages of a turn in their order, or those that fit a query best, best first.

        Raises:
            AssistantError: neither was named.
        """
        if not arguments.keys() & {"query", "turn"}:
            raise AssistantError("Name the words to look for, or the number of a turn.")
        items = _left_out(plan)
        if "turn" in arguments:
            items = [item for item in items if item.turn + 1 == arguments["turn"]]
        if "query" in arguments:
            items = _by_words(items, keys(str(arguments["query"])))
        entries = tuple(_entry(item) for item in items[:_MOST_MESSAGES])
        count = len(entries)
        return Found(
            "messages", entries, f"{count} message{'' if count == 1 else 's'}" if count else "nothing of that kind"
        )


def _left_out(plan: Plan) -> list[PlannedItem]:
    return [item for item in plan.items if item.fate is not Fate.SENT]


def _by_words(items: Sequence[PlannedItem], wanted: Sequence[str]) -> list[PlannedItem]:
    """The items with one of the words at least; rare words count more, and of equals the newest comes first."""
    words = [frozenset(keys(item.message.content)) for item in items]
    counts = Counted(word for each in words for word in each)
    scores = [sum(math.log(1 + len(items) / counts[word]) for word in set(wanted) if word in each) for each in words]
    order = sorted(range(len(items)), key=lambda place: (-scores[place], -place))
    return [items[place] for place in order if scores[place]]


def _entry(item: PlannedItem) -> Mapping[str, Json]:
    author = {TICKET.name: "ticket", ASSISTANT_RESPONSE.name: "assistant"}.get(item.kind, "agent")
    return {"turn": item.turn + 1, "author": author, "text": item.message.content}
